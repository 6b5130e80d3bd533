// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/peak_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/bench/protocol/statistics.h"
#include "engine/compute/arithmetic_peak.h"
#include "engine/compute/kernel_memory.h"
#include "engine/compute/step_values.h"
#include "engine/core/messages/bench.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/model/graph.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

// Large enough for the blocked kernels of a core to reach their peak, small enough to take milliseconds. If a device
// finishes sooner (a GPU with launch overhead, or with arrays in its cache), the size is doubled until it is busy or
// its memory is full.
constexpr std::int64_t kExtent = 1024, kLargestExtent = 8192;
constexpr std::int64_t kProbeMebibytes = 64, kMostProbeMebibytes = 1024;  // of each of three arrays
// For CPUs. A virtual machine may report smaller caches than its processors have: at least kCpuProbeMebibytes.
constexpr std::int64_t kCpuProbeMebibytes = 256, kCacheMultiple = 4;
constexpr int kProbeArrays = 3;
constexpr std::int64_t kMebibyte = 1 << 20;
constexpr double kBusySeconds = 1e-3;
constexpr double kBudgetSeconds = 0.2;
constexpr double kShortBudgetSeconds = 0.05;
constexpr int kMinimumRepetitions = 3;

struct Probe {
    double rate = 0;              // FLOP/s or byte/s
    double seconds = 0;           // of the fastest step
    double valuesPerSecond = 0;   // DeviceRates::valuesPerSecond, for products
    std::optional<double> noise;  // DeviceRates::noise
};

// Times several steps, by the device's clock if it has one; the first only touches the memory. `work`: FLOP or bytes
// per step.
Result<Probe> probeSteps(compute::Executable& executable, double work, double budget, const Clock& clock) {
    std::vector<double> measured;
    double spent = 0;
    for (int i = 0; i < kMinimumRepetitions || spent < budget; ++i) {
        const auto start = clock.nowNanoseconds();
        ASSIGN(const auto outcome, executable.step({i, 1.0}));
        const double seconds = secondsBetween(start, clock.nowNanoseconds()).value();
        spent += std::max(seconds, 1e-6);
        const double ofDevice = outcome.deviceSeconds.value_or(seconds);
        if (ofDevice > 0 && i > 0) measured.push_back(ofDevice);
    }
    const auto sorted = sortedFinite(measured);
    if (sorted.empty()) return fail(ErrorKind::Internal, {}, messages::timerStalled());
    Probe probe{work / sorted.front(), sorted.front(), {}};
    if (sorted.size() >= kMinimumForNoise) probe.noise = *medianAbsoluteDeviation(sorted) / *medianOfSorted(sorted);
    return probe;
}

struct Prepared {
    std::shared_ptr<const plan::Plan> plan;
    std::unique_ptr<compute::Executable> executable;
};

// A probe must not end a process with a finished measurement: the kernel's OOM killer gives no warning in a control
// group.
Result<void> checkFits(const plan::Plan& plan) {
    const auto free = hardware::readControlGroups({}).memoryFreeBytes;
    std::int64_t largest = 0;  // input, which is copied when written
    for (const auto input : plan.inputs) largest = std::max(largest, plan.tensor(input).bytes());
    const auto needed = plan.memory.total().value() + largest;
    if (free && needed > *free) return Failure(Error{ErrorKind::OutOfMemory, "peak probe", {}, {}, needed, *free});
    return {};
}

Result<Prepared> prepare(compute::Backend& backend, const Result<model::Graph>& graph, const plan::PlanOptions& step,
                         const compute::CompileOptions& options) {
    if (!graph) return Failure(graph.error());
    ASSIGN(auto lowered, plan::lower(*graph, step));
    const auto plan = std::make_shared<const plan::Plan>(std::move(lowered));
    TRY(checkFits(*plan));
    ASSIGN(auto executable, backend.compile(plan, options));
    return Prepared{plan, std::move(executable)};
}

// Two products of extent^3 multiply-adds.
Result<Probe> probeProducts(compute::Backend& backend, std::int64_t extent, plan::Precision precision,
                            const compute::CompileOptions& options, const Clock& clock) {
    model::GraphBuilder builder("peak_probe");
    const auto x = builder.input({extent});
    builder.head(builder.dense(builder.dense(x, extent, false), extent, false));
    const auto probed =
        prepare(backend, std::move(builder).build(), {plan::Mode::Infer, extent, precision, {}}, options);
    if (!probed) return Failure(probed.error());
    const auto start = clock.nowNanoseconds();
    TRY(compute::writeSyntheticState(*probed->executable, 1));
    const double drawing = secondsBetween(start, clock.nowNanoseconds()).value();
    const auto side = static_cast<double>(extent);
    auto probe = probeSteps(*probed->executable, 2 * 2.0 * side * side * side, kBudgetSeconds, clock);
    if (probe && drawing > 0) probe->valuesPerSecond = 3 * side * side / drawing;
    return probe;
}

