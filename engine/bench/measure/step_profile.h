// SPDX-License-Identifier: Apache-2.0
// Time per operation of a step: the backend's profiling hook (compute::CompileOptions::profile) times each operation,
// in an executable compiled for this purpose, so that a case's samples are not affected. One thread.
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
    Seconds time{2};                // total time of profiled steps; the current step is completed
    std::int64_t minimumSteps = 3;  // in addition to a first, uncounted one that touches the memory
    std::int64_t maximumSteps = 10'000;
};

// Runs steps, numbered from 1, and returns their mean time, without operations. Errors: Cancelled between steps; those
// of the step.
[[nodiscard]] Result<StepProfile> profiledSteps(const std::function<Result<void>(std::int64_t index)>& step,
                                                const Clock& clock, const std::function<bool()>& cancelled,
                                                const ProfileLimits& limits);

// Compiles the plan with profiling and runs steps on synthetic data from options.seed. Errors: Unsupported if the
// backend has no profiling; Cancelled between steps; those of compiling and running.
[[nodiscard]] Result<StepProfile> profileStep(compute::Backend& backend, const std::shared_ptr<const plan::Plan>& plan,
                                              compute::CompileOptions options, const Clock& clock,
                                              const std::function<bool()>& cancelled, const ProfileLimits& limits = {});

struct ProfileShare {
    std::string what;    // "convolution"; "between operations"
    double seconds = 0;  // mean per step
    double share = 0;    // of StepProfile::stepSeconds
};
// Sums over operations of one kind, largest first; time between operations comes last. Shares add up to 1.
[[nodiscard]] std::vector<ProfileShare> sharesByKind(const StepProfile& profile);

}  // namespace steelyard::bench
