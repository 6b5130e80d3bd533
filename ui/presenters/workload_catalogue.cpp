// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/workload_catalogue.h"

#include <algorithm>

#include "engine/model/workload_title.h"
#include "ui/text/message_text.h"

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
    const auto known = [this](std::string_view name) -> std::string {
        if (name.starts_with('#')) {  // the hash of a network file
            const auto found = std::find_if(workloads.begin(), workloads.end(),
                                            [&](const auto& one) { return one.id.ends_with(name); });
            return found == workloads.end() ? std::string() : found->title;
        }
        if (const auto* workload = findWorkload(std::string(name))) return workload->title;
        const auto found = languageModels.find(name);
        if (found != languageModels.end()) return found->second;
        return model::knownTitles(nullptr)(name);  // before this computer's list is there
    };
    return MessageText::text(model::workloadTitle(id, known)).toStdString();
}

void WorkloadCatalogue::scaleEstimates(double factor) {
    for (auto& workload : workloads)
        if (workload.estimateSeconds) *workload.estimateSeconds *= factor;
    for (auto& suite : suites) {
        if (suite.estimateSeconds) *suite.estimateSeconds *= factor;
        for (auto& one : suite.cases) one.estimateSeconds *= factor;
    }
}

}  // namespace steelyard::ui
