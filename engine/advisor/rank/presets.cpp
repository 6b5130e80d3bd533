// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

// Presets of the request; every value can also be set manually.
const std::vector<Preset>& presets() {
    static const std::vector<Preset> kPresets{
        // An overnight job at low cost.
        {.id = "overnight_hobbyist",
         .priority = Priority::Cheapest,
         .deadlineHours = 10,
         .spot = false,
         .utilization = 0.10},
        // Waiting time costs more than machine time.
        {.id = "professional", .priority = Priority::Balanced, .timeWeight = 2, .utilization = 0.40},
        {.id = "beginner", .priority = Priority::Cheapest, .budgetUsd = 10, .spot = true, .utilization = 0.05},
        // Many experiments before a deadline.
        {.id = "competition", .priority = Priority::Fastest, .budgetUsd = 100, .spot = true, .utilization = 0.30},
        {.id = "researcher", .priority = Priority::Balanced, .timeWeight = 1, .spot = true, .utilization = 0.50},
        // Machines in continuous use; throughput per dollar counts.
        {.id = "team", .priority = Priority::Balanced, .timeWeight = 0.5, .utilization = 0.85},
    };
    return kPresets;
}

const Preset* findPreset(std::string_view id) {
    const auto found = std::ranges::find(presets(), id, &Preset::id);
    return found == presets().end() ? nullptr : &*found;
}

void apply(const Preset& preset, AdviceRequest& request) {
    request.priority = preset.priority;
    request.timeWeight = preset.timeWeight;
    request.budgetUsd = preset.budgetUsd;
    request.deadlineHours = preset.deadlineHours;
    request.spot = preset.spot;
}

}  // namespace steelyard::advisor
