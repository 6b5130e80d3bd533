// SPDX-License-Identifier: Apache-2.0
// A run as it may be given away, in exported files and reports. Pure function.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Folders of data keep their last name, in the cases and wherever a reason or a warning tells the way to them.
[[nodiscard]] RunRecord withoutFolders(RunRecord run);

}  // namespace steelyard::bench
