// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/step_threads.h"

#include <algorithm>
#include <string>

#include "engine/compute/kernel_memory.h"

namespace steelyard::compute::cpu {
namespace {

// In larger steps each operation has enough work for several threads.
constexpr double kTinyFlops = 2e7, kTinyBytes = 2e7;
constexpr double kTrialFlops = 2e7;
constexpr int kFewestSteps = 4, kMostSteps = 24;  // per run of a trial
constexpr double kOneThreadFavour = 1.05;         // of one thread, which others disturb less

bool isTiny(const plan::Plan& plan) {
    double flops = 0, bytes = 0;
    for (const auto& op : plan.operations) {
        flops += op.flops;
        bytes += op.bytes;
    }
    return flops <= kTinyFlops && bytes <= kTinyBytes;
}

TrialMaker stepsTrial(Executable& executable, int count) {
    return [&executable, count]() -> Trial {
        return [&executable, count] {
            for (int i = 0; i < count; ++i) (void)executable.step({i, 1.0});
        };
    };
}

}  // namespace

int threadsOfStep(Tuner& tuner, const plan::Plan& plan, const CompileOptions& options, const StepBuilder& build) {
    if (options.threads <= 1 || options.ranks || !isTiny(plan)) return options.threads;
    const auto key = "threads " + stepName(plan, options.threads, options.kernels);
    const auto chosen = [&](const Choice& choice) { return choice.index == 0 ? 1 : options.threads; };
    if (const auto known = tuner.known(key)) return chosen(*known);
    if (!tuner.tries()) return options.threads;
    // Before the trials, since compiling makes others.
    const auto all = build(options.threads), one = build(1);
    if (!all || !one) return options.threads;
    double flops = 1;
    for (const auto& op : plan.operations) flops += op.flops;
    const auto count = std::clamp(static_cast<int>(std::min(kTrialFlops / flops, 1e6)), kFewestSteps, kMostSteps);
    return chosen(tuner.fastest(key, {stepsTrial(**one, count), stepsTrial(**all, count)}, kOneThreadFavour));
}

}  // namespace steelyard::compute::cpu
