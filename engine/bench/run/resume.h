// SPDX-License-Identifier: Apache-2.0
// Resuming an interrupted run: its specification, stored with it from the start, and whether this program on this
// computer may measure the rest. All cases of a run must come from one machine and program version to be comparable.
// Pure functions, except processIdentity().
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
    std::vector<Case> cases;  // in execution order
    Protocol protocol;
    std::string process;  // the measuring process: processIdentity()

    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};
[[nodiscard]] std::string toJson(const RunSpec& order);
[[nodiscard]] Result<RunSpec> runSpecFromJson(std::string_view text);

// Cases without a record, with a cancelled one, or with too few visits; in order.
[[nodiscard]] std::vector<Case> missingCases(const RunSpec& order, const std::vector<CaseRecord>& records);

struct ResumeFacts {
    std::string_view suiteVersion, programVersion, gitRevision;
    const hardware::HardwareProfile& profile;
    std::string_view process;  // of the specification if that process is alive; otherwise empty
};
// Unsupported with the reason: the run is finished, imported, in progress, or was started by another version or on
// another computer (processor, allowed cores, memory or GPUs differ).
[[nodiscard]] Result<void> checkResumable(const RunRecord& run, const ResumeFacts& here);

// Unique identification of a process: id, start time and boot id. Empty if there is no such process.
[[nodiscard]] std::string processIdentity(long processId);
// Whether the process is still running.
[[nodiscard]] bool isAlive(std::string_view mark);

}  // namespace steelyard::bench
