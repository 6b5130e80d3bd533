// SPDX-License-Identifier: Apache-2.0
// Is one measurement faster than another? The answer needs evidence (a moderated t-test over visits in the same state
// of the machine; for records without visits, as earlier versions and other programs have them, over the spread between
// runs that the machine's history shows: protocol/verdict.h) and relevance (figures at least 2 % apart), and is refused
// when the two did not measure the same thing or other programs disturbed one of them. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/protocol/verdict.h"
#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Why two records, or their samples, cannot be compared, or could not be told apart.
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
    OtherNotOk,  // no result on that side
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
    Verdict verdict = Verdict::NotComparable;  // of `other`, seen from `base`
    Reason reason = Reason::None;              // why there is no faster or slower
    std::optional<double> ratio;               // median time of `other` over that of `base`; below 1 is faster
    std::optional<PairTest> test;              // its p-value is adjusted for all cases that were compared together
    // Seconds; of the states that the machine was in most, where they could be read.
    std::optional<double> baseRoundTrip, otherRoundTrip;
    std::vector<DifferenceItem> differences;  // filled for DifferentThings
};

// A device is the piece of hardware: the same case on another processor differs in DeviceName. To weigh two machines
// against each other on purpose, ask for AcrossDevices; then device, its name, threads and ISA may differ.
enum class Scope { SameDevice, AcrossDevices };
struct SuiteVersions {
    std::string_view base;
    std::string_view other;
};

// What is known of the noise beside the two records.
struct Evidence {
    Noise ofVisits;        // of records with visits
    Variance betweenRuns;  // of a case on this machine; no degrees of freedom: there is no history
};

// The two steps of a comparison of many cases: with a test it has no verdict yet, which is judged for all of them
// together (protocol/verdict.h) and taken then.
[[nodiscard]] Comparison testRecords(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions,
                                     const Evidence& evidence, Scope scope);
void takeVerdict(Comparison& comparison, const CaseVerdict& verdict);

// Whether the compared time of a record's step is not its figure but that of another state of the machine, which both
// records had.
[[nodiscard]] bool isOfOtherState(const CaseRecord& record, double comparedSeconds);

// One sentence in English for the command line and reports: "precision differs: fp32, bf16".
[[nodiscard]] std::string describe(const Comparison& comparison);

}  // namespace steelyard::bench
