// SPDX-License-Identifier: Apache-2.0
// A published table (workload, platform, variant, seconds of an epoch, price per hour) and its evaluation: relative
// time and cost against a baseline, Pareto front, best choice by time weight, and the effect of other prices. Pure
// functions over values.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::advisor {

struct StudyRow {
    std::string workload, platform, variant;
    double epochSeconds = 0;
    double usdPerHour = 0;
    friend bool operator==(const StudyRow&, const StudyRow&) = default;
};

struct Study {
    std::string title, source, link, date, notes;  // from "# key: text" lines before the header; may be empty
    std::vector<StudyRow> rows;
};

// Columns workload, platform, variant, epoch_seconds, price_usd_per_hour; others are ignored. Fails with the line.
[[nodiscard]] Result<Study> studyFromCsv(std::string name, std::string text);
[[nodiscard]] Result<Study> loadStudy(const std::filesystem::path& file);
// The shipped ones, by file name.
[[nodiscard]] std::vector<std::filesystem::path> studyFiles(const std::filesystem::path& folder);

struct StudyOptions {
    double timeWeight = 1;
    std::map<std::string, double> priceMultipliers;  // by platform, or by the first words of several ("cpu" has none)
    std::string baseline;  // configuration ("8 vCPU compiled") or platform; empty: the first row's
};

// A platform with a variant.
struct Configuration {
    std::string platform, variant;
    [[nodiscard]] std::string name() const { return variant.empty() ? platform : platform + " " + variant; }
    auto operator<=>(const Configuration&) const = default;
};

struct StudyCell {
    Configuration configuration;
    double epochSeconds = 0, usdPerHour = 0;
    double usdPerEpoch = 0;
    double relativeTime = 0, relativeCost = 0;  // against the baseline of this workload
    bool onPareto = false;                      // none is faster and cheaper
    // Factor on its price at which it costs as much as the baseline.
    double breakEvenMultiplier = 0;
};

struct WorkloadStudy {
    std::string workload;
    std::vector<StudyCell> cells;
    std::size_t cheapest = 0, fastest = 0, winner = 0;  // indices; winner: least time^a x cost
    std::optional<std::size_t> baseline;
};

// From `from` on (time weights from 0), this configuration wins over all workloads together.
struct WeightRange {
    double from = 0;
    Configuration winner;
};

// Whether a variant is worth it on a platform. Over the workloads that have both.
enum class VariantVerdict { Pays, Costs, Undecided };
struct VariantEffect {
    std::string platform, variant, against;
    double medianSpeedUp = 1;
    std::size_t workloads = 0, faster = 0;
    VariantVerdict verdict = VariantVerdict::Undecided;  // two-sided sign test at 5 %
};

struct StudyReport {
    std::vector<WorkloadStudy> workloads;
    std::vector<WeightRange> overall;     // of configurations that every workload has; by the geometric mean
    std::optional<Configuration> winner;  // at the chosen weight
    std::vector<VariantEffect> variants;
};

// InvalidArgument names a baseline, or a platform of a multiplier, that the table does not have.
[[nodiscard]] Result<StudyReport> weigh(const Study& study, const StudyOptions& options = {});

}  // namespace steelyard::advisor
