// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/peak_fraction.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/bench/record/disturbance.h"

namespace steelyard::bench {

namespace {

// Steps may find part of their data in a cache; the bandwidth probe does not.
constexpr double kBandwidthTolerance = 1.25;
constexpr double kTolerance = 1.02;  // peak and steps are measured at different times

std::optional<PeakFraction> recordedFraction(const CaseRecord& record) {
    if (!record.utilization) return std::nullopt;
    const auto& use = *record.utilization;
    const std::string_view unit = record.throughput ? std::string_view(record.throughput->unit) : std::string_view();
    if (unit == "B/s") {
        if (!use.achievedBytes || !use.peakBytes || *use.peakBytes <= 0) return std::nullopt;
        return PeakFraction{PeakKind::Bandwidth, *use.achievedBytes / *use.peakBytes};
    }
    // Decoding reads all weights for each token and is bandwidth-bound. Prompts are computed in 8 bits, for which no
    // peak is measured.
    if (record.language) {
        if (record.language->task == "prefill" || !use.achievedBytes || !use.peakBytes || *use.peakBytes <= 0)
            return std::nullopt;
        return PeakFraction{PeakKind::Bandwidth, *use.achievedBytes / *use.peakBytes};
    }
    if (unit == "operations/s" || !use.fraction) return std::nullopt;
    return PeakFraction{PeakKind::Compute, *use.fraction};
}

// Largest possible fraction.
double maximumFraction(const CaseRecord& record, PeakKind kind) {
    if (kind == PeakKind::Bandwidth) return kBandwidthTolerance;
    const auto noted = record.conditions.find(std::string(kWorkRatioCondition));
    if (noted != record.conditions.end()) return std::strtod(noted->second.c_str(), nullptr);
    // An older record, which may contain such convolutions.
    return wasDisturbed(record) ? 1 : kMostWorkRatio;
}

}  // namespace

std::optional<double> medianRate(const CaseRecord& record) {
    if (!record.throughput || !record.stepSeconds || record.stepSeconds->median <= 0) return std::nullopt;
    return record.throughput->value * record.stepSeconds->mean / record.stepSeconds->median;
}

std::optional<double> medianFlops(const CaseRecord& record) {
    if (!record.utilization || !record.stepSeconds || record.stepSeconds->median <= 0) return std::nullopt;
    return record.utilization->achievedFlops * record.stepSeconds->mean / record.stepSeconds->median;
}

std::optional<PeakFraction> peakFraction(const CaseRecord& record) {
    auto share = recordedFraction(record);
    if (!share) return std::nullopt;
    const double most = maximumFraction(record, share->kind);
    if (share->fraction > kTolerance * most) return std::nullopt;
    share->fraction = std::min(share->fraction, most);
    return share;
}

bool peakWasDisturbed(const CaseRecord& record) {
    const auto share = recordedFraction(record);
    return share && share->fraction > kTolerance * maximumFraction(record, share->kind);
}

}  // namespace steelyard::bench
