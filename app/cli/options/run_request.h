// SPDX-License-Identifier: Apache-2.0
// What `run` was asked for on its command line, as a request for cases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/command_context.h"
#include "engine/bench/suite/suite.h"

namespace steelyard::cli {

struct RunOptions {
    std::string suite, workloads, modes, devices, gpus, scalings, batches, threads, precisions, isas, data, events,
        kernels;
    std::optional<std::string> resume;  // a run's id, or the latest unfinished one
    double timeCap = 0;
    std::uint64_t seed = 1;
    std::optional<std::string> database;
    int visits = 0;  // 0: as the protocol has it
    bool noSave = false, json = false, precise = false, noVerify = false, profile = false, sustained = false;
};

// Devices are known and GPUs counted; the rest of the machine is left to the caller. Errors name the option.
[[nodiscard]] Result<bench::SuiteRequest> requestOf(const RunOptions& options, CommandContext& context);

}  // namespace steelyard::cli
