// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/disturbance.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::bench {
namespace {

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

std::string otherState(const Comparison& comparison) {
    const auto nanoseconds = [](const std::optional<double>& seconds) {
        return seconds ? fmt::format("{:.0f}", *seconds * 1e9) : std::string("unknown");
    };
    return fmt::format("the machine was in another state in each run (a cache line's round trip took {} and {} ns)",
                       nanoseconds(comparison.baseRoundTrip), nanoseconds(comparison.otherRoundTrip));
}

double timeOf(const CaseRecord& record) {
    if (record.stepSeconds) return record.stepSeconds->median;
    return medianOfSorted(sortedFinite(record.samplesSeconds)).value_or(0);
}

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

Comparison testRecords(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions,
                       const Evidence& evidence, Scope scope) {
    Comparison comparison;
    comparison.differences = differencesOf(base, other, versions, scope);
    if (!comparison.differences.empty()) {
        comparison.reason = Reason::DifferentThings;
        return comparison;
    }
    const double before = timeOf(base);
    const double after = timeOf(other);
    if (before > 0) comparison.ratio = after / before;
    if (wasDisturbed(base) || wasDisturbed(other)) {
        comparison.reason = Reason::Disturbed;
        return comparison;
    }
    comparison.verdict = Verdict::NoEvidence;
    PairResult result{std::nullopt, Reason::TooFewVisits};
    if (base.figure && other.figure) {
        comparison.baseRoundTrip = base.figure->main.roundTripSeconds;
        comparison.otherRoundTrip = other.figure->main.roundTripSeconds;
        result = testPair(*base.figure, *other.figure, evidence.ofVisits, scope == Scope::AcrossDevices);
    }
    if (result.reason == Reason::TooFewVisits) result = testFigures(before, after, evidence.betweenRuns);
    comparison.reason = result.reason;
    comparison.test = result.test;
    if (result.test) comparison.ratio = result.test->ratio;
    return comparison;
}

void takeVerdict(Comparison& comparison, const CaseVerdict& verdict) {
    comparison.verdict = verdict.verdict;
    comparison.reason = verdict.reason;
    comparison.test->pValue = verdict.adjustedPValue;
}

bool isOfOtherState(const CaseRecord& record, double comparedSeconds) {
    if (!record.figure) return false;
    const auto& others = record.figure->others;
    return comparedSeconds != record.figure->main.medianSeconds &&
           std::any_of(others.begin(), others.end(),
                       [&](const StateFigure& state) { return state.medianSeconds == comparedSeconds; });
}

std::string describe(const Comparison& comparison) {
    switch (comparison.reason) {
        case Reason::SameWithinNoise:
            return fmt::format("the difference is within the noise (p = {:.2f})",
                               comparison.test ? comparison.test->pValue : 1);
        case Reason::BelowPracticalDifference:
            return fmt::format("the medians differ by less than {:.0f} %", kPracticalDifference * 100);
        case Reason::TooFewVisits:
            return "too few visits, and no earlier runs that show how much results vary from run to run";
        case Reason::OtherState:
            return otherState(comparison);
        case Reason::MachineMoved:
            return "it changed by the same factor as the whole machine";
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
