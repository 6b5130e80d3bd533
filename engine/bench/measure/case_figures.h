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

// What the throughput of a step counts: samples or tokens, or for micro-cases FLOPs, bytes or operations of the plan,
// which is null when only the input pipeline is timed.
[[nodiscard]] double workOfStep(const model::Workload& workload, const Case& spec, const plan::Plan* plan);

// Of a sustained case: whether the speed lasted.
void recordSustained(CaseRecord& record);

// The rates of the record's mean step, which is there, against peaks that are measured now, with the same threads and
// kernels; and how long that took.
void recordUtilization(CaseRecord& record, compute::Backend& backend, plan::Precision precision,
                       const compute::CompileOptions& options, const Clock& clock);

}  // namespace steelyard::bench
