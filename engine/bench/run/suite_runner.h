// SPDX-License-Identifier: Apache-2.0
// Runs a list of cases, each in several visits and each visit in a child process of its own, so that a crash, the
// out-of-memory killer or a hang ends one case and not the run, and so that figures hold for the next process too.
// Visits are interleaved: all cases once, then all cases again in another order (randomised multiple interleaved
// trials: A. Abedi, T. Brecht, "Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments",
// ICPE 2017). The child is this program again with the hidden command `run-case`: it reads a case and the protocol as
// JSON on its standard input and prints events. One thread; nothing is thrown.
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
    std::function<void(const Event&)> onEvent;  // all events, in order, caseIndex filled in
    std::function<bool()> cancelled;            // asked at least ten times a second
    // Each case after each visit, at once: store it here, in the place of what it was before.
    std::function<void(const CaseRecord&)> onRecord;
    int usableThreads = 1;                         // of this computer, for cases that leave the number open
    std::vector<std::string> childArguments = {};  // of each measuring process, beside the command
    std::vector<Variance> earlierVariances = {};   // between visits, of earlier runs on this computer
    Variance runEffect = kUsualRunEffect;          // with what earlier runs on this computer show
    // Since the start; a visit after the second that would end later is left out, so that people wait no longer than a
    // suite promises, on slow computers too. Unset: every visit is made.
    std::optional<Seconds> timeBudget = {};
    // CPUs that other programs keep busy, asked before the first case; empty: measured for up to half a second.
    std::function<double()> otherCpus = {};
};

// `run` comes with id, suite, seed and so on; its records are filled in the order of `cases`. A case of which it has a
// record with too few visits already gets the missing ones. A case whose first visit fails gets no other. Cases not
// reached when the run is cancelled have no record; one under way in its first visit is recorded as cancelled, one in a
// later visit keeps what it has. finishedUnixMs is set unless cancelled.
void runSuite(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
              std::optional<double> estimateSeconds, const SuiteServices& services);

// A case may take this long altogether: compiling, checking and warming up included.
[[nodiscard]] Seconds hardLimit(const Protocol& protocol);

// The libraries' own switches for an instruction set, and the threads, as environment variables of the child. On a busy
// machine threads that wait for each other sleep: spinning, they would take the processor from the thread that they
// wait for.
[[nodiscard]] std::map<std::string, std::string> childEnvironment(const Case& spec, int usableThreads,
                                                                  bool busyMachine = false);

// What a child reads.
struct CaseSpec {
    Case spec;
    Protocol protocol;
    std::optional<RankSpec> rank;     // one of several processes; `spec` is its part
    int visit = 0;                    // CaseServices::visit
    std::int64_t stepsPerSample = 0;  // CaseServices::stepsPerSample
};
[[nodiscard]] std::string toJson(const CaseSpec& order);
[[nodiscard]] Result<CaseSpec> caseSpecFromJson(std::string_view text);

// Twelve hexadecimal digits from the clock and the process.
[[nodiscard]] std::string newRunId(const Clock& clock);

}  // namespace steelyard::bench
