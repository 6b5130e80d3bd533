// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/step_profile.h"

#include <algorithm>

#include "engine/compute/step_values.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

ProfiledOperation named(const plan::Operation& operation, const compute::OperationTime& time) {
    ProfiledOperation result;
    result.name = operation.name;
    result.kind = std::string(plan::toString(operation.kind));
    result.pass = std::string(plan::toString(operation.pass));
    result.kernel = time.kernel;
    result.seconds = time.seconds;
    if (operation.flops > 0) result.flops = operation.flops;
    return result;
}

// The backend's means cover all steps since compilation; removes the first one.
void removeFirst(std::vector<compute::OperationTime>& times, const std::vector<compute::OperationTime>& first,
                 std::int64_t countedSteps) {
    const auto counted = static_cast<double>(countedSteps);
    for (std::size_t i = 0; i < times.size() && i < first.size(); ++i)
        times[i].seconds = std::max(0.0, (times[i].seconds * (counted + 1) - first[i].seconds) / counted);
}

}  // namespace

Result<StepProfile> profiledSteps(const std::function<Result<void>(std::int64_t)>& step, const Clock& clock,
                                  const std::function<bool()>& cancelled, const ProfileLimits& limits) {
    StepProfile profile;
    const auto start = clock.nowNanoseconds();
    double spent = 0;
    while (profile.steps < limits.minimumSteps ||
           (spent < limits.time.value() && profile.steps < limits.maximumSteps)) {
        if (cancelled()) return fail(ErrorKind::Cancelled, {}, messages::profilingCancelled());
        TRY(step(++profile.steps));
        spent = secondsBetween(start, clock.nowNanoseconds()).value();
    }
    profile.stepSeconds = spent / static_cast<double>(profile.steps);
    return profile;
}

Result<StepProfile> profileStep(compute::Backend& backend, const std::shared_ptr<const plan::Plan>& plan,
                                compute::CompileOptions options, const Clock& clock,
                                const std::function<bool()>& cancelled, const ProfileLimits& limits) {
    options.profile = true;
    ASSIGN(const auto compiled, backend.compile(plan, options));
    auto& executable = *compiled;
    TRY(compute::writeSyntheticState(executable, options.seed));
    TRY(executable.step({0, 1.0}));
    const auto first = executable.profile();
    if (first.empty()) return fail(ErrorKind::Unsupported, {}, messages::noOperationTimes());

    const auto step = [&](std::int64_t index) -> Result<void> {
        TRY(executable.step({index, 1.0}));
        return {};
    };
    ASSIGN(auto profile, profiledSteps(step, clock, cancelled, limits));
    auto times = executable.profile();
    removeFirst(times, first, profile.steps);
    for (const auto& time : times)
        profile.operations.push_back(named(plan->operations[static_cast<std::size_t>(time.operation)], time));
    return profile;
}

std::vector<ProfileShare> sharesByKind(const StepProfile& profile) {
    std::vector<ProfileShare> shares;
    for (const auto& operation : profile.operations) {
        auto found =
            std::find_if(shares.begin(), shares.end(), [&](const auto& share) { return share.what == operation.kind; });
        if (found == shares.end()) found = shares.insert(found, {operation.kind, 0, 0});
        found->seconds += operation.seconds;
    }
    std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    shares.push_back({"between operations", std::max(0.0, profile.stepSeconds - profile.sumSeconds()), 0});
    for (auto& share : shares) share.share = profile.stepSeconds > 0 ? share.seconds / profile.stepSeconds : 0;
    return shares;
}

}  // namespace steelyard::bench
