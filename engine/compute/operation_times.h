// SPDX-License-Identifier: Apache-2.0
// Combines the parts of one operation, such as a conversion and the kernel, or the products of each time step, into one
// line of a profile. Called by backends for their tasks in order.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Adds to the last line if it is of the same operation; each kernel is named once, in order of first use:
// "native:steps_first + brg:avx512_core_bf16 + native:gates".
inline void addTime(std::vector<OperationTime>& times, int operation, double seconds, const std::string& kernel) {
    static const std::string kBetween = " + ";
    if (times.empty() || times.back().operation != operation) {
        times.push_back({operation, seconds, kernel});
        return;
    }
    auto& line = times.back();
    line.seconds += seconds;
    const auto named = kBetween + line.kernel + kBetween;
    if (named.find(kBetween + kernel + kBetween) == std::string::npos) line.kernel += kBetween + kernel;
}

}  // namespace steelyard::compute
