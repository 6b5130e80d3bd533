// SPDX-License-Identifier: Apache-2.0
// What is in the suites. Internal to engine/bench.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace steelyard::bench {

// What a case is repeated over in the suite full.
enum Sweep : unsigned {
    kNoSweep = 0,
    kBatches = 1,     // the workload's own sweep
    kThreads = 2,     // CPU: 1, 2, 4, ... cores, and one beyond
    kIsas = 4,        // CPU: every instruction set the machine has
    kPrecisions = 8,  // GPU: tf32, bf16, fp16; CPU: bf16 where it multiplies that in hardware
    kKernels = 16,    // CPU: each library that does matrix products
};

struct SuiteEntry {
    std::string_view workload;
    std::int64_t batch = 0;  // 0: the workload's own
    unsigned sweeps = kNoSweep;
    bool train = true;  // besides inferring
};

struct SuiteDefinition {
    std::string_view id;
    std::string_view title;
    double timeCapSeconds = 10;
    double timeBudgetSeconds = 0;  // of the whole suite on one device (Suite::timeBudget); 0: none
    std::vector<SuiteEntry> entries;
};

[[nodiscard]] const std::vector<SuiteDefinition>& suiteDefinitions();

}  // namespace steelyard::bench
