// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/record/language_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace steelyard::bench {
namespace {

// Nearest-rank quantile.
std::optional<double> quantile(std::vector<double> values, double share) {
    if (values.empty()) return std::nullopt;
    std::ranges::sort(values);
    const auto rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

constexpr double kMedian = 0.5;
constexpr std::size_t kLeastTokens = 8;

}  // namespace

TokenTimes tokenTimes(const LanguageUse& use) {
    TokenTimes times;
    times.firstSeconds = quantile(use.firstTokenSeconds, kMedian);
    times.p50Seconds = quantile(use.tokenSeconds, kMedian);
    times.p90Seconds = quantile(use.tokenSeconds, 0.9);
    times.p99Seconds = quantile(use.tokenSeconds, 0.99);
    const auto perStep = static_cast<std::size_t>(std::max<std::int64_t>(0, use.tokensPerStep - 1));
    if (perStep < kLeastTokens) return times;
    std::vector<double> first, last;
    for (std::size_t i = 0; i < use.tokenSeconds.size(); ++i) {
        if (i % perStep < perStep / 4) first.push_back(use.tokenSeconds[i]);
        if (i % perStep >= perStep - perStep / 4) last.push_back(use.tokenSeconds[i]);
    }
    const auto early = quantile(first, kMedian), late = quantile(last, kMedian);
    if (early && late && *early > 0) times.growth = *late / *early;
    return times;
}

std::optional<double> joulesPerToken(const CaseRecord& record) {
    if (!record.language || !record.energyJoulesPerStep || record.language->tokensPerStep < 1) return std::nullopt;
    return *record.energyJoulesPerStep / static_cast<double>(record.language->tokensPerStep * record.spec.batch);
}

}  // namespace steelyard::bench
