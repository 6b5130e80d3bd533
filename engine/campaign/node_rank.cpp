// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/node_rank.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

struct RankVariables {
    const char* rank;
    const char* size;  // null: not set by this launcher
};

// mpirun(1) of Open MPI 4, PMIx, srun(1), docs.skypilot.co "Distributed jobs", Kubernetes' Indexed Jobs.
constexpr std::array kVariables{
    RankVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, RankVariables{"PMIX_RANK", nullptr},
    RankVariables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, RankVariables{"SKYPILOT_NODE_RANK", "SKYPILOT_NUM_NODES"},
    RankVariables{"JOB_COMPLETION_INDEX", nullptr}};

std::optional<int> numberIn(const Environment& environment, const char* name) {
    const char* text = name == nullptr ? nullptr : environment(name);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 0) return std::nullopt;
    return number;
}

}  // namespace

Result<int> nodeRank(int nodes, const Environment& environment) {
    if (nodes <= 1) return 0;
    for (const auto& variables : kVariables) {
        const auto rank = numberIn(environment, variables.rank);
        if (!rank) continue;
        if (numberIn(environment, variables.size).value_or(nodes) < nodes || *rank >= nodes) break;
        return *rank;
    }
    return fail(ErrorKind::InvalidArgument, "--nodes", messages::groupOfOne(nodes));
}

}  // namespace steelyard::campaign
