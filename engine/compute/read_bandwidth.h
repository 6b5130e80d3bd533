// SPDX-License-Identifier: Apache-2.0
// Read bandwidth of a device's memory: bounds steps that read weights larger than any cache once, such as a token of a
// language model. Optional interface of a Backend, obtained with readPeakOf(); not needed to run a plan.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

class ReadPeak {
public:
    ReadPeak() = default;
    ReadPeak(const ReadPeak&) = delete;
    ReadPeak& operator=(const ReadPeak&) = delete;
    virtual ~ReadPeak() = default;
    // byte/s of all threads, each reading its part of `bytes` sequentially, without writes. Best of several passes,
    // about a tenth of a second in addition to the initialization. OutOfMemory if the memory is not available.
    [[nodiscard]] virtual Result<double> readPeak(std::int64_t bytes, const CompileOptions& options) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline ReadPeak* readPeakOf(Backend& backend) {
    return dynamic_cast<ReadPeak*>(&backend);
}

}  // namespace steelyard::compute
