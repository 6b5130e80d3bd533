// SPDX-License-Identifier: Apache-2.0
// Finishing an interrupted run: what it was to measure, kept with it from the start, and whether this program on this
// computer may measure the rest. Cases of one run must come from one machine and one version, or they could not be set
// side by side. Pure, but for processMark().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

struct RunSpec {
    std::vector<Case> cases;  // in order of execution
    Protocol protocol;
    std::string process;  // who measures: processMark()

    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};
[[nodiscard]] std::string toJson(const RunSpec& order);
[[nodiscard]] Result<RunSpec> runSpecFromJson(std::string_view text);

// The cases that have no record yet, only a cancelled one, or one with too few visits; in order.
[[nodiscard]] std::vector<Case> missingCases(const RunSpec& order, const std::vector<CaseRecord>& records);

struct ResumeFacts {
    std::string_view suiteVersion, programVersion, gitRevision;
    const hardware::HardwareProfile& profile;
    std::string_view process;  // of the order when it still lives; else empty
};
// Unsupported says what forbids it: the run is finished, imported, still under way, or was begun by another version
// or on another computer (the processor, the cores it may use, memory or GPUs differ).
[[nodiscard]] Result<void> checkResumable(const RunRecord& run, const ResumeFacts& here);

// A process for as long as it lives: its id, when it was started, and the boot. Empty when there is no such process.
[[nodiscard]] std::string processMark(long processId);
// Whether the process of this mark still lives.
[[nodiscard]] bool isAlive(std::string_view mark);

}  // namespace steelyard::bench
