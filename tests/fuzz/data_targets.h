// SPDX-License-Identifier: Apache-2.0
// Fuzz targets of engine/data: readers of training data.
#pragma once

#include "tests/fuzz/targets.h"

namespace steelyard::test {

[[nodiscard]] std::span<const FuzzTarget> dataTargets();

}  // namespace steelyard::test
