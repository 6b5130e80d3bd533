// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_estimate.h"

#include <algorithm>

#include "engine/bench/multi_device/gpu_sweep.h"
#include "engine/core/device_id.h"

namespace steelyard::ui {
namespace {

int atLeastOne(std::size_t count) {
    return std::max(1, static_cast<int>(count));
}

// Cases of one workload in one mode: one GPU is the baseline of every kind of scaling.
int sharedCases(const bench::RunRequest& request) {
    const auto kinds =
        static_cast<int>(request.scalings.empty() ? bench::kScalingKinds.size() : request.scalings.size());
    int cases = 0;
    for (const int count : request.gpus) cases += count == 1 ? 1 : kinds;
    return cases;
}

}  // namespace

std::vector<int> gpuChoices(const WorkloadCatalogue& catalogue) {
    const auto usable = std::count_if(catalogue.devices.begin(), catalogue.devices.end(), [](const auto& device) {
        return device.runnable && DeviceId::parse(device.id).isGpu();
    });
    if (usable < 2) return {};
    return bench::gpuCounts({}, static_cast<int>(usable)).value_or(std::vector<int>());
}

RunEstimate estimateOf(const bench::RunRequest& request, const WorkloadCatalogue& catalogue) {
    const bool shared = !request.gpus.empty();
    auto workloads = request.workloads;
    if (!request.suite.empty()) {
        const auto* suite = catalogue.findSuite(request.suite);
        if (!suite) return {};
        if (!shared) return {static_cast<int>(suite->caseCount), suite->estimateSeconds};
        workloads = suite->workloads;
    }
    const int places =
        shared ? sharedCases(request) : atLeastOne(request.devices.size()) * atLeastOne(request.threads.size());
    const int variants = places * atLeastOne(request.batches.size()) * atLeastOne(request.precisions.size());
    RunEstimate estimate{0, 0.0};
    for (const auto& id : workloads) {
        const auto* workload = catalogue.findWorkload(id);
        if (!workload || !workload->runnable) continue;
        const auto& wanted = request.modes.empty() ? workload->modes : request.modes;
        const auto modes = std::count_if(wanted.begin(), wanted.end(), [&](plan::Mode mode) {
            return std::find(workload->modes.begin(), workload->modes.end(), mode) != workload->modes.end();
        });
        const int cases = static_cast<int>(modes) * variants;
        estimate.cases += cases;
        if (!workload->estimateSeconds) estimate.seconds.reset();
        if (estimate.seconds) *estimate.seconds += *workload->estimateSeconds * cases;
    }
    return estimate;
}

}  // namespace steelyard::ui
