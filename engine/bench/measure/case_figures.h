// SPDX-License-Identifier: Apache-2.0
// Fields of a record derived from more than the samples: planned memory, work, utilization, errors. Stateless
// functions; those that measure run on the calling thread.
#pragma once

#include <cstdint>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {

[[nodiscard]] Status statusOf(ErrorKind kind);

// Seconds: the smallest observed increment of the clock.
[[nodiscard]] double clockResolution(const Clock& clock);

void recordPlannedMemory(MemoryUse& use, const compute::MemoryFigures& planned);

// Ratio of counted operations to those of the best known algorithm: Winograd needs 4 times fewer multiply-adds for a
// 3x3 convolution of stride 1 in 4x4 tiles, 25/9 times for 5x5 in 2x2 tiles (A. Lavin, S. Gray, "Fast Algorithms for
// Convolutional Neural Networks", 2016). At least 1.
[[nodiscard]] double workRatio(const plan::Plan& plan);

// Work per step, in the unit of the throughput: samples or tokens, for micro-benchmarks FLOPs, bytes or operations of
// the plan. The plan is null if only the input pipeline is timed.
[[nodiscard]] double workOfStep(const model::Workload& workload, const Case& spec, const plan::Plan* plan);

// For a sustained case: whether the speed dropped.
void recordSustained(CaseRecord& record);

// Rates of the record's mean step (must be set) relative to peaks measured now with the same threads and kernels; also
// records how long that took. The bandwidth peak sums arrays of the given size in MiB; for a language model whose
// weights were read between the windows of its steps it is applyWeightBandwidth() (protocol/visits.h), since the
// bandwidth of a shared machine changes within a second. The condition "peak_bytes_of" says which.
void recordUtilization(CaseRecord& record, compute::Backend& backend, plan::Precision precision,
                       const compute::CompileOptions& options, std::int64_t mebibytes, const Clock& clock);

}  // namespace steelyard::bench
