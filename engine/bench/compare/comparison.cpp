// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/disturbance.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

constexpr std::size_t kExactLimit = 25;  // a side

struct Ranked {
    double rankSumOfA = 0;
    double tieTerm = 0;  // sum over groups of equal values of t^3 - t
};

// Ranks from 1 in the joint order; equal values share the mean of their ranks.
Ranked rankTogether(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<std::pair<double, bool>> all;
    all.reserve(a.size() + b.size());
    for (const double value : a) all.emplace_back(value, true);
    for (const double value : b) all.emplace_back(value, false);
    std::sort(all.begin(), all.end());
    Ranked ranked;
    for (std::size_t begin = 0; begin < all.size();) {
        auto end = begin;
        std::size_t ofA = 0;
        for (; end < all.size() && all[end].first == all[begin].first; ++end) ofA += all[end].second ? 1 : 0;
        const auto size = static_cast<double>(end - begin);
        const double meanRank = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2;
        ranked.rankSumOfA += meanRank * static_cast<double>(ofA);
        ranked.tieTerm += size * size * size - size;
        begin = end;
    }
    return ranked;
}

// P(U <= u) when both sides come from one distribution, all orders being equally likely. The number of orders with a
// given U obeys N(m, n, u) = N(m - 1, n, u - n) + N(m, n - 1, u); divided by the binomial it is a probability:
// p(m, n, u) = m / (m + n) p(m - 1, n, u - n) + n / (m + n) p(m, n - 1, u), all terms positive, no cancellation.
double exactLowerTail(std::size_t m, std::size_t n, double u) {
    const auto limit = m * n + 1;
    // rows[j] is the distribution for (i, j) while i grows from 0 to m.
    std::vector<std::vector<double>> rows(n + 1, std::vector<double>(limit, 0.0));
    for (auto& row : rows) row[0] = 1;  // (0, j): U is 0
    for (std::size_t i = 1; i <= m; ++i) {
        // (i, 0): U is 0, already so in rows[0].
        for (std::size_t j = 1; j <= n; ++j) {
            const double total = static_cast<double>(i + j);
            std::vector<double> next(limit, 0.0);
            for (std::size_t value = 0; value <= i * j; ++value) {
                const double shifted = value >= j ? rows[j][value - j] : 0.0;
                next[value] =
                    static_cast<double>(i) / total * shifted + static_cast<double>(j) / total * rows[j - 1][value];
            }
            rows[j] = std::move(next);
        }
    }
    double tail = 0;
    for (std::size_t value = 0; value < limit && static_cast<double>(value) <= u; ++value) tail += rows[n][value];
    return tail;
}

double normalTwoSided(double distance, double deviation) {
    if (deviation <= 0) return 1;  // all values are equal
    const double z = std::max(0.0, distance - 0.5) / deviation;
    return std::erfc(z / std::sqrt(2.0));
}

void addIfDifferent(std::vector<DifferenceItem>& items, Difference what, std::string base, std::string other) {
    if (base != other) items.push_back({what, std::move(base), std::move(other)});
}

std::string textOf(const std::optional<int>& threads) {
    return threads ? std::to_string(*threads) : "default";
}

std::vector<DifferenceItem> differencesOf(const CaseRecord& base, const CaseRecord& other,
                                          const SuiteVersions& versions, Scope scope) {
    std::vector<DifferenceItem> items;
    const auto& a = base.spec;
    const auto& b = other.spec;
    addIfDifferent(items, Difference::SuiteVersion, std::string(versions.base), std::string(versions.other));
    if (model::onnx::workloadIdentity(a.workload) != model::onnx::workloadIdentity(b.workload))
        addIfDifferent(items, Difference::Workload, a.workload, b.workload);
    addIfDifferent(items, Difference::Mode, std::string(toString(a.mode)), std::string(toString(b.mode)));
    addIfDifferent(items, Difference::Precision, std::string(toString(a.precision)),
                   std::string(toString(b.precision)));
    addIfDifferent(items, Difference::Batch, std::to_string(a.batch), std::to_string(b.batch));
    addIfDifferent(items, Difference::Kernels, a.kernels.value_or("fastest"), b.kernels.value_or("fastest"));
    addIfDifferent(items, Difference::Data, a.data, b.data);
    addIfDifferent(items, Difference::Part, std::string(toString(a.part)), std::string(toString(b.part)));
    addIfDifferent(items, Difference::Optimizer, a.optimizer, b.optimizer);
    if (scope == Scope::SameDevice) {
        addIfDifferent(items, Difference::Device, a.device, b.device);
        addIfDifferent(items, Difference::DeviceName, base.deviceName, other.deviceName);
        addIfDifferent(items, Difference::Threads, textOf(a.threads), textOf(b.threads));
        addIfDifferent(items, Difference::Isa, a.isa.value_or("default"), b.isa.value_or("default"));
    }
    const auto hasResult = [](const CaseRecord& record) {
        return record.status == Status::Ok && !record.samplesSeconds.empty();
    };
    const std::string baseStatus(toString(base.status));
    const std::string otherStatus(toString(other.status));
    if (!hasResult(base)) items.push_back({Difference::BaseNotOk, baseStatus, otherStatus});
    if (!hasResult(other)) items.push_back({Difference::OtherNotOk, baseStatus, otherStatus});
    return items;
}

