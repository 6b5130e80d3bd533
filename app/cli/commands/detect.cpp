// SPDX-License-Identifier: Apache-2.0
// detect: the hardware profile of this computer.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "engine/core/units.h"
#include "engine/hardware/profile/profile_json.h"

namespace steelyard::cli {
namespace {

template <typename T>
std::string shown(const hardware::Fact<T>& fact) {
    return fact.value ? fmt::format("{}", *fact.value) : fmt::format("- ({})", fact.reason.text);
}

std::string shownBytes(const hardware::Fact<std::int64_t>& fact) {
    return fact.value ? formatBytes(Bytes(*fact.value)) : fmt::format("- ({})", fact.reason.text);
}

void printProfile(std::ostream& out, const hardware::HardwareProfile& profile) {
    const auto& cpu = profile.cpu;
    fmt::print(out, "CPU          {}\n", shown(cpu.name));
    fmt::print(out, "  packages   {}, cores {}, threads {}\n", shown(cpu.packages), shown(cpu.cores),
               shown(cpu.threads));
    fmt::print(out, "  allowed    {} cores, {} logical CPUs; quota {}\n", shown(cpu.allowedCores),
               shown(cpu.allowedCpus), shown(cpu.quotaCores));
    fmt::print(out, "  usable     {} threads\n", shown(cpu.usableThreads));
    fmt::print(out, "  ISA        {}\n",
               cpu.isa.value ? fmt::format("{}", fmt::join(*cpu.isa.value, " ")) : cpu.isa.reason.text);
    for (const auto& cache : cpu.caches.valueOr({}))
        fmt::print(out, "  L{} {:<12}{} x {}\n", cache.level, cache.type, cache.count, formatBytes(Bytes(cache.bytes)));
    fmt::print(out, "Memory       {} total, {} available, limit {}\n", shownBytes(profile.memory.totalBytes),
               shownBytes(profile.memory.availableBytes), shownBytes(profile.memory.limitBytes));
    if (profile.gpus.empty()) fmt::print(out, "GPUs         none: {}\n", profile.gpuReason.text);
    for (const auto& gpu : profile.gpus)
        fmt::print(out, "GPU          {} {} ({}){}\n", gpu.id, shown(gpu.name), shownBytes(gpu.memoryBytes),
                   gpu.reason.empty() ? "" : ": " + gpu.reason.text);
    fmt::print(out, "System       {}, kernel {}, virtual machine {}, container {}\n", shown(profile.environment.os),
               shown(profile.environment.kernel), shown(profile.environment.virtualMachine),
               shown(profile.environment.container));
    for (const auto& backend : profile.backends)
        fmt::print(out, "Backend      {}: {}\n", backend.name, backend.loaded ? "loaded" : backend.reason.text);
}

}  // namespace

void addDetect(CLI::App& app, CommandContext& context) {
    auto* command =
        app.add_subcommand("detect", "Show the hardware of this computer and the cores and memory that a job may use");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&context, json] {
        const auto profile = context.profile();
        if (!profile) return context.report(profile.error());
        if (*json) {
            context.out << hardware::toJson(*profile, 2) << "\n";
        } else {
            printProfile(context.out, *profile);
        }
    });
}

}  // namespace steelyard::cli
