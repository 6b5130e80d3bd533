// SPDX-License-Identifier: Apache-2.0
// What a run was asked for: made by the command line or the window, handed to the runner. A plain value. Its options
// are listed once in run_options.h.
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
    std::vector<std::string> workloads;       // as resolveWorkload takes them; narrows a suite, or names what to run
    std::vector<plan::Mode> modes;            // empty: train and infer
    std::vector<std::string> devices;         // empty: all of the machine
    std::vector<std::int64_t> batches;        // empty: the suite's, or the workload's own
    std::vector<int> threads;                 // empty: left open, or the suite's sweep; for CPUs only
    std::vector<plan::Precision> precisions;  // empty: fp32, or the suite's
    // How many GPUs are to share a case (device_group.h); each number makes cases of the kinds in `scalings`, and
    // devices and threads are not asked. The suite `scaling` has 1, 2, 4 ... and all of them.
    std::vector<int> gpus;
    // How many nodes are to share a case, ascending; the last is the size of the group. Their CPUs share the step.
    std::vector<int> nodes;
    std::vector<ScalingKind> scalings;  // empty: all three; of nodes strong and weak
    std::vector<std::string> isas;      // sse | avx2 | avx512 | amx; empty: left open, or the suite's sweep; CPUs only
    std::vector<std::string> kernels;   // onednn | openblas; empty: left open, or the suite's sweep; CPUs only
    // With a folder each case becomes three: the step alone, the input pipeline alone, and both together. Workloads
    // without real data keep their synthetic step. Empty: synthetic data.
    std::string data;
    std::uint64_t seed = 1;                // also of the order of the cases
    std::optional<double> timeCapSeconds;  // of sampling one case; unset: the suite's
    bool precise = false;                  // sample until the interval is within 1 % rather than 2 %
    std::string database;                  // history file; empty: the default one
    std::string resume;  // a run's id: complete it as it was requested; nothing else counts but the database

    friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

// The arguments of steelyard-cli that make this request: {"run", "--suite", "quick", ...}; what has its default is left
// out.
[[nodiscard]] std::vector<std::string> argumentsOf(const RunRequest& request);

}  // namespace steelyard::bench
