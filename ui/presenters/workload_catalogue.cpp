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

namespace {

// "net.onnx(batch=8)#1a2b3c4d": a network file is identified by the hash at the end, independent of its folder.
std::string hashOf(const std::string& id) {
    const auto mark = id.rfind('#');
    const bool isFile = id.find(".onnx") != std::string::npos || id.find(".json") != std::string::npos;
    return mark == std::string::npos || !isFile ? std::string() : id.substr(mark);
}

// "net"
std::string fileTitle(const std::string& id) {
    const auto ending = std::min({id.find(".onnx"), id.find(".json"), id.size()});
    const auto slash = id.rfind('/', ending);
    const auto start = slash == std::string::npos ? 0 : slash + 1;
    return id.substr(start, ending - start);
}

}  // namespace

std::string WorkloadCatalogue::titleOf(const std::string& id) const {
    if (const auto* workload = findWorkload(id)) return workload->title;
    if (const auto hash = hashOf(id); !hash.empty()) {
        const auto found =
            std::find_if(workloads.begin(), workloads.end(), [&](const auto& one) { return hashOf(one.id) == hash; });
        return found == workloads.end() ? fileTitle(id) : found->title;
    }
    // "flowers_xception(size=96)": the options follow the title.
    const auto open = id.find('(');
    const auto* workload = open == std::string::npos ? nullptr : findWorkload(id.substr(0, open));
    if (!workload) return id;
    auto options = id.substr(open);
    std::replace(options.begin(), options.end(), '=', ' ');
    return workload->title + " " + options;
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
