// SPDX-License-Identifier: Apache-2.0
// Unused memory during a step: memory use peaks during a few operations, and scratch memory of the others is free as
// long as it stays below that peak.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// Per operation of the plan, in bytes: the peak minus the live memory during it. For the tensors of the plan, with
// lifetimes from the operations' reads and writes; 0 at the peak. Pure.
[[nodiscard]] std::vector<std::int64_t> headroomBeside(const plan::Plan& plan);

}  // namespace steelyard::compute::cpu
