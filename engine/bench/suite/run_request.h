// SPDX-License-Identifier: Apache-2.0
// A request for a run, created by the command line or the window for the runner. A plain value. Its options are listed
// in run_options.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/bench/multi_device/scaling_kind.h"
#include "engine/plan/mode.h"

namespace steelyard::bench {

struct RunRequest {
    std::string suite;  // quick | standard | full | scaling | language; empty: all combinations of the rest
    std::vector<std::string> workloads;       // names for resolveWorkload; selects from a suite, or what to run
    std::vector<plan::Mode> modes;            // empty: train and infer
    std::vector<std::string> devices;         // empty: all devices
    std::vector<std::int64_t> batches;        // empty: as in the suite, or the workload's default
    std::vector<int> threads;                 // CPU only; empty: default, or the suite's sweep
    std::vector<plan::Precision> precisions;  // empty: fp32, or the suite's
    // Numbers of GPUs to share a case (device_group.h), each with the kinds in `scalings`; devices and threads are
    // ignored. The suite `scaling` uses 1, 2, 4, ... and all of them.
    std::vector<int> gpus;
    // Numbers of nodes to share a case, ascending; the last one is the group size. CPU only.
    std::vector<int> nodes;
    std::vector<ScalingKind> scalings;  // empty: all three; for nodes strong and weak
    std::vector<std::string> isas;      // CPU only: sse | avx2 | avx512 | amx; empty: default, or the suite's sweep
    std::vector<std::string> kernels;   // CPU only: onednn | openblas; empty: default, or the suite's sweep
    // With a folder of data, each case becomes three: step alone, input pipeline alone, both together. Workloads
    // without real data keep their synthetic step. Empty: synthetic data.
    std::string data;
    std::uint64_t seed = 1;                // also shuffles the order of the cases
    std::optional<double> timeCapSeconds;  // sampling time per case; unset: the suite's
    bool precise = false;                  // sample until the interval is within 1 % rather than 2 %
    std::string database;                  // history file; empty: the default
    std::string resume;                    // run id to resume; everything else but the database is ignored

    friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

// The arguments of steelyard-cli for this request: {"run", "--suite", "quick", ...}, without defaults.
[[nodiscard]] std::vector<std::string> argumentsOf(const RunRequest& request);

}  // namespace steelyard::bench