constexpr std::array<std::pair<Difference, std::string_view>, 15> kDifferenceNames{{
    {Difference::Workload, "workload"},
    {Difference::Mode, "mode"},
    {Difference::Device, "device"},
    {Difference::DeviceName, "device_name"},
    {Difference::Precision, "precision"},
    {Difference::Batch, "batch"},
    {Difference::Threads, "threads"},
    {Difference::Isa, "isa"},
    {Difference::Kernels, "kernels"},
    {Difference::Data, "data"},
    {Difference::Part, "part"},
    {Difference::Optimizer, "optimizer"},
    {Difference::SuiteVersion, "suite_version"},
    {Difference::BaseNotOk, "base_not_ok"},
    {Difference::OtherNotOk, "other_not_ok"},
}};

std::string describe(const DifferenceItem& item) {
    if (item.what == Difference::BaseNotOk) return "the base has no result (" + item.base + ")";
    if (item.what == Difference::OtherNotOk) return "the other has no result (" + item.other + ")";
    std::string name(toString(item.what));
    std::replace(name.begin(), name.end(), '_', ' ');
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    return fmt::format("{} differs ({}, {})", name, shown(item.base), shown(item.other));
}

}  // namespace

std::string_view toString(Difference difference) {
    for (const auto& [entry, name] : kDifferenceNames) {
        if (entry == difference) return name;
    }
    return {};
}

std::optional<MannWhitney> mannWhitney(std::span<const double> a, std::span<const double> b) {
    const auto first = sortedFinite(a);
    const auto second = sortedFinite(b);
    if (first.empty() || second.empty()) return std::nullopt;
    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    const auto ranked = rankTogether(first, second);
    const double uOfA = ranked.rankSumOfA - m * (m + 1) / 2;
    MannWhitney result;
    result.u = std::min(uOfA, m * n - uOfA);
    result.exact = ranked.tieTerm == 0 && first.size() <= kExactLimit && second.size() <= kExactLimit;
    if (result.exact) {
        result.pValue = std::min(1.0, 2 * exactLowerTail(first.size(), second.size(), result.u));
    } else {
        const double total = m + n;
        const double variance = m * n / 12 * (total + 1 - ranked.tieTerm / (total * (total - 1)));
        result.pValue = normalTwoSided(m * n / 2 - result.u, std::sqrt(std::max(0.0, variance)));
    }
    return result;
}

Comparison compareSamples(std::span<const double> base, std::span<const double> other) {
    Comparison comparison;
    comparison.verdict = Verdict::NoEvidence;
    const auto a = sortedFinite(base);
    const auto b = sortedFinite(other);
    const auto baseMedian = medianOfSorted(a);
    const auto otherMedian = medianOfSorted(b);
    if (baseMedian && otherMedian && *baseMedian > 0) comparison.ratio = *otherMedian / *baseMedian;
    comparison.test = mannWhitney(a, b);
    if (a.size() < kMinimumForNoise || b.size() < kMinimumForNoise) {
        comparison.reason = Reason::TooFewSamples;
        return comparison;
    }
    if (comparison.test->pValue >= kSignificance) {
        comparison.reason = Reason::SameWithinNoise;
        return comparison;
    }
    const double difference = *otherMedian - *baseMedian;
    if (std::fabs(difference) < kPracticalDifference * *baseMedian || difference == 0) {
        comparison.reason = Reason::BelowPracticalDifference;
        return comparison;
    }
    comparison.verdict = difference < 0 ? Verdict::Faster : Verdict::Slower;
    return comparison;
}

Comparison compareRecords(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions, Scope scope) {
    auto differences = differencesOf(base, other, versions, scope);
    if (differences.empty()) {
        auto result = compareSamples(base.samplesSeconds, other.samplesSeconds);
        if (wasDisturbed(base) || wasDisturbed(other)) {
            result.verdict = Verdict::NotComparable;
            result.reason = Reason::Disturbed;
        }
        return result;
    }
    Comparison comparison;
    comparison.reason = Reason::DifferentThings;
    comparison.differences = std::move(differences);
    return comparison;
}

std::string describe(const Comparison& comparison) {
    switch (comparison.reason) {
        case Reason::TooFewSamples:
            return fmt::format("fewer than {} samples", kMinimumForNoise);
        case Reason::SameWithinNoise:
            return fmt::format("the difference is within the noise (p = {:.2f})", comparison.test->pValue);
        case Reason::BelowPracticalDifference:
            return fmt::format("the medians differ by less than {:.0f} %", kPracticalDifference * 100);
        case Reason::DifferentThings: {
            std::string text;
            for (const auto& item : comparison.differences) {
                text += (text.empty() ? "" : "; ") + describe(item);
            }
            return text;
        }
        case Reason::Disturbed:
            return "other programs used the CPU during the measurement";
        case Reason::None:
            break;
    }
    return comparison.ratio ? fmt::format("{:.3f} times the base's time", *comparison.ratio) : std::string();
}

}  // namespace steelyard::bench
