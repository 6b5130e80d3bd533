// SPDX-License-Identifier: Apache-2.0
// Where the time of a step goes: the backend's own hook (compute::CompileOptions::profile) times each operation, on an
// executable compiled for this alone, so that the samples of a case stay free of it. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

struct ProfileLimits {
    Seconds time{2};                // of profiled steps; the step under way is finished
    std::int64_t minimumSteps = 3;  // besides one that touches the memory first and is not counted
    std::int64_t maximumSteps = 10'000;
};

// Runs steps, numbered from 1, and takes the mean of their time; no operations yet. Cancelled between steps, errors of
// the step.
[[nodiscard]] Result<StepProfile> profiledSteps(const std::function<Result<void>(std::int64_t index)>& step,
                                                const Clock& clock, const std::function<bool()>& cancelled,
                                                const ProfileLimits& limits);

// Compiles the plan with profiling and runs steps on synthetic data of options.seed. Unsupported when the backend gives
// no times; Cancelled between steps; otherwise the errors of compiling and running.
[[nodiscard]] Result<StepProfile> profileStep(compute::Backend& backend, const std::shared_ptr<const plan::Plan>& plan,
                                              compute::CompileOptions options, const Clock& clock,
                                              const std::function<bool()>& cancelled, const ProfileLimits& limits = {});

struct ProfileShare {
    std::string what;    // "convolution"; "between operations"
    double seconds = 0;  // mean per step
    double share = 0;    // of StepProfile::stepSeconds
};
// Sums over the operations of one kind, largest first; what is spent between operations comes last. The shares add up
// to 1.
[[nodiscard]] std::vector<ProfileShare> sharesByKind(const StepProfile& profile);

}  // namespace steelyard::bench
