// SPDX-License-Identifier: Apache-2.0
// JSON output of the commands. Invalid UTF-8 becomes U+FFFD instead of an exception.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace steelyard::cli {

[[nodiscard]] inline std::string dumpJson(const nlohmann::ordered_json& document, int indent) {
    return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace steelyard::cli
