// SPDX-License-Identifier: Apache-2.0
// Read bandwidth of a device's memory: bounds steps that read weights larger than any cache once, such as a token of a
// language model. Optional interface of a Backend, obtained with readBandwidthOf(); not needed to run a plan.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

class ReadBandwidth {
public:
    ReadBandwidth() = default;
    ReadBandwidth(const ReadBandwidth&) = delete;
    ReadBandwidth& operator=(const ReadBandwidth&) = delete;
    virtual ~ReadBandwidth() = default;
    // byte/s of all threads, each reading its part of `bytes` sequentially, without writes. Median of passes of about a
    // third of a second in addition to the initialization: on a machine shared with others, no step keeps up the speed
    // of the fastest pass. OutOfMemory if the memory is not available.
    [[nodiscard]] virtual Result<double> readBandwidth(std::int64_t bytes, const CompileOptions& options) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline ReadBandwidth* readBandwidthOf(Backend& backend) {
    return dynamic_cast<ReadBandwidth*>(&backend);
}

}  // namespace steelyard::compute
