// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known name with the smallest edit distance.
#pragma once

#include <string_view>
#include <vector>

namespace steelyard::model {

// Empty if `known` is empty.
[[nodiscard]] std::string_view nearestName(std::string_view written, const std::vector<std::string_view>& known);

}  // namespace steelyard::model
