// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli_app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/visible_output.h"
#include "engine/core/messages/app.h"
#include "engine/core/text.h"
#include "engine/core/version.h"

namespace steelyard::cli {
namespace {

bool hasCommand(const CLI::App& app, const std::string& name) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == name; });
}

int parseAndRun(const std::vector<std::string>& arguments, CommandContext& context) {
    CLI::App app(
        "Benchmarks deep learning on this computer, predicts the speed of other hardware, and recommends what to rent "
        "or buy.",
        "steelyard-cli");
    app.set_version_flag("--version", std::string("steelyard-cli ") + std::string(programVersion()));
    app.require_subcommand(1);
    app.footer(
        "Every command takes --help. Exit codes: 0 success, 1 some cases failed, 2 usage error or invalid input,\n"
        "3 nothing to run, 130 cancelled.");
#define STEELYARD_ADD_COMMAND(name) add##name(app, context);
    STEELYARD_COMMANDS(STEELYARD_ADD_COMMAND)
#undef STEELYARD_ADD_COMMAND

    if (!arguments.empty() && !arguments.front().starts_with('-') && !hasCommand(app, arguments.front())) {
        context.err << "steelyard-cli: unknown command '" << arguments.front() << "' (see steelyard-cli --help)\n";
        return kWrongUsage;
    }
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help, context.out, context.err);
    } catch (const CLI::CallForVersion& version) {
        return app.exit(version, context.out, context.err);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error, context.out, context.err);
        context.err << "steelyard-cli: " << error.what() << "\n";
        return kWrongUsage;
    }
    return context.exitCode;
}

}  // namespace

int runCli(const std::vector<std::string>& arguments, CommandContext& context) {
    const VisibleOutput out(context.out);
    const VisibleOutput err(context.err);
    for (const auto& argument : arguments) {
        if (isUtf8(argument)) continue;
        context.report({ErrorKind::InvalidArgument, "'" + argument + "'", app::messages::notUtf8(), {}, {}, {}});
        return context.exitCode;
    }
    try {
        return parseAndRun(arguments, context);
    } catch (const std::bad_alloc&) {
        context.report({ErrorKind::OutOfMemory, "the command", {}, {}, {}, {}});
    } catch (const std::exception& exception) {
        context.report({ErrorKind::Internal, "the command", Message(exception.what()), {}, {}, {}});
    }
    return context.exitCode;
}

}  // namespace steelyard::cli
