// SPDX-License-Identifier: Apache-2.0
// Did a case become faster or slower between two runs? Only visits in the same machine state are compared, by a
// moderated t-test on the means of their logarithms (visit_variance.h), corrected for multiple testing (two-stage
// Benjamini-Hochberg); results must also be 2 % apart. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

inline constexpr double kSignificance = 0.05;         // two-sided; false discovery rate over the cases
inline constexpr double kPracticalDifference = 0.02;  // relative to the base

enum class Verdict { Faster, Slower, NoEvidence, NotComparable };
// "faster", "slower", "no evidence", "not comparable".
[[nodiscard]] std::string_view toString(Verdict verdict);

// Why the verdict is neither faster nor slower.
enum class Reason {
    None,
    SameWithinNoise,           // not significant
    BelowPracticalDifference,  // less than 2 %
    DifferentThings,           // different cases, or no result
    TooFewVisits,              // no estimate of the noise between visits or earlier runs
    OtherState,                // no machine state in common
    Disturbed,                 // one result has disturbed windows only
    MachineMoved,              // all cases shifted alike, and so did the machine's arithmetic rate
};

struct PairTest {
    std::optional<double> roundTripSeconds;    // of the common state, in the base
    bool betweenRuns = false;                  // noise from the spread between earlier runs instead of visits
    double baseSeconds = 0, otherSeconds = 0;  // step times in that state
    double ratio = 1;                          // otherSeconds over baseSeconds
    double logRatio = 0;       // difference of the means of the visits' logarithms, over all common states
    double standardError = 0;  // of logRatio
    double degrees = 0;        // of freedom
    double pValue = 1;         // two-sided

    friend bool operator==(const PairTest&, const PairTest&) = default;
};

// Whether two states, by their cache-line round trip, are the same: both unknown, or less than kStateFactor apart.
[[nodiscard]] bool isSameState(std::optional<double> a, std::optional<double> b);

// Unset if there is no common state (`OtherState`) or no estimate of the noise (`TooFewVisits`): no second visit on
// either side and no prior. The test uses all common states: differences of the means within each, weighted by 1 / (1 /
// n + 1 / m) for n and m visits. The reported times are those of the common state in which the side with fewer visits
// has most. Two different machines have no common states: the most frequent state of each is compared.
struct PairResult {
    std::optional<PairTest> test;
    Reason reason = Reason::None;
};
[[nodiscard]] PairResult testPair(const Figure& base, const Figure& other, const Noise& noise,
                                  bool acrossMachines = false);

// Run-to-run variance from a machine's history, for records without visits. `series`: results of each case in seconds,
// one per run of one program version.
[[nodiscard]] Variance varianceBetweenRuns(std::span<const std::vector<double>> series);
// Tests two results with one visit each, or of old records, with that variance.
[[nodiscard]] PairResult testFigures(double base, double other, const Variance& betweenRuns);

// All cases shifted by the same factor: at least kMinimumForShift cases, nine of ten in the same direction and within
// the noise of their median, which is at least 2 % from 1.
inline constexpr std::size_t kMinimumForShift = 5;
struct MachineShift {
    double ratio = 1;              // times of `other` over those of `base`
    bool arithmeticMoved = false;  // the probe's arithmetic rate or bandwidth changed by at least half of it
    friend bool operator==(const MachineShift&, const MachineShift&) = default;
};
// `arithmetic`: the probe's rate in `other` over that in `base`, median over the cases; `bandwidth` likewise.
[[nodiscard]] std::optional<MachineShift> machineShift(std::span<const PairTest> tests,
                                                       std::optional<double> arithmetic,
                                                       std::optional<double> bandwidth);

struct CaseVerdict {
    Verdict verdict = Verdict::NoEvidence;
    Reason reason = Reason::None;
    double adjustedPValue = 1;
};
// Judges all tests of a pair of runs together, in order. If the probes confirm a machine shift, cases are judged by
// their change beyond it.
[[nodiscard]] std::vector<CaseVerdict> judge(std::span<const PairTest> tests,
                                             const std::optional<MachineShift>& shift = std::nullopt);

}  // namespace steelyard::bench
