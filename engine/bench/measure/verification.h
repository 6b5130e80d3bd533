// SPDX-License-Identifier: Apache-2.0
// Check, then time: proves on a reduced batch that a backend computes what the reference computes, and that training
// lowers the loss. Nothing is thrown; a backend that cannot be checked yields NotChecked with the reason, a wrong one
// Fail with what was wrong. One thread (the backends may use more); memory for both backends is needed at once.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/model/graph.h"

namespace steelyard::bench {

// What the reference computes a second on one thread, about; a check takes up to three of its steps.
inline constexpr double kReferenceFlopsPerSecond = 16e9;

struct VerifyOptions {
    std::int64_t reducedBatch = 0;    // 0: as many samples as the reference does in seconds, 1 to 8
    std::uint64_t seed = 1;           // of values and dropout masks
    compute::CompileOptions compile;  // device, threads and kernels as they will be timed
    std::optional<double> tolerance;  // norm-relative, for every tensor; unset: see toleranceOf
    std::int64_t lossSteps = 10;      // training on one batch must lower the loss within these; 0: not asked
};

// fp32 1e-4, tf32 2e-3, bf16 and fp16 2e-2. A tensor to which the precision alone does more than a third of that is
// allowed three times what it does (never more than 0.9), as the reference shows when it emulates the precision by
// rounding to the nearest, and where that does not settle it, three times at random; Verification::tolerance is that of
// the tensor its maxRelativeError belongs to.
[[nodiscard]] double toleranceOf(plan::Precision precision);

// As many samples as the reference computes in seconds on these threads, 1 to 8; Unsupported when even one takes it too
// long.
[[nodiscard]] Result<std::int64_t> checkedBatch(const model::Graph& graph, const plan::PlanOptions& full, int threads);

// `full` is what will be timed; its batch is reduced here.
[[nodiscard]] Verification verify(compute::Backend& candidate, compute::Backend& reference, const model::Graph& graph,
                                  plan::PlanOptions full, const VerifyOptions& options);

}  // namespace steelyard::bench
