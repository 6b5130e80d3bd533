// SPDX-License-Identifier: Apache-2.0
// Verification before timing: on a reduced batch, the backend must compute what the reference computes, and training
// must lower the loss. Does not throw; a backend that cannot be verified yields NotChecked with the reason, a wrong one
// Fail with details. Single-threaded (backends may use more threads); needs memory for both backends at once.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/model/graph.h"

namespace steelyard::bench {

// Approximate speed of the reference on one thread; a verification takes up to three of its steps.
inline constexpr double kReferenceFlopsPerSecond = 16e9;

struct VerifyOptions {
    std::int64_t reducedBatch = 0;    // 0: as many samples as the reference computes in seconds, 1 to 8
    std::uint64_t seed = 1;           // of values and dropout masks
    compute::CompileOptions compile;  // device, threads and kernels as for timing
    std::optional<double> tolerance;  // norm-relative, for every tensor; unset: toleranceOf
    std::int64_t lossSteps = 10;      // training on one batch must lower the loss within these steps; 0: not checked
};

// fp32 1e-4, tf32 2e-3, bf16 and fp16 2e-2. If the precision alone changes a tensor by more than a third of that, the
// tolerance is three times this change (at most 0.9); the reference determines it by emulating the precision with
// rounding to nearest and, if that is not conclusive, with three stochastic roundings. Verification::tolerance is that
// of the tensor with maxRelativeError.
[[nodiscard]] double toleranceOf(plan::Precision precision);

// Number of samples, 1 to 8, that the reference computes in seconds on these threads; Unsupported if even one takes too
// long.
[[nodiscard]] Result<std::int64_t> checkedBatch(const model::Graph& graph, const plan::PlanOptions& full, int threads);

// `full`: the options to be timed; the batch is reduced here.
[[nodiscard]] Verification verify(compute::Backend& candidate, compute::Backend& reference, const model::Graph& graph,
                                  plan::PlanOptions full, const VerifyOptions& options);

}  // namespace steelyard::bench
