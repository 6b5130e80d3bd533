// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/workload_catalogue.h"

#include <algorithm>

namespace steelyard::ui {

const WorkloadOption* WorkloadCatalogue::findWorkload(const std::string& id) const {
    const auto found = std::find_if(workloads.begin(), workloads.end(), [&](const auto& one) { return one.id == id; });
    return found == workloads.end() ? nullptr : &*found;
}

const SuiteOption* WorkloadCatalogue::findSuite(const std::string& id) const {
    const auto found = std::find_if(suites.begin(), suites.end(), [&](const auto& one) { return one.id == id; });
    return found == suites.end() ? nullptr : &*found;
}

std::string WorkloadCatalogue::titleOf(const std::string& id) const {
    if (const auto* workload = findWorkload(id)) return workload->title;
    // "flowers_xception(size=96)": the options follow the title.
    const auto open = id.find('(');
    const auto* workload = open == std::string::npos ? nullptr : findWorkload(id.substr(0, open));
    if (!workload) return id;
    auto options = id.substr(open);
    std::replace(options.begin(), options.end(), '=', ' ');
    return workload->title + " " + options;
}

}  // namespace steelyard::ui
