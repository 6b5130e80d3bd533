// SPDX-License-Identifier: Apache-2.0
// Where a step has memory to spare: its tensors need most during a few operations, and scratch memory of the others is
// free as long as it stays below that.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// For each operation of the plan, in bytes: how much less than at the worst operation lives during it. Of the tensors
// as the plan has them, lifetimes from the operations' own reads and writes; 0 at the worst one. Pure.
[[nodiscard]] std::vector<std::int64_t> headroomBeside(const plan::Plan& plan);

}  // namespace steelyard::compute::cpu
