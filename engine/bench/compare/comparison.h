// SPDX-License-Identifier: Apache-2.0
// Is one measurement faster than another? A verdict needs evidence (a moderated t-test over visits in the same machine
// state; for records without visits, from earlier versions and other programs, the run-to-run spread in the machine's
// history: protocol/verdict.h) and relevance (at least 2 % apart). None is given if the two did not measure the same
// thing or one of them was disturbed. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/protocol/verdict.h"
#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Why two records or their samples are not comparable or not distinguishable.
enum class Difference {
    Workload,
    Mode,
    Device,
    DeviceName,
    Precision,
    Batch,
    Threads,
    Isa,
    Kernels,
    Data,
    Part,
    Optimizer,
    SuiteVersion,
    BaseNotOk,
    OtherNotOk,  // the other record has no result
};
// Stable lower_snake name.
[[nodiscard]] std::string_view toString(Difference difference);

struct DifferenceItem {
    Difference what = Difference::Workload;
    std::string base;
    std::string other;

    friend bool operator==(const DifferenceItem&, const DifferenceItem&) = default;
};

struct Comparison {
    Verdict verdict = Verdict::NotComparable;  // of `other` relative to `base`
    Reason reason = Reason::None;              // why the verdict is neither faster nor slower
    std::optional<double> ratio;               // median time of `other` over that of `base`; below 1: `other` is faster
    std::optional<PairTest> test;              // p-value adjusted for all cases compared together
    // Seconds; of each record's most frequent machine state, if it could be read.
    std::optional<double> baseRoundTrip, otherRoundTrip;
    std::vector<DifferenceItem> differences;  // filled for DifferentThings
};

// A device is a piece of hardware: the same case on another processor differs in DeviceName. AcrossDevices compares two
// machines on purpose: device, its name, threads and ISA may then differ.
enum class Scope { SameDevice, AcrossDevices };
struct SuiteVersions {
    std::string_view base;
    std::string_view other;
};

// Prior knowledge about the noise.
struct Evidence {
    Noise ofVisits;        // for records with visits
    Variance betweenRuns;  // of a case on this machine; zero degrees of freedom: no history
};

// Step 1 of comparing many cases: tests a pair without a verdict. Step 2 judges all tests together
// (protocol/verdict.h).
[[nodiscard]] Comparison testRecords(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions,
                                     const Evidence& evidence, Scope scope);
void takeVerdict(Comparison& comparison, const CaseVerdict& verdict);

// Whether the compared step time is that of a machine state common to both records other than this record's main one.
[[nodiscard]] bool isOfOtherState(const CaseRecord& record, double comparedSeconds);

// One sentence in English for the command line and reports: "precision differs: fp32, bf16".
[[nodiscard]] std::string describe(const Comparison& comparison);

}  // namespace steelyard::bench
