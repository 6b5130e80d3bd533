// SPDX-License-Identifier: Apache-2.0
// Private to this folder: one writer per engine, and shared parts. Their input has been validated (task_files.cpp).
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/task_files/task_files.h"

namespace steelyard::campaign {

using Candidates = std::vector<const Candidate*>;

// "timeout --signal=TERM --kill-after=60 1800"
[[nodiscard]] std::vector<std::string> timeoutWords(const Candidate& candidate);
// The whole command: timeout, program, arguments, and redirection of results. `program` is a shell word.
[[nodiscard]] std::string measureCommand(const Campaign& campaign, const Candidate& candidate, std::string_view program,
                                         std::string_view results);
// Shell lines that set STEELYARD to the program: the named one, or the one unpacked from the bundle after verifying its
// checksum.
[[nodiscard]] std::string programLines(const Delivery& delivery, std::string_view bundleThere);
// Shell lines that end a script with the command's exit code, but with 0 instead of 2 (cannot fit) and of a timeout,
// which a retry would not change: the result states it.
[[nodiscard]] std::string exitLines();

// "cases.json"; for an array of chunks planned or launched later "cases-17.json", since an earlier array may still read
// its files.
[[nodiscard]] std::string arrayFile(const Candidates& chunks, std::string_view name);
// Likewise the job name.
[[nodiscard]] std::string arrayJob(const Campaign& campaign, const Candidates& chunks);

[[nodiscard]] std::string skyPilotTask(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::string slurmScript(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::string slurmArray(const Campaign& campaign, const Candidates& chunks);
[[nodiscard]] std::string kubernetesJob(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::string kubernetesArray(const Campaign& campaign, const Candidates& chunks, std::string_view cases);
[[nodiscard]] std::string mpiJob(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::vector<TaskFile> mpirunFiles(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::string localScript(const Campaign& campaign, const Candidate& candidate);
[[nodiscard]] std::vector<TaskFile> parallelFiles(const Campaign& campaign, const Candidates& candidates);
[[nodiscard]] std::vector<TaskFile> parallelSweepFiles(const Campaign& campaign, const Candidates& chunks);

// Options of Open MPI that end the command within seconds after a machine is lost instead of hanging, and make waiting
// processes yield their core.
[[nodiscard]] std::vector<std::string> mpirunWords(const Delivery& delivery, int nodes);

}  // namespace steelyard::campaign
