// SPDX-License-Identifier: Apache-2.0
// Fuzz targets for tables and documents: networks, studies, measurements, exports, prices, the history.
#pragma once

#include "tests/fuzz/targets.h"

namespace steelyard::test {

[[nodiscard]] std::span<const FuzzTarget> documentTargets();

}  // namespace steelyard::test
