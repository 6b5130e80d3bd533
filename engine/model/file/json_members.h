// SPDX-License-Identifier: Apache-2.0
// Rules for the members of objects in network files, validation, and access afterwards. Internal to the .cpp files of
// engine/model/file and its tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/json/json.h"
#include "engine/model/layer.h"

namespace steelyard::model {

struct MemberRule {
    enum class Type {
        Whole,    // an integer
        Real,     // a number
        Flag,     // true or false
        Word,     // one of `words`
        Text,     // a non-empty string
        Wholes,   // an array of `least` to `most` integers
        Extent,   // an integer, or [height, width]
        Padding,  // a whole number, [height, width], [top, left, bottom, right] or "same"
        Texts,    // an array of strings
        Object,
        Objects,  // an array of objects
    };
    std::string_view name;
    Type type = Type::Whole;
    bool required = false;
    double low = 0, high = 0;         // of each number
    std::size_t least = 1, most = 1;  // of an array
    std::vector<std::string_view> words;
};
using MemberRules = std::vector<MemberRule>;

// Files written by hand are small.
inline constexpr JsonLimits kNetworkLimits{.bytes = std::size_t{1} << 20, .depth = 16};

// Checks that all members are known (by either list), of the right type, in range, and complete.
[[nodiscard]] Result<void> checkObject(const JsonDocument& document, const Json& object, const MemberRules& rules,
                                       const MemberRules& more = {});

// The member, or nullptr.
[[nodiscard]] const Json* memberOf(const Json& object, std::string_view name);
// Values of a validated object; `standard` if the member is absent.
[[nodiscard]] std::int64_t wholeOf(const Json& object, std::string_view name, std::int64_t standard);
[[nodiscard]] double realOf(const Json& object, std::string_view name, double standard);
[[nodiscard]] bool flagOf(const Json& object, std::string_view name, bool standard);
[[nodiscard]] std::string textOf(const Json& object, std::string_view name, std::string_view standard = {});
[[nodiscard]] std::vector<std::int64_t> wholesOf(const Json& object, std::string_view name);
[[nodiscard]] Size2d extentOf(const Json& object, std::string_view name, Size2d standard);

}  // namespace steelyard::model
