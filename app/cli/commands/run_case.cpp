// SPDX-License-Identifier: Apache-2.0
// run-case: measures the one case that is described on standard input. Hidden: `run` starts it once per case, in a process
// of its own (engine/bench/suite_runner.h).
#include <signal.h>
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <istream>
#include <iterator>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "engine/bench/case_runner.h"
#include "engine/bench/record_json.h"
#include "engine/bench/suite_runner.h"
#include "engine/hardware/driver_library.h"

namespace steelyard::cli {
namespace {

void print(std::ostream& out, const bench::Event& event) {
    out << bench::toJsonLine(event) << std::endl;
}

bench::CaseRecord refused(const bench::Case& spec, const Error& error, const Clock& clock) {
    bench::CaseRecord record;
    record.spec = spec;
    record.status = bench::Status::Unsupported;
    record.reason = describe(error);
    record.startedUnixMs = clock.unixMilliseconds();
    return record;
}

void runCase(CommandContext& context) {
    // Nobody would read the result of a case whose run was killed.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string text(std::istreambuf_iterator<char>(context.in), {});
    const auto order = bench::caseOrderFromJson(text);
    if (!order) return context.report(order.error());
    bench::Event finished{.kind = bench::EventKind::CaseFinished};
    auto backend = context.backends().backendOf(order->spec.device);
    const auto profile = context.profile();
    if (!backend) {
        finished.record = refused(order->spec, backend.error(), context.clock);
    } else if (!profile) {
        finished.record = refused(order->spec, profile.error(), context.clock);
    } else {
        const auto management = hardware::openManagementLibrary();
        const bench::CaseServices services{.backend = **backend,
                                           .reference = context.backends().reference(),
                                           .profile = *profile,
                                           .clock = context.clock,
                                           .onEvent = [&](const bench::Event& event) { print(context.out, event); },
                                           .cancelled = [&] { return context.interrupted.load() != 0; },
                                           .management = management};
        finished.record = bench::runCase(order->spec, order->protocol, services);
    }
    print(context.out, finished);
}

}  // namespace

void addRunCase(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("run-case", "Measure the case described on standard input");
    command->group("");  // hidden
    command->callback([&context] { runCase(context); });
}

}  // namespace steelyard::cli
