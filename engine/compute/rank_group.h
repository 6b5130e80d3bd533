// SPDX-License-Identifier: Apache-2.0
// Data parallelism of a Backend: several processes, each with its own device and part of the batch, average their
// gradients in each step. Such a Backend creates executables that are RankedExecutable.
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
    std::string rendezvousFolder;      // private to this run; the ranks' rendezvous
    std::optional<Bytes> bucketBytes;  // size of a complete bucket (parallel/bucket_plan.h); unset: its defaults

    friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

struct ExchangeTimes {
    double exchangeSeconds = 0;  // all exchanges of a step, without overlap
    double computeSeconds = 0;   // a step without exchange
    std::int64_t bytes = 0;      // exchanged by each rank per step
    int exchanges = 0;           // per step
};

// Optional interface of an Executable of one rank. A step is collective: it averages gradients and loss. Weights and
// optimizer states are those of rank 0, from the first step on and whenever they were written. All calls here are
// collective, too, and made in the same order; if a rank is gone, calls of the others fail or never return, so the
// parent process must end the ranks together.
class RankedExecutable {
public:
    RankedExecutable() = default;
    RankedExecutable(const RankedExecutable&) = delete;
    RankedExecutable& operator=(const RankedExecutable&) = delete;
    virtual ~RankedExecutable() = default;

    // Broadcasts rank 0's value.
    [[nodiscard]] virtual Result<std::int64_t> valueOfRankZero(std::int64_t value) = 0;
    // Runs a few exchanges and steps, which modify the weights.
    [[nodiscard]] virtual Result<ExchangeTimes> exchangeTimes() = 0;
};

}  // namespace steelyard::compute
