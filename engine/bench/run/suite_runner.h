// SPDX-License-Identifier: Apache-2.0
// Runs a list of cases, each in a child process of its own, so that a crash, the out-of-memory killer or a hang ends
// one case and not the run. The child is this program again with the hidden command `run-case`: it reads a case and the
// protocol as JSON on its standard input and prints events. One thread; nothing is thrown.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/record/record.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

struct SuiteServices {
    std::filesystem::path executable;  // steelyard-cli
    Clock& clock;
    std::function<void(const Event&)> onEvent;        // all events, in order, caseIndex filled in
    std::function<bool()> cancelled;                  // asked at least ten times a second
    std::function<void(const CaseRecord&)> onRecord;  // each finished case, at once: store it here
    int usableThreads = 1;                            // of this computer, for cases that leave the number open
    std::vector<std::string> childArguments = {};     // of each measuring process, beside the command
};

// `run` comes with id, suite, seed and so on; its records are filled in the order of `cases`. Cases not reached when
// the run is cancelled have no record; the one under way is recorded as cancelled. finishedUnixMs is set unless
// cancelled.
void runSuite(RunRecord& run, const std::vector<Case>& cases, const Protocol& protocol,
              std::optional<double> estimateSeconds, const SuiteServices& services);

// A case may take this long altogether: compiling, checking and warming up included.
[[nodiscard]] Seconds hardLimit(const Protocol& protocol);

// The libraries' own switches for an instruction set, and the threads, as environment variables of the child.
[[nodiscard]] std::map<std::string, std::string> childEnvironment(const Case& spec, int usableThreads);

// What a child reads.
struct CaseSpec {
    Case spec;
    Protocol protocol;
    std::optional<RankSpec> rank;  // one of several processes; `spec` is its part
};
[[nodiscard]] std::string toJson(const CaseSpec& order);
[[nodiscard]] Result<CaseSpec> caseSpecFromJson(std::string_view text);

// Twelve hexadecimal digits from the clock and the process.
[[nodiscard]] std::string newRunId(const Clock& clock);

}  // namespace steelyard::bench
