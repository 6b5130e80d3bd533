// SPDX-License-Identifier: Apache-2.0
// check-part: runs the part of a machine check described on standard input. Hidden: `check` starts one process per part
// (engine/bench/check/machine_check.h).
#include <signal.h>
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <istream>
#include <iterator>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "engine/bench/check/machine_check.h"
#include "engine/hardware/gpu/driver_library.h"

namespace steelyard::cli {
namespace {

constexpr double kProgressInterval = 0.2;  // seconds

void checkPart(CommandContext& context) {
    // End with the parent: nobody would read the result.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string text(std::istreambuf_iterator<char>(context.in), {});
    const auto task = bench::checkTaskFromJson(text);
    if (!task) return context.report(task.error());
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    const bool isMain = task->device == bench::kMainMemoryDevice;
    const auto backend = isMain ? Result<compute::Backend*>(nullptr) : context.backends().backendOf(task->device);
    bench::CheckEvent event;
    event.kind = task->kind;
    event.device = task->device;
    auto last = context.clock.nowNanoseconds();
    const auto progress = [&](double fraction) {
        const auto now = context.clock.nowNanoseconds();
        if (secondsBetween(last, now).value() < kProgressInterval) return;
        last = now;
        event.fraction = fraction;
        context.out << bench::toJsonLine(event) << std::endl;
    };
    event.part = bench::runCheckTask(*task, {.backend = backend ? *backend : nullptr,
                                             .reference = context.backends().reference(),
                                             .profile = *profile,
                                             .clock = context.clock,
                                             .onProgress = progress,
                                             .cancelled = [&] { return context.interrupted.load() != 0; },
                                             .management = hardware::openManagementLibrary()});
    event.fraction = 1;
    context.out << bench::toJsonLine(event) << std::endl;
}

}  // namespace

void addCheckPart(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("check-part", "Run the part of a check given on standard input (internal)");
    command->group("");  // hidden
    command->callback([&context] { checkPart(context); });
}

}  // namespace steelyard::cli
