// SPDX-License-Identifier: Apache-2.0
// --no-kernel-cache, for commands that run kernels.
#pragma once

namespace CLI {
class App;
}

namespace steelyard::cli {

struct CommandContext;

inline constexpr const char* kNoKernelCache = "--no-kernel-cache";

void addKernelCacheFlag(CLI::App* command, CommandContext& context);

}  // namespace steelyard::cli
