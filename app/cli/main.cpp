// SPDX-License-Identifier: Apache-2.0
// steelyard-cli: connects streams, signals and paths of the process to the commands.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/cli/cli_app.h"
#include "app/cli/command_context.h"
#include "app/common/resource_path.h"
#include "app/common/termination.h"

namespace {

std::atomic<int> interrupted{0};
static_assert(std::atomic<int>::is_always_lock_free);

// The first one counts: who was asked to stop and then made to was stopped.
void onSignal(int number) {
    int none = 0;
    interrupted.compare_exchange_strong(none, number);
}

}  // namespace

int main(int argc, char** argv) {
    steelyard::app::installTerminationHandlers();
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);

    const auto executable = steelyard::app::programPath(argv[0]);
    steelyard::SystemClock clock;
    steelyard::cli::CommandContext context(steelyard::cli::CommandEnvironment{
        .out = std::cout,
        .err = std::cerr,
        .in = std::cin,
        .clock = clock,
        .executable = executable,
        .resources = steelyard::app::resourcePath(executable),
        .environment = [](const char* name) -> const char* { return std::getenv(name); },
        .interrupted = interrupted});
    const int code = steelyard::cli::runCli({argv + 1, argv + argc}, context);
    std::cout.flush();
    if (!std::cout && code == steelyard::cli::kDone) return steelyard::cli::kWrongUsage;  // the output was cut off
    return code;
}
