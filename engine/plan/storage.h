// SPDX-License-Identifier: Apache-2.0
// In-place sharing of memory between tensors, lifetimes of storages, and total sizes. Internal to engine/plan: called
// by lower() once the operations are complete.
#pragma once

#include "engine/plan/plan.h"

namespace steelyard::plan {

void assignStorages(Plan& plan);
void planMemory(Plan& plan);

}  // namespace steelyard::plan
