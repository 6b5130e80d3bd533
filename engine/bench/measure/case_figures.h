// SPDX-License-Identifier: Apache-2.0
// What a record says besides the samples: planned memory, work, utilisation, how an error ended a case. Functions
// without state; those that time something do so on the calling thread.
#pragma once

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {

[[nodiscard]] Status statusOf(ErrorKind kind);

// Seconds: the smallest step the clock is seen to make.
[[nodiscard]] double clockResolution(const Clock& clock);

void recordPlannedMemory(MemoryUse& use, const compute::MemoryFigures& planned);

// The operations that are counted over the fewest that a known algorithm does them with: Winograd's takes 4 times fewer
// multiply-adds for a 3x3 convolution of stride 1 in tiles of 4x4, 25/9 times for 5x5 in tiles of 2x2 (A. Lavin, S.
// Gray, "Fast Algorithms for Convolutional Neural Networks", 2016). At least 1.
[[nodiscard]] double workRatio(const plan::Plan& plan);

// What the throughput of a step counts: samples or tokens, or for micro-cases FLOPs, bytes or operations of the plan,
// which is null when only the input pipeline is timed.
[[nodiscard]] double workOfStep(const model::Workload& workload, const Case& spec, const plan::Plan* plan);

// Of a sustained case: whether the speed lasted.
void recordSustained(CaseRecord& record);

// The rates of the record's mean step, which is there, against peaks that are measured now, with the same threads and
// kernels; and how long that took. The bandwidth is that of sums of arrays of so many MiB, of a language model that of
// reading; the condition "peak_bytes_of" says which.
void recordUtilization(CaseRecord& record, compute::Backend& backend, plan::Precision precision,
                       const compute::CompileOptions& options, std::int64_t mebibytes, const Clock& clock);

}  // namespace steelyard::bench
