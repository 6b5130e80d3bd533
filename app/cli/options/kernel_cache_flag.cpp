// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/kernel_cache_flag.h"

#include <CLI/CLI.hpp>

#include "app/cli/command_context.h"

namespace steelyard::cli {

void addKernelCacheFlag(CLI::App* command, CommandContext& context) {
    command->add_flag_callback(
        kNoKernelCache, [&context] { context.usesKernelCache = false; },
        "Select the fastest kernels again; do not read or write the kernel cache ($XDG_CACHE_HOME/steelyard)");
}

}  // namespace steelyard::cli
