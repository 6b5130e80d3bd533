// SPDX-License-Identifier: Apache-2.0
// Did a case become faster or slower from one run to another? Only visits of the same machine state are compared, by a
// moderated t-test on the means of their logarithms (visit_variance.h), corrected for the number of cases (two-stage
// Benjamini-Hochberg), and the figures must be 2 % apart. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

inline constexpr double kSignificance = 0.05;         // two-sided; false discovery rate over the cases
inline constexpr double kPracticalDifference = 0.02;  // of the base's figure

enum class Verdict { Faster, Slower, NoEvidence, NotComparable };
// "faster", "slower", "no evidence", "not comparable".
[[nodiscard]] std::string_view toString(Verdict verdict);

// Why there is no faster or slower.
enum class Reason {
    None,
    SameWithinNoise,           // the test finds nothing
    BelowPracticalDifference,  // less than 2 %
    DifferentThings,           // not the same case, or no result
    TooFewVisits,              // nothing shows how much visits, or earlier runs, differ
    OtherState,                // the machine was in another state in each run
    Disturbed,                 // one of the figures has disturbed windows only
    MachineMoved,              // all cases moved alike, and so did the machine's own arithmetic
};

struct PairTest {
    std::optional<double> roundTripSeconds;    // of the shared state, the base's
    bool betweenRuns = false;                  // by the spread between earlier runs instead of visits
    double baseSeconds = 0, otherSeconds = 0;  // the figures in that state: a step's time
    double ratio = 1;                          // otherSeconds over baseSeconds
    double logRatio = 0;                       // difference of the means of the visits' logarithms, all shared states
    double standardError = 0;                  // of logRatio
    double degrees = 0;                        // of freedom
    double pValue = 1;                         // two-sided

    friend bool operator==(const PairTest&, const PairTest&) = default;
};

// Whether two states, by the round trip of a cache line, are one: both unknown, or less than kStateFactor apart.
[[nodiscard]] bool isSameState(std::optional<double> a, std::optional<double> b);

// Unset when the two share no state (`OtherState`) or when there is nothing to tell the noise from (`TooFewVisits`):
// no second visit in either and no prior. The test takes all shared states: within each the difference of the means,
// weighted by 1 / (1 / n + 1 / m) with n and m visits, so that a visit counts in whichever state it found the machine.
// The figures shown are those of the state with most visits on the side that has fewer of them. Two machines have no
// states in common: each is taken in the one that it was in most.
struct PairResult {
    std::optional<PairTest> test;
    Reason reason = Reason::None;
};
[[nodiscard]] PairResult testPair(const Figure& base, const Figure& other, const Noise& noise,
                                  bool acrossMachines = false);

// What a machine's history says of records that have no visits: how much the figure of a case differs from run to run
// of one program. `series`: for each case its figures, in seconds, one a run.
[[nodiscard]] Variance varianceBetweenRuns(std::span<const std::vector<double>> series);
// By it, two figures of one visit each, or of an old record.
[[nodiscard]] PairResult testFigures(double base, double other, const Variance& betweenRuns);

// Every case moved by the same factor: at least kMinimumForShift cases, nine of ten to the same side and within the
// noise of their median, which is 2 % or more away from 1.
inline constexpr std::size_t kMinimumForShift = 5;
struct MachineShift {
    double ratio = 1;              // times of `other` over those of `base`
    bool arithmeticMoved = false;  // the probe's arithmetic or its bandwidth slowed down by at least half of it
    friend bool operator==(const MachineShift&, const MachineShift&) = default;
};
// `arithmetic`: rate of the probe in `other` over that in `base`, median over the cases; `bandwidth` likewise.
[[nodiscard]] std::optional<MachineShift> machineShift(std::span<const PairTest> tests,
                                                       std::optional<double> arithmetic,
                                                       std::optional<double> bandwidth);

struct CaseVerdict {
    Verdict verdict = Verdict::NoEvidence;
    Reason reason = Reason::None;
    double adjustedPValue = 1;
};
// Of all tests of a pair of runs together, in their order. With a shift that the probes show too, cases are judged by
// what they moved beyond it.
[[nodiscard]] std::vector<CaseVerdict> judge(std::span<const PairTest> tests,
                                             const std::optional<MachineShift>& shift = std::nullopt);

}  // namespace steelyard::bench
