// SPDX-License-Identifier: Apache-2.0
// The parts of a workload name of a language model: base(name=value,...)#hash. Internal to engine/model/decoder.
#pragma once

#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::model {

struct NameParts {
    std::string_view base, options, hash;
    bool isWhole = true;  // balanced parentheses
};
[[nodiscard]] NameParts partsOf(std::string_view text);

struct GivenOption {
    std::string_view name, value;
};
// InvalidArgument for an option without a value.
[[nodiscard]] Result<std::vector<GivenOption>> optionsIn(std::string_view list);

}  // namespace steelyard::model
