// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/implementation.h"

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

std::vector<Implementation> affordable(const Compiler& compiler, std::vector<Implementation> candidates) {
    std::erase_if(candidates, [&](const Implementation& candidate) {
        return !candidate.trial || !compiler.affords(candidate.scratchBytes);
    });
    return candidates;
}

std::string idsOf(const std::vector<Implementation>& candidates) {
    std::string ids;
    for (const auto& candidate : candidates) ids += candidate.id;
    return ids;
}

ChosenImplementation fastest(Tuner& tuner, const std::string& key, std::vector<Implementation> candidates,
                             double favour) {
    std::vector<TrialMaker> trials;
    for (const auto& candidate : candidates) trials.push_back(candidate.trial);
    const auto choice = tuner.fastest(key, trials, favour);
    return {std::move(candidates[static_cast<std::size_t>(choice.index)]), choice.seconds};
}

}  // namespace steelyard::compute::cpu
