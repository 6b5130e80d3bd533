// SPDX-License-Identifier: Apache-2.0
// Private to this folder: one writer for each engine, and what they share. Their input has been checked
// (task_files.cpp).
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/task_files.h"

namespace steelyard::campaign {

using Candidates = std::vector<const Candidate*>;

// "timeout --signal=TERM --kill-after=60 1800"
[[nodiscard]] std::vector<std::string> timeoutWords(const Candidate& candidate);
// The whole command: timeout, program, arguments, and where results go. `program` is a word of the shell.
[[nodiscard]] std::string measureCommand(const Campaign& campaign, const Candidate& candidate, std::string_view program,
                                         std::string_view results);
// Lines of a shell that set STEELYARD to the program: as named, or unpacked from the bundle at this place after its
// checksum was compared.
[[nodiscard]] std::string programLines(const Delivery& delivery, std::string_view bundleThere);
// Lines after the command that end a script with its exit code, but with 0 in the place of 2 (cannot fit) and of the
// end of its time, which no repetition changes: the result says so.
[[nodiscard]] std::string exitLines();

// "cases.json", or of an array of chunks that were planned or are launched later "cases-17.json": an earlier array may
// still read its own files.
[[nodiscard]] std::string arrayFile(const Candidates& chunks, std::string_view name);
// Likewise the name of its job.
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

// Those of Open MPI by which a lost machine ends the command within seconds instead of never, and waiting processes
// leave their core to others.
[[nodiscard]] std::vector<std::string> mpirunWords(const Delivery& delivery, int nodes);

}  // namespace steelyard::campaign
