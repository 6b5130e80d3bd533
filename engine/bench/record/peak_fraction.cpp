// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/peak_fraction.h"

#include <string_view>

namespace steelyard::bench {

std::optional<double> medianRate(const CaseRecord& record) {
    if (!record.throughput || !record.stepSeconds || record.stepSeconds->median <= 0) return std::nullopt;
    return record.throughput->value * record.stepSeconds->mean / record.stepSeconds->median;
}

std::optional<PeakFraction> peakFraction(const CaseRecord& record) {
    if (!record.utilization) return std::nullopt;
    const auto& use = *record.utilization;
    const std::string_view unit = record.throughput ? std::string_view(record.throughput->unit) : std::string_view();
    if (unit == "B/s") {
        if (!use.achievedBytes || !use.peakBytes || *use.peakBytes <= 0) return std::nullopt;
        return PeakFraction{PeakKind::Bandwidth, *use.achievedBytes / *use.peakBytes};
    }
    if (unit == "operations/s" || !use.fraction) return std::nullopt;
    return PeakFraction{PeakKind::Compute, *use.fraction};
}

}  // namespace steelyard::bench
