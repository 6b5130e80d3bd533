// SPDX-License-Identifier: Apache-2.0
// Writer for Slurm batch scripts (sbatch(1)). They are submitted with --chdir, so paths are relative to the campaign's
// folder, which must be visible to all nodes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/writers.h"
#include "engine/core/device_id.h"

namespace steelyard::campaign {
namespace {

std::string slurmHeader(const Campaign& campaign, const Candidate& candidate, std::string_view name) {
    const auto& delivery = campaign.delivery;
    const auto minutes = std::ceil((candidate.capSeconds + 2 * kKillAfterSeconds) / 60);
    auto lines = fmt::format(
        "#!/bin/bash\n#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n#SBATCH --time={:.0f}\n"
        "#SBATCH --exclusive\n#SBATCH --mem={}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
        name, candidate.nodes, minutes, delivery.memoryMb);
    if (!delivery.partition.empty()) lines += fmt::format("#SBATCH --partition={}\n", delivery.partition);
    if (!delivery.account.empty()) lines += fmt::format("#SBATCH --account={}\n", delivery.account);
    // Chunks run on any free node.
    if (!candidate.host.empty() && candidate.cases.empty())
        lines += fmt::format("#SBATCH --nodelist={}\n", candidate.host);
    const int gpus = std::max(candidate.gpus, DeviceId::parse(candidate.device).isGpu() ? 1 : 0);
    if (gpus > 0) lines += fmt::format("#SBATCH --gres=gpu:{}\n", gpus);
    return lines;
}

std::string slurmBody(const Campaign& campaign, const Candidate& candidate, std::string_view array) {
    const auto& delivery = campaign.delivery;
    auto script = programLines(delivery, shellQuoted(delivery.bundle));
    if (candidate.nodes > 1) script += "srun --ntasks-per-node=1 ";
    script += measureCommand(campaign, candidate, "\"$STEELYARD\"",
                             delivery.results.empty() ? kResultsFolder : std::string_view(delivery.results));
    script += array;
    script +=
        "\ncode=$?\n"
        "# 0: measured; 2: the job does not fit this machine; 124: its time is up. Another attempt would not help.\n";
    script += fmt::format(
        "case $code in\n  0|2|{}) ;;\n  *)\n    if [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {} ]; then\n"
        "      scontrol requeue \"$SLURM_JOB_ID\" && sleep {}\n    fi ;;\nesac\nexit \"$code\"\n",
        kTimeIsUp, campaign.retries, kKillAfterSeconds);
    return script;
}

}  // namespace

std::string slurmScript(const Campaign& campaign, const Candidate& candidate) {
    return slurmHeader(campaign, candidate, jobName(campaign, &candidate)) +
           fmt::format("#SBATCH --output={}/%j.log\n# {}\n", kLogsFolder, candidate.title) +
           slurmBody(campaign, candidate, {});
}

std::string slurmArray(const Campaign& campaign, const Candidates& chunks) {
    // The time limit is that of the longest chunk; each task reads its cases.
    auto any = **std::ranges::max_element(chunks, {}, [](const Candidate* chunk) { return chunk->capSeconds; });
    any.id = "auto";
    return slurmHeader(campaign, any, arrayJob(campaign, chunks)) +
           fmt::format("#SBATCH --array=0-{}\n#SBATCH --output={}/%A_%a.log\n", chunks.size() - 1, kLogsFolder) +
           slurmBody(campaign, any,
                     fmt::format(" --cases {} --index \"$SLURM_ARRAY_TASK_ID\"", arrayFile(chunks, kCasesFile)));
}

}  // namespace steelyard::campaign
