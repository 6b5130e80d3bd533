// SPDX-License-Identifier: Apache-2.0
// Speed of a case and the fraction of the device's peak that it reaches, for display. Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Units of work (Throughput::unit) per second at the median step, shown with the interval of the median.
// CaseRecord::throughput is over all steps and affected by outliers. Unset if either is unknown.
[[nodiscard]] std::optional<double> medianRate(const CaseRecord& record);

// Likewise for Utilization::achievedFlops.
[[nodiscard]] std::optional<double> medianFlops(const CaseRecord& record);

enum class PeakKind { Compute, Bandwidth };

struct PeakFraction {
    PeakKind kind = PeakKind::Compute;
    double fraction = 0;  // over all steps, as Utilization; peak measured in the same process
};

// CaseRecord::conditions: ratio of counted operations to those of the best known algorithm (Winograd for convolutions).
// Recorded for every plan, 1 if there is no better algorithm.
inline constexpr std::string_view kWorkRatioCondition = "counted_over_least_work";
// Its maximum over all networks, for records older than that condition.
inline constexpr double kMostWorkRatio = 4;

// Compute: operations by definition (the Plan's FLOPs) over the measured peak (peak_probe.h: multiply-adds in
// registers, or matrix products). Winograd and similar algorithms need fewer operations than the definition, so more
// than 1 is possible: at most 2.25 for a 3x3 kernel in 2x2 tiles, 4 in 4x4 tiles. Bandwidth for a case that counts
// bytes. Unset if neither peak applies (cases that count operations), if the peak was not measured, or if the fraction
// exceeds what any algorithm allows; the peak was then measured while other programs used the device
// (peakWasDisturbed).
[[nodiscard]] std::optional<PeakFraction> peakFraction(const CaseRecord& record);

// Whether the recorded fraction is impossible.
[[nodiscard]] bool peakWasDisturbed(const CaseRecord& record);

}  // namespace steelyard::bench
