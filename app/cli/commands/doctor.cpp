// SPDX-License-Identifier: Apache-2.0
// doctor: the raw, redacted readings behind detect, for bug reports.
#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "engine/core/version.h"
#include "engine/hardware/detect.h"

namespace steelyard::cli {

void addDoctor(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("doctor", "Show the raw hardware readings, redacted, for a bug report");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&context, json] {
        const auto profile = context.profile();
        if (!profile) return context.report(profile.error());
        auto text = std::string("steelyard ") + std::string(programVersion()) + " " + std::string(gitRevision()) +
                    ", " + std::string(compilerVersion()) + "\n";
        for (const auto& device : context.backends().devices()) text += "device " + device.id + "\n";
        if (auto cpu = context.backends().backendOf("cpu"))
            for (const auto& [name, version] : (*cpu)->libraries()) text += name + " " + version + "\n";
        text += hardware::doctorReport(*profile);
        if (*json) {
            context.out << nlohmann::json{{"report", text}}.dump(2, ' ', false,
                                                                 nlohmann::json::error_handler_t::replace)
                        << "\n";
        } else {
            context.out << text;
        }
    });
}

}  // namespace steelyard::cli
