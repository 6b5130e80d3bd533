// SPDX-License-Identifier: Apache-2.0
// Sustained load: the same step again and again; every result must be equal to the first, bit by bit, and clocks must
// hold. The calling thread; the backend uses its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/hardware/system/sensors.h"

namespace steelyard::bench {

struct LoadReading {
    double atSeconds = 0;
    std::optional<double> mhz, celsius;  // of the device under test
    std::optional<bool> throttled;       // by temperature, power or current
};

struct LoadTally {
    std::int64_t repetitions = 0, differing = 0, differingValues = 0;
    std::optional<Error> error;       // that ended the load
    std::vector<double> stepSeconds;  // by repetition
    std::vector<LoadReading> readings;
    bool cancelled = false;
};

struct LoadOptions {
    double seconds = 60;
    std::uint64_t seed = 1;
    std::function<LoadReading()> sense = {};  // read once a second; empty: not read
    std::function<void(double fraction)> onProgress = {};
    std::function<bool()> cancelled = {};
};

// A matrix product of 1,024 rows and columns in fp32: keeps the arithmetic units busy, and its result is the same every
// time on a sound device.
[[nodiscard]] Result<std::unique_ptr<compute::Executable>> makeLoad(compute::Backend& backend,
                                                                    const compute::CompileOptions& options);

// At least two repetitions.
[[nodiscard]] LoadTally sustain(compute::Executable& load, const Clock& clock, const LoadOptions& options);

// What the readings say about the clock.
struct ClockJudgement {
    std::optional<double> firstMhz, lastMhz;  // medians of the first and the last third
    std::optional<double> hottestCelsius;
    std::optional<double> throttledFraction;
    std::optional<double> slowdown;  // median step of the last third over that of the first
    // Below 90 % of the rated base clock or, without a rating, below 60 % of the clock at the beginning.
    bool belowRating = false;
};
[[nodiscard]] ClockJudgement judgeClock(const LoadTally& tally, std::optional<double> baseMhz);

}  // namespace steelyard::bench
