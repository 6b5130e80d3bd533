// SPDX-License-Identifier: Apache-2.0
// One function per command, one file each. A function adds its subcommand to the app; its callback does the work,
// prints to the context's streams and sets context.exitCode.
#pragma once

namespace CLI {
class App;
}

namespace steelyard::cli {

struct CommandContext;

void addDetect(CLI::App& app, CommandContext& context);
void addDoctor(CLI::App& app, CommandContext& context);
void addList(CLI::App& app, CommandContext& context);
void addShow(CLI::App& app, CommandContext& context);
void addRun(CLI::App& app, CommandContext& context);
void addRunCase(CLI::App& app, CommandContext& context);
void addVerify(CLI::App& app, CommandContext& context);
void addTrain(CLI::App& app, CommandContext& context);
void addHistory(CLI::App& app, CommandContext& context);
void addPredict(CLI::App& app, CommandContext& context);
void addFit(CLI::App& app, CommandContext& context);
void addAdvise(CLI::App& app, CommandContext& context);
void addStudy(CLI::App& app, CommandContext& context);
void addCatalog(CLI::App& app, CommandContext& context);
void addBacktest(CLI::App& app, CommandContext& context);
void addReport(CLI::App& app, CommandContext& context);

}  // namespace steelyard::cli
