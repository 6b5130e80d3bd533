// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/check/load_test.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/compute/step_values.h"
#include "engine/core/quantile.h"
#include "engine/model/resolve.h"

namespace steelyard::bench {
namespace {

constexpr const char* kLoadWorkload = "gemm(m=1024,n=1024,k=1024)";
constexpr double kReadingInterval = 1;
constexpr double kOfBaseClock = 0.9, kOfFirstClock = 0.6;
constexpr std::int64_t kLeastRepetitions = 2;
constexpr std::size_t kLeastReadings = 6;  // two in each third

std::int64_t countDifferent(const std::vector<float>& first, const std::vector<float>& now) {
    // Bits, since NaN differs from itself.
    if (std::memcmp(first.data(), now.data(), first.size() * sizeof(float)) == 0) return 0;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i) count += std::memcmp(&first[i], &now[i], sizeof(float)) == 0 ? 0 : 1;
    return count;
}

// Median of a third of the values: the first (0) or the last (2).
std::optional<double> medianOfThird(const std::vector<double>& values, std::size_t third) {
    if (values.size() < kLeastReadings) return std::nullopt;
    const auto from = values.size() * third / 3, to = values.size() * (third + 1) / 3;
    return median(
        {values.begin() + static_cast<std::ptrdiff_t>(from), values.begin() + static_cast<std::ptrdiff_t>(to)});
}

}  // namespace

Result<std::unique_ptr<compute::Executable>> makeLoad(compute::Backend& backend,
                                                      const compute::CompileOptions& options) {
    ASSIGN(const auto workload, model::resolveWorkload(kLoadWorkload));
    ASSIGN(const auto graph, workload.build());
    ASSIGN(auto plan, plan::lower(graph, {plan::Mode::Infer, 1, plan::Precision::Fp32, workload.optimizer}));
    return backend.compile(std::make_shared<const plan::Plan>(std::move(plan)), options);
}

LoadTally sustain(compute::Executable& load, const Clock& clock, const LoadOptions& options) {
    LoadTally tally;
    const auto prepared = compute::writeSyntheticState(load, options.seed);
    if (!prepared) {
        tally.error = prepared.error();
        return tally;
    }
    const auto& plan = load.plan();
    const auto output = plan.heads.front().probabilities;
    const auto values = static_cast<std::size_t>(plan.tensor(output).elements());
    std::vector<float> first(values), now(values);
    const auto start = clock.nowNanoseconds();
    double nextReading = kReadingInterval;
    for (double elapsed = 0; elapsed < options.seconds || tally.repetitions < kLeastRepetitions;) {
        if (options.cancelled && options.cancelled()) {
            tally.cancelled = true;
            break;
        }
        const auto before = clock.nowNanoseconds();
        const auto stepped = load.step({});
        const auto after = clock.nowNanoseconds();
        auto read =
            stepped ? load.read(output, tally.repetitions == 0 ? first : now) : Result<void>(Failure(stepped.error()));
        if (!read) {
            tally.error = read.error();
            break;
        }
        tally.stepSeconds.push_back(stepped->deviceSeconds.value_or(secondsBetween(before, after).value()));
        if (tally.repetitions++ > 0)
            if (const auto different = countDifferent(first, now); different > 0) {
                ++tally.differing;
                tally.differingValues += different;
            }
        elapsed = secondsBetween(start, clock.nowNanoseconds()).value();
        if (options.sense && elapsed >= nextReading) {
            auto reading = options.sense();
            reading.atSeconds = elapsed;
            tally.readings.push_back(reading);
            nextReading = elapsed + kReadingInterval;
        }
        if (options.onProgress) options.onProgress(std::min(1.0, elapsed / std::max(options.seconds, 1e-9)));
    }
    return tally;
}

ClockJudgement judgeClock(const LoadTally& tally, std::optional<double> baseMhz) {
    ClockJudgement result;
    std::vector<double> clocks;
    std::size_t known = 0, throttled = 0;
    for (const auto& reading : tally.readings) {
        if (reading.mhz) clocks.push_back(*reading.mhz);
        if (reading.celsius)
            result.hottestCelsius = std::max(result.hottestCelsius.value_or(*reading.celsius), *reading.celsius);
        known += reading.throttled ? 1 : 0;
        throttled += reading.throttled.value_or(false) ? 1 : 0;
    }
    if (known > 0) result.throttledFraction = static_cast<double>(throttled) / static_cast<double>(known);
    result.firstMhz = medianOfThird(clocks, 0);
    result.lastMhz = medianOfThird(clocks, 2);
    if (result.lastMhz)
        result.belowRating =
            baseMhz ? *result.lastMhz < kOfBaseClock * *baseMhz : *result.lastMhz < kOfFirstClock * *result.firstMhz;
    const auto firstSteps = medianOfThird(tally.stepSeconds, 0), lastSteps = medianOfThird(tally.stepSeconds, 2);
    if (firstSteps && lastSteps && *firstSteps > 0) result.slowdown = *lastSteps / *firstSteps;
    return result;
}

}  // namespace steelyard::bench
