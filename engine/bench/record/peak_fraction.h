// SPDX-License-Identifier: Apache-2.0
// How fast a case is and how much of its device's peak it reaches, as is shown of a record. Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Units of work (Throughput::unit) per second at the median step: what is shown beside an interval of the median.
// CaseRecord::throughput is over all steps, which a few slow ones pull away from it. Nothing without either.
[[nodiscard]] std::optional<double> medianRate(const CaseRecord& record);

// The same of Utilization::achievedFlops.
[[nodiscard]] std::optional<double> medianFlops(const CaseRecord& record);

enum class PeakKind { Compute, Bandwidth };

struct PeakFraction {
    PeakKind kind = PeakKind::Compute;
    double fraction = 0;  // over all steps, as Utilization is, of the peak measured in the same process
};

// CaseRecord::conditions: the operations of the definition over the fewest that a known algorithm does them with
// (Winograd's for convolutions). Noted for every plan, 1 where nothing is
// saved.
inline constexpr std::string_view kWorkRatioCondition = "counted_over_least_work";
// The most that any of them saves, for records from before that condition.
inline constexpr double kMostWorkRatio = 4;

// Of compute: the operations of the definition (the Plan's FLOPs) over the measured peak (peak_probe.h: multiply-adds
// in registers, or matrix products). A convolution by Winograd's or a similar algorithm does fewer than its definition
// has, so more than 1 is possible: 2.25 times fewer at most for a 3x3 kernel in tiles of 2x2, 4 times in tiles of 4x4.
// Of bandwidth for a case that counts bytes. Nothing where neither peak says anything about the case (what counts
// operations), where the peak was not measured, or where the fraction is not possible: more than 1, and no algorithm
// needs so few operations. Then the peak was measured while other programs used the device (peakWasDisturbed).
[[nodiscard]] std::optional<PeakFraction> peakFraction(const CaseRecord& record);

// A fraction was recorded that is not possible.
[[nodiscard]] bool peakWasDisturbed(const CaseRecord& record);

}  // namespace steelyard::bench
