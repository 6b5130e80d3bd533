// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/case_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <variant>

#include "engine/bench/measure/peak_probe.h"
#include "engine/bench/protocol/stopping_rule.h"
#include "engine/bench/protocol/visits.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

constexpr int kPeakRepetitions = 2;

// If the peak is below the achieved rate, the probe was disturbed and is repeated; or the step needs fewer
// multiply-adds than are counted (Winograd), and stays above it.
Result<ComputePeak> bestPeakFlops(double achieved, compute::Backend& backend, plan::Precision precision,
                                  const compute::CompileOptions& options, const Clock& clock) {
    auto best = measurePeakFlops(backend, precision, options, clock);
    for (int again = 0; again < kPeakRepetitions && best && best->flopsPerSecond < achieved; ++again) {
        const auto peak = measurePeakFlops(backend, precision, options, clock);
        if (peak && peak->flopsPerSecond > best->flopsPerSecond) best = peak;
    }
    return best;
}

}  // namespace

Status statusOf(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::OutOfMemory:
            return Status::OutOfMemory;
        case ErrorKind::Unsupported:
        case ErrorKind::BackendUnavailable:
            return Status::Unsupported;
        case ErrorKind::TimedOut:
            return Status::TimedOut;
        case ErrorKind::Cancelled:
            return Status::Cancelled;
        default:
            return Status::Failed;
    }
}

double clockResolution(const Clock& clock) {
    double smallest = 1e-6;
    for (int i = 0; i < 50; ++i) {
        const auto start = clock.nowNanoseconds();
        auto now = clock.nowNanoseconds();
        for (int spin = 0; now == start && spin < 1000; ++spin) now = clock.nowNanoseconds();
        if (now > start) smallest = std::min(smallest, static_cast<double>(now - start) * 1e-9);
    }
    return smallest;
}

void recordPlannedMemory(MemoryUse& use, const compute::MemoryFigures& planned) {
    use.plannedBytes =
        (planned.weights + planned.gradients + planned.optimizer + planned.activations + planned.workspace).value();
    use.weightBytes = planned.weights.value();
    use.gradientBytes = planned.gradients.value();
    use.optimizerBytes = planned.optimizer.value();
    use.activationBytes = planned.activations.value();
    use.workspaceBytes = planned.workspace.value();
}

double workRatio(const plan::Plan& plan) {
    double counted = 0;
    double least = 0;
    for (const auto& operation : plan.operations) {
        const auto macs = static_cast<double>(operation.macs);
        double saving = 1;
        if (const auto* layer = std::get_if<model::Conv2d>(&operation.layer);
            layer != nullptr && layer->stride == model::Size2d{1, 1} && layer->groups == 1) {
            if (layer->kernel == model::Size2d{3, 3}) saving = 4;
            if (layer->kernel == model::Size2d{5, 5}) saving = 25.0 / 9;
        }
        counted += macs;
        least += macs / saving;
    }
    return least > 0 ? counted / least : 1;
}

double workOfStep(const model::Workload& workload, const Case& spec, const plan::Plan* plan) {
    switch (workload.rate) {
        case model::Rate::Flops:
            return plan->stepFlops();
        case model::Rate::Bytes:
            return plan->stepBytes();
        case model::Rate::Operations:
            return static_cast<double>(plan->operations.size());
        case model::Rate::Samples:
            break;
    }
    return static_cast<double>(spec.batch * workload.tokensPerSample);
}

void recordSustained(CaseRecord& record) {
    if (record.stopReason != StopReason::Sustained) return;
    const auto ratio = sustainedRatio(record.samplesSeconds);
    if (!ratio) return;
    record.conditions["sustained_ratio"] = fmt::format("{:.3f}", *ratio);
    if (*ratio < kStableRatio) record.warnings.push_back(messages::notSustained(Percent{*ratio}));
}

void recordUtilization(CaseRecord& record, compute::Backend& backend, plan::Precision precision,
                       const compute::CompileOptions& options, std::int64_t mebibytes, const Clock& clock) {
    const double step = record.stepSeconds->mean;
    auto& use = record.utilization.emplace();
    use.achievedFlops = *record.flopsPerStep / step;
    const auto start = clock.nowNanoseconds();
    if (record.bytesPerStep) use.achievedBytes = *record.bytesPerStep / step;
    if (!applyWeightBandwidth(record, options.threads)) {
        if (const auto bandwidth = measurePeakBytes(backend, mebibytes, options, clock)) {
            use.peakBytes = *bandwidth;
            record.conditions["peak_bytes_of"] = fmt::format("sums of two arrays of {} MiB", mebibytes);
        }
    }
    if (const auto peak = bestPeakFlops(use.achievedFlops, backend, precision, options, clock)) {
        use.peakFlops = peak->flopsPerSecond;
        // Language models compute in 8 bits or in the type of their weights; the peak is for another type.
        if (!record.language) use.fraction = use.achievedFlops / peak->flopsPerSecond;
        record.conditions["peak_flops_of"] = peak->ofRegisters ? "multiply-adds in registers" : "matrix products";
    }
    record.conditions["peak_probe_seconds"] =
        fmt::format("{:.2f}", secondsBetween(start, clock.nowNanoseconds()).value());
}

}  // namespace steelyard::bench
