// SPDX-License-Identifier: Apache-2.0
// check: is this machine, or a card bought used, sound? Memory patterns, every operation against the reference, and
// sustained load, each part in its own child process.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/tables/check_text.h"
#include "engine/bench/check/machine_check.h"
#include "engine/core/messages/app.h"
#include "engine/core/version.h"

namespace steelyard::cli {
namespace {

constexpr double kMostLoadSeconds = 86'400;
constexpr double kGibibyte = double{1ULL << 30};

struct CheckArguments {
    double seconds = 60;
    double memoryGibibytes = 0;
    std::string devices, events;
    std::optional<std::string> database;
    bool json = false, noSave = false;
};

int exitCodeOf(const bench::CheckReport& report) {
    switch (report.verdict()) {
        case bench::CheckState::Passed:
        case bench::CheckState::Remarks:
            return kDone;
        case bench::CheckState::Faults:
            return kSomeCaseFailed;
        case bench::CheckState::Skipped:
            return kNothingRunnable;
        case bench::CheckState::Cancelled:
            return kCancelled;
    }
    return kDone;
}

Result<std::vector<compute::Device>> checkedDevices(CommandContext& context, const std::string& names) {
    auto devices = context.backends().devices();
    if (names.empty()) return devices;
    std::vector<compute::Device> chosen;
    for (const auto& name : splitList(names)) {
        TRY(context.backends().backendOf(name));  // the error names the known ones
        const auto found = std::ranges::find(devices, name, &compute::Device::id);
        chosen.push_back(found == devices.end() ? compute::Device{name, {}, {}} : *found);
    }
    return chosen;
}

// What happens, as it happens: lines of JSON on the output, or sentences on the error stream if the output is JSON.
void tell(CommandContext& context, const CheckArguments& arguments, const bench::CheckEvent& event) {
    if (!arguments.events.empty()) {
        context.out << bench::toJsonLine(event) << std::endl;
        return;
    }
    auto& stream = arguments.json ? context.err : context.out;
    if (event.part)
        printCheckPart(stream, *event.part);
    else if (event.fraction == 0)
        fmt::print(context.err, "[{}/{}] {} ...\n", event.partIndex + 1, event.partCount,
                   checkSubject(event.kind, event.device, {}));
    stream.flush();
}

void check(CommandContext& context, const CheckArguments& arguments) {
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    const auto devices = checkedDevices(context, arguments.devices);
    if (!devices) return context.report(devices.error());
    bench::CheckReport report;
    report.computer = profile->environment.hostname.valueOr("this computer");
    report.programVersion = std::string(programVersion());
    report.startedUnixMs = context.clock.unixMilliseconds();
    report.loadSeconds = arguments.seconds;
    const auto tasks = bench::checkTasks(*devices, arguments.seconds, arguments.memoryGibibytes * kGibibyte);
    bench::runCheck(report, tasks,
                    {.executable = context.executable,
                     .clock = context.clock,
                     .onEvent = [&](const bench::CheckEvent& event) { tell(context, arguments, event); },
                     .cancelled = [&] { return context.interrupted.load() != 0; }});
    context.exitCode = exitCodeOf(report);
    if (!arguments.noSave) {
        const auto file = bench::checkFileBeside(context.historyFile(arguments.database));
        if (const auto ok = bench::saveCheckReport(report, file); !ok)
            fmt::print(context.err, "steelyard-cli: the result is not kept: {}\n", describe(ok.error()));
    }
    if (!arguments.events.empty()) {
        bench::CheckEvent finished;
        finished.partCount = finished.partIndex = static_cast<std::int64_t>(tasks.size());
        finished.fraction = 1;
        finished.report = std::move(report);
        context.out << bench::toJsonLine(finished) << std::endl;
    } else if (arguments.json) {
        context.out << bench::toJson(report) << "\n";
    } else {
        printCheckVerdict(context.out, report);
    }
}

}  // namespace

void addCheck(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand(
        "check", "Check whether this machine or a card is sound: memory, operations, sustained load");
    auto arguments = std::make_shared<CheckArguments>();
    command->add_option("--seconds", arguments->seconds, "Duration of the load on each device")
        ->check(CLI::Range(1.0, kMostLoadSeconds))
        ->capture_default_str();
    command->add_option("--device", arguments->devices, "Devices, comma separated (default: all)")->check(nonEmptyList);
    command
        ->add_option("--memory", arguments->memoryGibibytes,
                     "Memory to test in GiB, at most (default: 2 GiB of main memory, 90 % of a device's free memory)")
        ->check(greaterThanZero);
    command->add_option("--db", arguments->database, "History file; the result is kept beside it");
    command->add_flag("--no-save", arguments->noSave, "Do not keep the result for reports");
    auto* events = command->add_option("--events", arguments->events, "Print events as they happen")
                       ->check(CLI::IsMember({"jsonl"}));
    command->add_flag("--json", arguments->json, "Print one JSON document")->excludes(events);
    command->footer("Exit code 0: no faults found; 1: faults found.");
    command->callback([&context, arguments] { check(context, *arguments); });
}

}  // namespace steelyard::cli
