// SPDX-License-Identifier: Apache-2.0
// Contents of the suites. Internal to engine/bench.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace steelyard::bench {

// Parameters that a case of the suite full is swept over.
enum Sweep : unsigned {
    kNoSweep = 0,
    kBatches = 1,     // the workload's batch sizes
    kThreads = 2,     // CPU: 1, 2, 4, ... cores, and one beyond
    kIsas = 4,        // CPU: all supported instruction sets
    kPrecisions = 8,  // GPU: tf32, bf16, fp16; CPU: bf16 if supported in hardware
    kKernels = 16,    // CPU: all libraries for matrix products
};

struct SuiteEntry {
    std::string_view workload;
    std::int64_t batch = 0;  // 0: the workload's default
    unsigned sweeps = kNoSweep;
    bool train = true;  // in addition to inference
};

struct SuiteDefinition {
    std::string_view id;
    std::string_view title;
    double timeCapSeconds = 10;
    double timeBudgetSeconds = 0;  // for the whole suite on one device (Suite::timeBudget); 0: none
    std::vector<SuiteEntry> entries;
};

[[nodiscard]] const std::vector<SuiteDefinition>& suiteDefinitions();

}  // namespace steelyard::bench
