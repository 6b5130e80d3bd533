// SPDX-License-Identifier: Apache-2.0
// Data parallelism as a Backend offers it: several processes, each with a device of its own and a part of the batch,
// average their gradients in each step. A Backend that can do it makes executables that are RankedExecutable too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/error.h"
#include "engine/core/units.h"

namespace steelyard::compute {

struct RankGroup {
    int rank = 0;                      // 0 .. size - 1
    int size = 1;                      // how many processes there are
    std::string meetingFolder;         // of this run alone: how the ranks find each other
    std::optional<Bytes> bucketLimit;  // of what is exchanged at once (parallel/bucket_plan.h); its default when unset

    friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

struct ExchangeTimes {
    double exchangeSeconds = 0;  // of all exchanges of a step, one after the other with nothing beside them
    double computeSeconds = 0;   // of a step that exchanges nothing
    std::int64_t bytes = 0;      // that each rank hands over in a step
    int exchanges = 0;           // in a step
};

// What an Executable of a rank can do beside its steps, each of which is one of all ranks together: it averages the
// gradients and the loss. Weights and optimiser states are rank 0's, from the first step on and whenever they were
// written. Every call here is one of all ranks too, made in the same order by each; a rank that is gone makes the
// others' calls fail or never return, so whoever starts the ranks ends them together.
class RankedExecutable {
public:
    RankedExecutable() = default;
    RankedExecutable(const RankedExecutable&) = delete;
    RankedExecutable& operator=(const RankedExecutable&) = delete;
    virtual ~RankedExecutable() = default;

    // What rank 0 gave.
    [[nodiscard]] virtual Result<std::int64_t> fromFirst(std::int64_t value) = 0;
    // Runs a few exchanges and a few steps for it, so the weights are not what the steps before left.
    [[nodiscard]] virtual Result<ExchangeTimes> exchangeTimes() = 0;
};

}  // namespace steelyard::compute
