// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/advisor/rank/ranking.h"

namespace steelyard::advisor {

// Inputs, no rules of their own: each can be set by hand to the same effect.
const std::vector<Persona>& personas() {
    static const std::vector<Persona> kPersonas{
        // Starts a job in the evening and wants it done for breakfast, for little.
        {.id = "overnight_hobbyist",
         .priority = Priority::Cheapest,
         .deadlineHours = 10,
         .spot = false,
         .utilization = 0.10},
        // An hour of waiting costs more than an hour of machine.
        {.id = "professional", .priority = Priority::Balanced, .timeWeight = 2, .utilization = 0.40},
        {.id = "beginner", .priority = Priority::Cheapest, .budgetUsd = 10, .spot = true, .utilization = 0.05},
        // Many tries before a date.
        {.id = "competition", .priority = Priority::Fastest, .budgetUsd = 100, .spot = true, .utilization = 0.30},
        {.id = "researcher", .priority = Priority::Balanced, .timeWeight = 1, .spot = true, .utilization = 0.50},
        // The machines run day and night; what counts is work for money.
        {.id = "team", .priority = Priority::Balanced, .timeWeight = 0.5, .utilization = 0.85},
    };
    return kPersonas;
}

const Persona* findPersona(std::string_view id) {
    const auto found = std::ranges::find(personas(), id, &Persona::id);
    return found == personas().end() ? nullptr : &*found;
}

void apply(const Persona& persona, AdviceRequest& request) {
    request.priority = persona.priority;
    request.timeWeight = persona.timeWeight;
    request.budgetUsd = persona.budgetUsd;
    request.deadlineHours = persona.deadlineHours;
    request.spot = persona.spot;
}

}  // namespace steelyard::advisor
