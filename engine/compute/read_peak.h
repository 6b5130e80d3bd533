// SPDX-License-Identifier: Apache-2.0
// How fast a device reads its memory when it does nothing else: what bounds a step that passes once through weights
// that no cache holds, such as a token of a language model. A Backend may implement ReadPeak beside Backend; whoever
// wants it asks with readPeakOf(). Nothing of it is needed to run a plan.
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
    // byte/s of all threads together, each through its own part of `bytes` in order; nothing is written while the time
    // is taken. The best of several passes, about a tenth of a second in all beside the writing before. OutOfMemory:
    // so much is not free.
    [[nodiscard]] virtual Result<double> readPeak(std::int64_t bytes, const CompileOptions& options) = 0;
};

// Null where the backend measures none.
[[nodiscard]] inline ReadPeak* readPeakOf(Backend& backend) {
    return dynamic_cast<ReadPeak*>(&backend);
}

}  // namespace steelyard::compute
