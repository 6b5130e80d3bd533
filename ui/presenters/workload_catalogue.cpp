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
    const auto* workload = findWorkload(id);
    return workload ? workload->title : id;
}

}  // namespace steelyard::ui
