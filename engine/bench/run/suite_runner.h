// SPDX-License-Identifier: Apache-2.0
// Runs a list of cases in several visits, each visit in its own child process: a crash, the OOM killer or a hang ends
// one case and not the run, and results account for variation between processes. Visits are interleaved: all cases
// once, then all again in another order (randomized multiple interleaved trials: A. Abedi, T. Brecht, "Conducting
// Repeatable Experiments in Highly Variable Cloud Computing Environments", ICPE 2017). The child is this program with
// the hidden command `run-case`, which reads case and protocol as JSON from standard input and prints events. One
// thread; does not throw.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

struct SuiteServices {
    std::filesystem::path executable;  // steelyard-cli
    Clock& clock;
    std::function<void(const Event&)> onEvent;  // all events, in order, with caseIndex set
    std::function<bool()> cancelled;            // called at least ten times per second
    // Called for each case after each visit; replaces the previous record of the case.
    std::function<void(const CaseRecord&)> onRecord;
    int usableThreads = 1;                         // of this computer, for cases without a thread count
    std::vector<std::string> childArguments = {};  // additional arguments of each measuring process
    std::vector<Variance> earlierVariances = {};   // visit variances of earlier runs on this computer
    Variance runEffect = kDefaultRunEffect;        // including earlier runs on this computer
    // Limit since the start: visits after the second that would end later are skipped, so that a suite ends in time on
    // slow computers too. Unset: no limit.
    std::optional<Seconds> timeBudget = {};
    // CPUs kept busy by other programs, queried before the first case; empty: measured for up to half a second.
    std::function<double()> otherCpus = {};
};

// `run` has id, suite, seed and so on; records are filled in the order of `cases`. Cases with too few visits get the
// missing ones. If the first visit fails, there is no other. On cancellation, cases not started have no record; one in
// its first visit is recorded as cancelled, one in a later visit keeps its results. finishedUnixMs is set unless
// cancelled.
void runSuite(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
              std::optional<double> estimateSeconds, const SuiteServices& services);

// Timeout of a case, including compiling, verification and warm-up.
[[nodiscard]] Seconds hardLimit(const Protocol& protocol);

// Environment of a child: the libraries' variables for the instruction set and the number of threads. On a busy machine
// waiting threads sleep: spinning would take CPU time from the thread they wait for.
[[nodiscard]] std::map<std::string, std::string> childEnvironment(const Case& spec, int usableThreads,
                                                                  bool busyMachine = false);

// Standard input of a child.
struct CaseSpec {
    Case spec;
    Protocol protocol;
    std::optional<RankSpec> rank;     // if it is one of several processes; `spec` is its part
    int visit = 0;                    // CaseServices::visit
    std::int64_t stepsPerSample = 0;  // CaseServices::stepsPerSample
};
[[nodiscard]] std::string toJson(const CaseSpec& order);
[[nodiscard]] Result<CaseSpec> caseSpecFromJson(std::string_view text);

// Twelve hexadecimal digits derived from clock and process id.
[[nodiscard]] std::string newRunId(const Clock& clock);

}  // namespace steelyard::bench
