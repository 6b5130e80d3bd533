// SPDX-License-Identifier: Apache-2.0
// Is one measurement faster than another? The answer needs evidence (a moderated t-test over visits in the same state
// of the machine, protocol/verdict.h; for records of earlier versions, which have no visits, a rank test over the
// samples) and relevance (figures at least 2 % apart), and is refused when the two did not measure the same thing. Pure
// functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/protocol/verdict.h"
#include "engine/bench/record/record.h"

namespace steelyard::bench {

struct MannWhitney {
    double u = 0;        // the smaller of U1 and U2
    double pValue = 1;   // two-sided
    bool exact = false;  // by the exact distribution, else by the normal approximation
};

// H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the
// Other", 1947. Exact distribution up to 25 samples a side without ties; otherwise the normal approximation with
// correction for ties and continuity. Unset when a side is empty.
[[nodiscard]] std::optional<MannWhitney> mannWhitney(std::span<const double> a, std::span<const double> b);

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
    std::optional<MannWhitney> test;           // of records without visits
    std::optional<PairTest> visitTest;  // of records with visits; its p-value is adjusted for the cases of the runs
    std::optional<double>
        baseRoundTrip;  // seconds; of the states that the machine was in most, where they could be read
    std::optional<double> otherRoundTrip;
    std::vector<DifferenceItem> differences;  // filled when not comparable
};

// Both in seconds per step. Fewer than five samples on a side are no evidence.
[[nodiscard]] Comparison compareSamples(std::span<const double> base, std::span<const double> other);

// A device is the piece of hardware: the same case on another processor differs in DeviceName. To weigh two machines
// against each other on purpose, ask for AcrossDevices; then device, its name, threads and ISA may differ.
enum class Scope { SameDevice, AcrossDevices };
struct SuiteVersions {
    std::string_view base;
    std::string_view other;
};
// By themselves, each with what its own run showed of the noise between visits; compareRuns() looks at all cases.
[[nodiscard]] Comparison compareRecords(const CaseRecord& base, const CaseRecord& other, const SuiteVersions& versions,
                                        Scope scope = Scope::SameDevice);

// What differs, or what forbids a comparison, as compareRecords() has it; nothing when they can be compared.
[[nodiscard]] std::optional<Comparison> refusedComparison(const CaseRecord& base, const CaseRecord& other,
                                                          const SuiteVersions& versions, Scope scope);

// A test between visits as a comparison without a verdict yet, and the verdict into it; both have figures.
[[nodiscard]] Comparison comparisonOf(const CaseRecord& base, const CaseRecord& other, const PairResult& result);
void takeVerdict(Comparison& comparison, const CaseVerdict& verdict);

// Of whichever test there was.
[[nodiscard]] std::optional<double> pValueOf(const Comparison& comparison);

// One sentence in English for the command line and reports: "precision differs: fp32, bf16".
[[nodiscard]] std::string describe(const Comparison& comparison);

}  // namespace steelyard::bench
