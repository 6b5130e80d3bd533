// SPDX-License-Identifier: Apache-2.0
// JSON parsing and output for the engine's .cpp files: this header exposes the JSON library, so no public header
// includes it (tests/architecture). All external text goes through parseJson() or JsonDocument::parse(), which limit
// size and nesting; all strings and names go through one function (json.cpp, `acceptText`). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/error.h"

namespace steelyard {

// Preserves insertion order, so that files follow the order of their schemas.
using Json = nlohmann::ordered_json;

// JSON has neither NaN nor infinity; such a value is written as null.
[[nodiscard]] Json orNull(double value);
[[nodiscard]] Json orNull(const std::optional<double>& value);
template <typename T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// indent -1: one line. Invalid UTF-8 (host names, paths) becomes U+FFFD.
[[nodiscard]] std::string dumpJson(const Json& json, int indent = -1);

// "an array", as in "must be a number, not an array".
[[nodiscard]] Message nameOfType(const Json& value);
[[nodiscard]] inline std::string typeName(const Json& value) {
    return nameOfType(value).text;
}

struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 31;
    std::size_t depth = 100;  // nesting of arrays and objects
    // Whether object members may be duplicated; the last value counts, as in most parsers.
    bool duplicateNames = true;
};

// Failure: CorruptData about `subject`, with the byte offset and "line 3, column 7: ..." as detail.
[[nodiscard]] Result<Json> parseJson(std::string_view text, const std::string& subject = "the JSON text",
                                     const JsonLimits& limits = {});

// Byte offsets of a value and of its member name in the text.
struct JsonPlace {
    std::size_t value = 0, name = 0;
};

// A document that keeps the positions of its values in the text, for hand-written files. Errors are InvalidArgument
// with "line 3, column 7: ..." as detail. Duplicate names are refused. Movable; `text` must outlive it. Values are
// identified by reference into root().
class JsonDocument {
public:
    [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, std::string subject, JsonLimits limits);

    [[nodiscard]] const Json& root() const { return *m_root; }
    // The error `what`, located at the first byte of the value, or of its member name.
    [[nodiscard]] Failure failAt(const Json& value, Message what) const;
    [[nodiscard]] Failure failAtName(const Json& value, Message what) const;

private:
    JsonDocument() = default;
    void index(const Json& value, const std::vector<JsonPlace>& places, std::size_t& next);
    [[nodiscard]] JsonPlace placeOf(const Json& value) const;

    std::string_view m_text;
    std::string m_subject;
    std::unique_ptr<const Json> m_root;
    std::unordered_map<const Json*, JsonPlace> m_places;
};

}  // namespace steelyard
