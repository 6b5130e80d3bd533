// SPDX-License-Identifier: Apache-2.0
// The files by which an engine measures candidates: text out, nothing is started. Every file caps what it starts: a
// timeout around the command, the engine's own deadline, and tear-down. Paths within a file are relative to the
// campaign's folder, but for the program, the bundle and the results that the delivery names. All text of others is
// quoted (quoting.h) or refused. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// Elements of a Slurm array: indices from 0 below this (MaxArraySize of slurm.conf, whose default this is).
inline constexpr std::size_t kMaxArraySize = 1001;
// What a machine may take to stop after its time is up, and to start before the clock of the command runs.
inline constexpr int kKillAfterSeconds = 60, kStartSeconds = 600;
// A rented machine that has nothing to do is given back after this.
inline constexpr int kIdleSeconds = 300;
// What timeout(1) ends with when the time was up.
inline constexpr int kTimeIsUp = 124;

// Names within the campaign's folder.
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

// Of the candidates that can be launched; sets their taskFile and taskIndex. InvalidArgument: a text that no file can
// hold, a missing image or program, a host or nothing where the engine needs the other. Unsupported: a sweep on an
// engine without arrays.
[[nodiscard]] Result<std::vector<TaskFile>> taskFiles(Campaign& campaign);

// The arguments after the program that measure a candidate on its machine: {"campaign", "measure", ...}.
[[nodiscard]] std::vector<std::string> measureArguments(const Campaign& campaign, const Candidate& candidate);

}  // namespace steelyard::campaign
