// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/visits.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/bench/protocol/figure.h"
#include "engine/bench/protocol/statistics.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

constexpr double kUnchanged = 1;

// Scales rates when the mean time per step is replaced.
void scaleRates(CaseRecord& record, double factor) {
    if (record.throughput) record.throughput->value *= factor;
    if (record.energyJoulesPerStep) *record.energyJoulesPerStep /= factor;
    if (!record.utilization) return;
    auto& use = *record.utilization;
    use.achievedFlops *= factor;
    if (use.fraction) *use.fraction *= factor;
    if (use.achievedBytes) *use.achievedBytes *= factor;
}

template <typename T>
void takeLarger(std::optional<T>& value, const std::optional<T>& other) {
    if (other) value = std::max(value.value_or(*other), *other);
}

}  // namespace

void addVisit(CaseRecord& record, CaseRecord later) {
    for (auto& warning : later.warnings)
        if (std::find(record.warnings.begin(), record.warnings.end(), warning) == record.warnings.end())
            record.warnings.push_back(std::move(warning));
    if (later.status != Status::Ok) {
        record.warnings.push_back(messages::visitFailed(later.reason));
        return;
    }
    record.samplesSeconds.insert(record.samplesSeconds.end(), later.samplesSeconds.begin(), later.samplesSeconds.end());
    if (record.language && later.language) {
        auto& use = *record.language;
        const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        append(use.firstTokenSeconds, later.language->firstTokenSeconds);
        append(use.tokenSeconds, later.language->tokenSeconds);
    }
    for (auto& visit : later.visits) record.visits.push_back(std::move(visit));
    // Times are relative to the start of each visit.
    record.sensors.insert(record.sensors.end(), later.sensors.begin(), later.sensors.end());
    takeLarger(record.memory.processPeakBytes, later.memory.processPeakBytes);
    takeLarger(record.memory.enginePeakBytes, later.memory.enginePeakBytes);
    takeLarger(record.memory.devicePeakBytes, later.memory.devicePeakBytes);
}

void applyFigure(CaseRecord& record, int threads, const Noise& noise) {
    auto figure = figureOf(record.samplesSeconds, record.visits, threads, noise);
    if (!figure) return;
    auto summary = summarize(countedSamples(record.samplesSeconds, record.visits, threads));
    if (!summary) return;
    const double factor = record.stepSeconds && record.stepSeconds->mean > 0 && summary->mean > 0
                              ? record.stepSeconds->mean / summary->mean
                              : kUnchanged;
    scaleRates(record, factor);
    summary->median = figure->main.medianSeconds;
    summary->ci95Low = figure->low;
    summary->ci95High = figure->high;
    record.stepSeconds = summary;
    record.figure = std::move(figure);
    applyWeightBandwidth(record, threads);
}

bool applyWeightBandwidth(CaseRecord& record, int threads) {
    const auto bandwidth = countedWeightBandwidth(record.samplesSeconds, record.visits, threads);
    if (!bandwidth || !record.utilization) return false;
    record.utilization->peakBytes = bandwidth->mean;
    record.conditions["peak_bytes_of"] = "reading the weights between windows of steps";
    record.conditions["read_bandwidth_ratio"] = fmt::format("{:.2f}", bandwidth->slowest / bandwidth->fastest);
    return true;
}

std::vector<Variance> visitVariances(std::span<const CaseRecord> records) {
    std::vector<Variance> variances;
    for (const auto& record : records)
        if (record.figure && !record.figure->disturbed) variances.push_back(visitVariance(*record.figure));
    return variances;
}

}  // namespace steelyard::bench
