// SPDX-License-Identifier: Apache-2.0
// Writer for SkyPilot tasks (docs.skypilot.co, "SkyPilot YAML"), to be launched as managed jobs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/campaign/task_files/quoting.h"
#include "engine/campaign/task_files/writers.h"

namespace steelyard::campaign {
namespace {

constexpr std::string_view kBundleThere = "~/steelyard-bundle.tar.gz";
constexpr std::string_view kMountThere = "/steelyard-results";

// SkyPilot's name for a provider in the catalogue; others in lower case, like its catalogue folders.
std::string infraOf(const Placement& placement) {
    constexpr std::array kNames{std::pair{"Vast.ai", "vast"}, std::pair{"Lambda Labs", "lambda"}};
    std::string name = placement.provider;
    for (const auto& [ours, theirs] : kNames)
        if (placement.provider == ours) name = theirs;
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return placement.region.empty() ? name : name + "/" + placement.region;
}

std::string placementLines(const Placement& placement, std::string_view first, std::string_view next) {
    auto lines =
        fmt::format("{}infra: {}\n{}instance_type: {}\n{}use_spot: {}\n", first, yamlQuoted(infraOf(placement)), next,
                    yamlQuoted(placement.instance), next, placement.spot ? "true" : "false");
    // 10 % above the catalogue price: prices fluctuate slightly.
    if (placement.usdPerHour)
        lines += fmt::format("{}max_hourly_cost: {:.4f}\n", next, std::ceil(*placement.usdPerHour * 1.1e4) / 1e4);
    return lines;
}

}  // namespace

std::string skyPilotTask(const Campaign& campaign, const Candidate& candidate) {
    auto task = fmt::format("# {}\nname: {}\nnum_nodes: {}\nresources:\n", candidate.title,
                            yamlQuoted(jobName(campaign, &candidate)), candidate.nodes);
    if (candidate.placements.size() == 1) {
        task += placementLines(candidate.placements.front(), "  ", "  ");
    } else {
        task += candidate.ordered ? "  ordered:\n" : "  any_of:\n";
        for (const auto& placement : candidate.placements) task += placementLines(placement, "    - ", "      ");
    }
    // After errors only: managed jobs always recover from spot preemption.
    task += fmt::format(
        "  job_recovery:\n    max_restarts_on_errors: {}\n  autostop:\n    idle_minutes: {}\n    down: true\n",
        campaign.retries, kIdleSeconds / 60);
    const auto& delivery = campaign.delivery;
    std::string mounts;
    if (delivery.program.empty()) mounts += fmt::format("  {}: {}\n", kBundleThere, yamlQuoted(delivery.bundle));
    if (!delivery.results.empty())
        mounts += fmt::format("  {}:\n    source: {}\n    mode: MOUNT\n", kMountThere, yamlQuoted(delivery.results));
    if (!mounts.empty()) task += "file_mounts:\n" + mounts;
    const auto results = delivery.results.empty() ? std::string_view() : kMountThere;
    const auto script = programLines(delivery, "\"$HOME/steelyard-bundle.tar.gz\"") +
                        measureCommand(campaign, candidate, "\"$STEELYARD\"", results) + "\n" + exitLines();
    return task + "run: " + yamlBlock(script, 2);
}

}  // namespace steelyard::campaign
