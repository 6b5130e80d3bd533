// SPDX-License-Identifier: Apache-2.0
// For which steps a backend knows from earlier compilations, in other processes too, which of its kernels are fastest;
// for others it finds out first, and compiling takes longer. A Backend may implement KernelMemory beside Backend;
// whoever wants it asks with kernelMemoryOf().
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// What the kernels of a step depend on, in one line.
[[nodiscard]] inline std::string stepName(const plan::Plan& plan, int threads, std::string_view kernels) {
    return fmt::format("{} {} {} {} {} {}", plan.workload, toString(plan.options.mode), plan.options.batch,
                       toString(plan.options.precision), threads, kernels);
}

class KernelMemory {
public:
    KernelMemory() = default;
    KernelMemory(const KernelMemory&) = delete;
    KernelMemory& operator=(const KernelMemory&) = delete;
    virtual ~KernelMemory() = default;
    // By stepName, as it is now. Reads a small file. Any thread.
    [[nodiscard]] virtual std::set<std::string> knownSteps() const = 0;
};

// Null where nothing is tried.
[[nodiscard]] inline const KernelMemory* kernelMemoryOf(const Backend& backend) {
    return dynamic_cast<const KernelMemory*>(&backend);
}

}  // namespace steelyard::compute
