// SPDX-License-Identifier: Apache-2.0
// The steps whose fastest kernels a backend knows from earlier compilations, including other processes; for others it
// selects them first, which takes longer. Optional interface of a Backend, obtained with kernelMemoryOf().
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Identifies what the kernels of a step depend on, in one line.
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
    // Current names by stepName. Reads a small file. Any thread.
    [[nodiscard]] virtual std::set<std::string> knownSteps() const = 0;
};

// Null if the backend does not select kernels by trial.
[[nodiscard]] inline const KernelMemory* kernelMemoryOf(const Backend& backend) {
    return dynamic_cast<const KernelMemory*>(&backend);
}

}  // namespace steelyard::compute
