// SPDX-License-Identifier: Apache-2.0
// run-case: measures the case described on standard input. Hidden: `run` starts one process per case
// (engine/bench/run/suite_runner.h).
#include <signal.h>
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <istream>
#include <iterator>
#include <new>
#include <ostream>
#include <utility>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "engine/bench/measure/case_runner.h"
#include "engine/bench/record/record_json.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/core/messages/bench.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/language_workload.h"

namespace steelyard::cli {
namespace {

void print(std::ostream& out, const bench::Event& event) {
    out << bench::toJsonLine(event) << std::endl;
}

bench::CaseRecord notMeasured(const bench::Case& spec, bench::Status status, Message reason, const Clock& clock) {
    bench::CaseRecord record;
    record.spec = spec;
    record.status = status;
    record.reason = std::move(reason);
    record.startedUnixMs = clock.unixMilliseconds();
    return record;
}

bench::CaseRecord measure(const bench::CaseSpec& order, CommandContext& context) {
    auto backend = context.backends().backendOf(order.spec.device);
    const auto profile = context.profile();
    if (!backend || !profile) {
        const auto& error = backend ? profile.error() : backend.error();
        return notMeasured(order.spec, bench::Status::Unsupported, messageOf(error), context.clock);
    }
    const auto decoders = model::isLanguageName(order.spec.workload)
                              ? model::loadDecoderTable(context.resources)
                              : Result<model::DecoderTable>(model::DecoderTable());
    if (!decoders) return notMeasured(order.spec, bench::Status::Failed, messageOf(decoders.error()), context.clock);
    const auto management = hardware::openManagementLibrary();
    const bench::CaseServices services{.backend = **backend,
                                       .reference = context.backends().reference(),
                                       .profile = *profile,
                                       .clock = context.clock,
                                       .onEvent = [&](const bench::Event& event) { print(context.out, event); },
                                       .cancelled = [&] { return context.interrupted.load() != 0; },
                                       .management = management,
                                       .rank = order.rank,
                                       .visit = order.visit,
                                       .stepsPerSample = order.stepsPerSample,
                                       .decoders = &*decoders};
    return bench::runCase(order.spec, order.protocol, services);
}

void runCase(CommandContext& context) {
    // End with the parent: nobody would read the result.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string text(std::istreambuf_iterator<char>(context.in), {});
    const auto order = bench::caseSpecFromJson(text);
    if (!order) return context.report(order.error());
    bench::Event finished{.kind = bench::EventKind::CaseFinished};
    try {
        finished.record = measure(*order, context);
    } catch (const std::bad_alloc&) {
        finished.record =
            notMeasured(order->spec, bench::Status::OutOfMemory, bench::messages::computerOutOfMemory(), context.clock);
    }
    print(context.out, finished);
}

}  // namespace

void addRunCase(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("run-case", "Measure the case given on standard input (internal)");
    command->group("");  // hidden
    addKernelCacheFlag(command, context);
    command->callback([&context] { runCase(context); });
}

}  // namespace steelyard::cli