Result<Probe> probeBandwidth(compute::Backend& backend, std::int64_t mebibytes, const compute::CompileOptions& options,
                             const Clock& clock) {
    const auto workload = model::resolveWorkload(fmt::format("memory_bandwidth(mebibytes={})", mebibytes)).value();
    ASSIGN(const auto probed,
           prepare(backend, workload.build(), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}}, options));
    // Memory that was never written may be mapped to one zero page, which stays in the cache.
    const auto& plan = *probed.plan;
    std::vector<float> ones;
    for (const auto input : plan.inputs) {
        ones.resize(static_cast<std::size_t>(plan.tensor(input).elements()), 1.0F);
        TRY(probed.executable->write(input, std::span<const float>(ones)));
    }
    ones = {};
    return probeSteps(*probed.executable, plan.stepBytes(), kShortBudgetSeconds, clock);
}

// Convolutions and dense layers, forward and backward, in the reference backend.
Result<Probe> probeNetwork(compute::Backend& backend, const compute::CompileOptions& options, const Clock& clock) {
    constexpr std::int64_t kBatch = 4;
    const auto workload = model::resolveWorkload("cifar10_cnn").value();
    ASSIGN(const auto probed, prepare(backend, workload.build(),
                                      {plan::Mode::Train, kBatch, plan::Precision::Fp32, workload.optimizer}, options));
    TRY(compute::writeSyntheticState(*probed.executable, 1));
    return probeSteps(*probed.executable, probed.plan->stepFlops(), kShortBudgetSeconds, clock);
}

// Uses the first size that keeps the device busy, or the largest possible one.
template <class Measure>
Result<Probe> probeWhenBusy(std::int64_t size, std::int64_t largest, Measure measure) {
    auto probe = measure(size);
    while (probe && probe->seconds < kBusySeconds && size < largest) {
        size *= 2;
        const auto more = measure(size);
        if (!more) break;
        probe = more;
    }
    return probe;
}

Result<Probe> probeBusyProducts(compute::Backend& backend, plan::Precision precision,
                                const compute::CompileOptions& options, const Clock& clock) {
    return probeWhenBusy(kExtent, kLargestExtent, [&](std::int64_t extent) {
        return probeProducts(backend, extent, precision, options, clock);
    });
}

Result<Probe> probeBusyBandwidth(compute::Backend& backend, std::int64_t mebibytes,
                                 const compute::CompileOptions& options, const Clock& clock) {
    return probeWhenBusy(mebibytes, kMostProbeMebibytes,
                         [&](std::int64_t size) { return probeBandwidth(backend, size, options, clock); });
}

Result<double> rateOf(const Result<Probe>& probe) {
    if (!probe) return Failure(probe.error());
    return probe->rate;
}

}  // namespace

std::int64_t probeMebibytes(const std::string& device, const hardware::HardwareProfile& profile) {
    if (device != "cpu") return kProbeMebibytes;
    int level = 0;
    std::int64_t caches = 0;
    for (const auto& cache : profile.cpu.caches.valueOr({})) {
        if (cache.level > level) caches = 0;
        level = std::max(level, cache.level);
        if (cache.level == level) caches += cache.bytes * cache.count;
    }
    const auto wanted = std::clamp(kCacheMultiple * caches / kMebibyte, kCpuProbeMebibytes, kMostProbeMebibytes);
    const auto available = profile.memory.availableBytes.value.value_or(2 * kProbeArrays * wanted * kMebibyte);
    return std::clamp(available / (2 * kProbeArrays) / kMebibyte, kProbeMebibytes, wanted);
}

Result<double> measureProductFlops(compute::Backend& backend, plan::Precision precision,
                                   const compute::CompileOptions& options, const Clock& clock) {
    return rateOf(probeBusyProducts(backend, precision, options, clock));
}

Result<ComputePeak> measurePeakFlops(compute::Backend& backend, plan::Precision precision,
                                     const compute::CompileOptions& options, const Clock& clock) {
    if (auto* arithmetic = compute::arithmeticPeakOf(backend); arithmetic != nullptr)
        if (const auto peak = arithmetic->multiplyAddPeak(precision, options)) return ComputePeak{*peak, true};
    ASSIGN(const auto products, measureProductFlops(backend, precision, options, clock));
    return ComputePeak{products, false};
}

Result<double> measurePeakBytes(compute::Backend& backend, std::int64_t mebibytes,
                                const compute::CompileOptions& options, const Clock& clock) {
    return rateOf(probeBusyBandwidth(backend, mebibytes, options, clock));
}

DeviceRates probeRates(compute::Backend& backend, const compute::CompileOptions& options, const Clock& clock) {
    DeviceRates rates;
    if (const auto products = probeBusyProducts(backend, plan::Precision::Fp32, options, clock)) {
        rates.flopsPerSecond = products->rate;
        rates.noise = products->noise;
        if (products->valuesPerSecond > 0) rates.valuesPerSecond = products->valuesPerSecond;
    }
    if (const auto sums = probeBusyBandwidth(backend, kProbeMebibytes, options, clock)) {
        rates.bytesPerSecond = sums->rate;
        // Noise is a property of the machine; the smaller value is less affected by single disturbed steps.
        if (sums->noise) rates.noise = std::min(rates.noise.value_or(*sums->noise), *sums->noise);
    }
    if (const auto* kernels = compute::kernelMemoryOf(backend)) rates.knownSteps = kernels->knownSteps();
    return rates;
}

DeviceRates probeReference(compute::Backend& reference, const compute::CompileOptions& options, const Clock& clock) {
    DeviceRates rates;
    if (const auto steps = probeNetwork(reference, options, clock)) rates.flopsPerSecond = steps->rate;
    return rates;
}

}  // namespace steelyard::bench
