// SPDX-License-Identifier: Apache-2.0
// Which tensors may share memory, how long each piece of memory must hold, and what all of it comes to. Internal to
// engine/plan: lower() calls it once the operations are complete.
#pragma once

#include "engine/plan/plan.h"

namespace steelyard::plan {

void assignStorages(Plan& plan);
void planMemory(Plan& plan);

}  // namespace steelyard::plan
