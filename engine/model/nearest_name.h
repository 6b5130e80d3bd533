// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known name that the fewest changes of a letter turn into what was written.
#pragma once

#include <string_view>
#include <vector>

namespace steelyard::model {

// Empty where nothing is known.
[[nodiscard]] std::string_view nearestName(std::string_view written, const std::vector<std::string_view>& known);

}  // namespace steelyard::model
