// SPDX-License-Identifier: Apache-2.0
// The files from which an engine measures candidates: returns text, starts nothing. Every file limits what it starts: a
// timeout around the command, the engine's deadline, and tear-down. Paths in a file are relative to the campaign's
// folder, except for the program, the bundle and the results named by the delivery. All external text is quoted
// (quoting.h) or refused. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// Limit of indices in a Slurm array (MaxArraySize of slurm.conf, default value).
inline constexpr std::size_t kMaxArraySize = 1001;
// Time allowed for a machine to stop after its limit, and to start before the command's time counts.
inline constexpr int kKillAfterSeconds = 60, kStartSeconds = 600;
// A rented machine is released after this idle time.
inline constexpr int kIdleSeconds = 300;
// Exit code of timeout(1) after a timeout.
inline constexpr int kTimeIsUp = 124;

// File names in the campaign's folder.
inline constexpr std::string_view kCasesFile = "cases.json";
inline constexpr std::string_view kResultsFolder = "results";
inline constexpr std::string_view kLogsFolder = "logs";
inline constexpr std::string_view kJobLog = "joblog.tsv";  // of GNU parallel

struct TaskFile {
    std::string name;
    std::string content;
    bool executable = false;

    friend bool operator==(const TaskFile&, const TaskFile&) = default;
};

// For the launchable candidates; sets their taskFile and taskIndex. InvalidArgument: text that a file cannot contain, a
// missing image or program, a host where the engine takes none, or none where it needs one. Unsupported: a sweep on an
// engine without arrays.
[[nodiscard]] Result<std::vector<TaskFile>> taskFiles(Campaign& campaign);

// The program's arguments for measuring a candidate on its machine: {"campaign", "measure", ...}.
[[nodiscard]] std::vector<std::string> measureArguments(const Campaign& campaign, const Candidate& candidate);

}  // namespace steelyard::campaign
