// SPDX-License-Identifier: Apache-2.0
// A small JSON document as a tree that remembers where each value stood, so that an error can name line and column.
// Internal to engine/model. For files that people write by hand: size and depth are limited, a member must not occur
// twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::model {

struct JsonMember;

struct JsonValue {
    enum class Kind { Null, Boolean, Integer, Number, String, Array, Object };
    Kind kind = Kind::Null;
    std::size_t offset = 0;  // of its first byte in the text
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0;  // of an Integer too
    std::string text;
    std::vector<JsonValue> items;
    std::vector<JsonMember> members;  // in the order of the text

    [[nodiscard]] const JsonMember* find(std::string_view name) const;
};

struct JsonMember {
    std::string name;
    std::size_t offset = 0;  // of the name
    JsonValue value;
};

[[nodiscard]] std::string_view toString(JsonValue::Kind kind);  // "an array"

struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 20;
    std::size_t depth = 16;
};

// InvalidArgument with "line 3, column 7: ..." as detail, `subject` as subject and the offset.
[[nodiscard]] Result<JsonValue> parseJson(std::string_view text, const std::string& subject,
                                          const JsonLimits& limits = {});
[[nodiscard]] Failure failAt(std::string_view text, std::size_t offset, const std::string& subject,
                             const std::string& what);

}  // namespace steelyard::model
