// SPDX-License-Identifier: Apache-2.0
// Communication between the ranks of a data-parallel run. Calls are asynchronous on a stream; each rank makes the same
// calls in the same order. One thread at a time. Errors: BackendUnavailable if the library is missing, otherwise
// Internal with its message.
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
    // In place, Float32: the mean over the ranks, bitwise identical on all of them.
    [[nodiscard]] virtual Result<void> average(float* values, std::int64_t count, void* stream) = 0;
    // Aborts: this rank's pending operations end, and its destructor waits for nobody. The parent process ends the
    // other ranks.
    virtual void abort() = 0;
    // Copies bytes from rank `root` to all others.
    [[nodiscard]] virtual Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) = 0;
};

}  // namespace steelyard::compute
