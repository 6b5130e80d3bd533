// SPDX-License-Identifier: Apache-2.0
// "Is this machine, or a card bought used, sound?": memory patterns, every operation against the reference, sustained
// load. Each part runs in its own child process, like measured cases: a crash ends one part and is itself a finding.
// runCheckTask is the child's side, runCheck the parent's. One thread each; do not throw.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/bench/check/check_report.h"
#include "engine/bench/check/load_test.h"
#include "engine/compute/raw_memory.h"
#include "engine/core/clock.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {
class ManagementLibrary;
}

namespace steelyard::bench {

// Main memory, then for each device its own memory, its operations, and load.
[[nodiscard]] std::vector<CheckTask> checkTasks(const std::vector<compute::Device>& devices, double loadSeconds,
                                                double memoryBytes);

struct CheckTaskServices {
    compute::Backend* backend = nullptr;  // of the task's device; null for main memory
    compute::Backend& reference;
    const hardware::HardwareProfile& profile;
    Clock& clock;
    std::function<void(double fraction)> onProgress = {};
    std::function<bool()> cancelled = {};
    std::shared_ptr<hardware::ManagementLibrary> management = {};
    // In place of the computer's sensors and memory.
    std::function<LoadReading()> sense = {};
    std::function<Result<std::unique_ptr<compute::RawMemory>>(Bytes)> allocateMain = {};
};
[[nodiscard]] CheckPart runCheckTask(const CheckTask& task, const CheckTaskServices& services);

struct CheckServices {
    std::filesystem::path executable;  // steelyard-cli, with the hidden command check-part
    Clock& clock;
    std::function<void(const CheckEvent&)> onEvent = {};
    std::function<bool()> cancelled = {};  // called at least ten times per second
    std::vector<std::string> childArguments = {};
};
// `report` has computer and so on; its parts are filled. On cancellation the part in progress is kept as cancelled,
// later ones are missing, and finishedUnixMs stays unset.
void runCheck(CheckReport& report, const std::vector<CheckTask>& tasks, const CheckServices& services);

// The last report is kept in a file beside the history, check.json. NotFound if there is none.
[[nodiscard]] std::filesystem::path checkFileBeside(const std::filesystem::path& historyFile);
[[nodiscard]] Result<CheckReport> loadCheckReport(const std::filesystem::path& file);
[[nodiscard]] Result<void> saveCheckReport(const CheckReport& report, const std::filesystem::path& file);

}  // namespace steelyard::bench
