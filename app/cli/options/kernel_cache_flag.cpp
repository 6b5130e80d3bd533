// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/kernel_cache_flag.h"

#include <CLI/CLI.hpp>

#include "app/cli/command_context.h"

namespace steelyard::cli {

void addKernelCacheFlag(CLI::App* command, CommandContext& context) {
    command->add_flag_callback(
        kNoKernelCache, [&context] { context.remembersKernels = false; },
        "Find the fastest kernels anew: neither use nor keep what was found before ($XDG_CACHE_HOME/steelyard)");
}

}  // namespace steelyard::cli
