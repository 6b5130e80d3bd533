// SPDX-License-Identifier: Apache-2.0
// The ranks of a data-parallel run as one of them sees the others. Calls put work into a stream and return; each rank
// makes the same calls in the same order. Belongs to one thread at a time.
// Errors: BackendUnavailable where the library is missing, Internal with its words otherwise.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/core/error.h"

namespace steelyard::compute {

class Communicator {
public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    // Float32 in place: every rank gets the mean over the ranks, the same bits everywhere.
    [[nodiscard]] virtual Result<void> average(float* values, std::int64_t count, void* stream) = 0;
    // This rank cannot go on: its part in what is under way ends, and it waits for nobody when it goes. Whoever started
    // the ranks ends the others.
    virtual void giveUp() = 0;
    // Bytes of rank `root` to all others.
    [[nodiscard]] virtual Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) = 0;
};

}  // namespace steelyard::compute
