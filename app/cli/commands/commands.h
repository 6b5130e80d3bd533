// SPDX-License-Identifier: Apache-2.0
// The commands in the order of --help: one line here and one file beside this one each. addX() adds its subcommand to
// the
// app; the callback does the work, prints to the context's streams and sets context.exitCode.
#pragma once

namespace CLI {
class App;
}

#define STEELYARD_COMMANDS(COMMAND) \
    COMMAND(Detect)                 \
    COMMAND(Doctor)                 \
    COMMAND(List)                   \
    COMMAND(Show)                   \
    COMMAND(Run)                    \
    COMMAND(RunCase)                \
    COMMAND(Verify)                 \
    COMMAND(Check)                  \
    COMMAND(CheckPart)              \
    COMMAND(Interconnect)           \
    COMMAND(Evaluate)               \
    COMMAND(Train)                  \
    COMMAND(History)                \
    COMMAND(Predict)                \
    COMMAND(Fit)                    \
    COMMAND(Advise)                 \
    COMMAND(Study)                  \
    COMMAND(Catalog)                \
    COMMAND(Backtest)               \
    COMMAND(Report)                 \
    COMMAND(Campaign)

namespace steelyard::cli {

struct CommandContext;

#define STEELYARD_DECLARE_COMMAND(name) void add##name(CLI::App& app, CommandContext& context);
STEELYARD_COMMANDS(STEELYARD_DECLARE_COMMAND)
#undef STEELYARD_DECLARE_COMMAND

}  // namespace steelyard::cli
