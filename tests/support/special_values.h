// SPDX-License-Identifier: Apache-2.0
// Values frequently used in numeric tests.
#pragma once

#include <limits>

namespace steelyard::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace steelyard::test
