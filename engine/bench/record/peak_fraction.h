// SPDX-License-Identifier: Apache-2.0
// How fast a case is and how much of its device's peak it reaches, as is shown of a record. Pure functions.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Units of work (Throughput::unit) per second at the median step: what is shown beside an interval of the median.
// CaseRecord::throughput is over all steps, which a few slow ones pull away from it. Nothing without either.
[[nodiscard]] std::optional<double> medianRate(const CaseRecord& record);

enum class PeakKind { Compute, Bandwidth };

struct PeakFraction {
    PeakKind kind = PeakKind::Compute;
    double fraction = 0;  // over all steps, as Utilization is, of the peak measured in the same process
};

// Of compute: the operations of the definition (the Plan's FLOPs) over the measured peak (peak_probe.h: multiply-adds
// in registers, or matrix products). A convolution by Winograd's or a similar algorithm does fewer than its definition
// has, so more than 1 is possible: 2.25 times fewer at most for a 3x3 kernel in tiles of 2x2, 4 times in tiles of 4x4.
// Of bandwidth for a case that counts bytes. Nothing where neither peak says anything about the case (what counts
// operations) or where the peak was not measured.
[[nodiscard]] std::optional<PeakFraction> peakFraction(const CaseRecord& record);

}  // namespace steelyard::bench
