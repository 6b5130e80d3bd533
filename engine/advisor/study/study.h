// SPDX-License-Identifier: Apache-2.0
// A published table (workload, platform, variant, seconds per epoch, price per hour) and its evaluation: relative time
// and cost to a baseline, Pareto front, best choice by time weight, and the effect of price changes. Pure functions of
// values.
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

// Columns workload, platform, variant, epoch_seconds, price_usd_per_hour; others are ignored. Errors name the line.
[[nodiscard]] Result<Study> studyFromCsv(std::string name, std::string text);
[[nodiscard]] Result<Study> loadStudy(const std::filesystem::path& file);
// The shipped studies, by file name.
[[nodiscard]] std::vector<std::filesystem::path> studyFiles(const std::filesystem::path& folder);

struct StudyOptions {
    double timeWeight = 1;
    std::map<std::string, double> priceMultipliers;  // by platform, or by the first words of several ("cpu" has none)
    std::string baseline;  // configuration ("8 vCPU compiled") or platform; empty: the first row's
};

// A platform in one variant.
struct Configuration {
    std::string platform, variant;
    [[nodiscard]] std::string name() const { return variant.empty() ? platform : platform + " " + variant; }
    auto operator<=>(const Configuration&) const = default;
};

struct StudyCell {
    Configuration configuration;
    double epochSeconds = 0, usdPerHour = 0;
    double usdPerEpoch = 0;
    double relativeTime = 0, relativeCost = 0;  // relative to the baseline of this workload
    bool onPareto = false;                      // none is faster and cheaper
    // Price factor at which it costs as much as the baseline.
    double breakEvenMultiplier = 0;
};

struct WorkloadStudy {
    std::string workload;
    std::vector<StudyCell> cells;
    std::size_t cheapest = 0, fastest = 0, winner = 0;  // indices; winner: least time^a x cost
    std::optional<std::size_t> baseline;
};

// From time weight `from` on, this configuration is best over all workloads.
struct WeightRange {
    double from = 0;
    Configuration winner;
};

// Whether a variant pays off on a platform, over the workloads that have both.
enum class VariantVerdict { Pays, Costs, Undecided };
struct VariantEffect {
    std::string platform, variant, against;
    double medianSpeedUp = 1;
    std::size_t workloads = 0, faster = 0;
    VariantVerdict verdict = VariantVerdict::Undecided;  // two-sided sign test at 5 %
};

struct StudyReport {
    std::vector<WorkloadStudy> workloads;
    std::vector<WeightRange> overall;     // of configurations present in every workload; by the geometric mean
    std::optional<Configuration> winner;  // at the chosen weight
    std::vector<VariantEffect> variants;
};

// InvalidArgument names a baseline, or a platform of a multiplier, that is not in the table.
[[nodiscard]] Result<StudyReport> weigh(const Study& study, const StudyOptions& options = {});

}  // namespace steelyard::advisor
