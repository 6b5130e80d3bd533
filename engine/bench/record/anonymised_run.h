// SPDX-License-Identifier: Apache-2.0
// Removes personal information from a run before it is exported or reported. Pure function.
#pragma once

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Data folders are reduced to their last component, in cases, reasons and warnings.
[[nodiscard]] RunRecord anonymised(RunRecord run);

}  // namespace steelyard::bench
