// SPDX-License-Identifier: Apache-2.0
// The number of threads of a step. A region of several threads costs some microseconds, more than it saves in a tiny
// step: such a step is tried with all threads and with one.
#pragma once

#include <functional>
#include <memory>

#include "engine/compute/backend.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// Compiles the step for a number of threads.
using StepBuilder = std::function<Result<std::unique_ptr<Executable>>(int threads)>;

// options.threads or 1. `build` is called for steps without a known choice that are small enough for one thread to be
// faster, unless the tuner makes no trials. Steps of several ranks always use all threads.
[[nodiscard]] int threadsOfStep(Tuner& tuner, const plan::Plan& plan, const CompileOptions& options,
                                const StepBuilder& build);

}  // namespace steelyard::compute::cpu
