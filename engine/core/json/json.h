// SPDX-License-Identifier: Apache-2.0
// JSON text to values and back, for the .cpp files of the engine: this header names the JSON library, so no public
// header includes it (tests/architecture). All text from outside passes parseJson() or JsonDocument::parse(), which
// limit size and nesting; all strings and names pass one function (json.cpp, `acceptText`). Pure functions; any
// thread.
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

// Keeps the order of insertion, so that files read in the order of their schemas.
using Json = nlohmann::ordered_json;

// JSON has neither NaN nor infinity; such a value is written as null.
[[nodiscard]] Json orNull(double value);
[[nodiscard]] Json orNull(const std::optional<double>& value);
template <typename T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// indent -1: one line. Bytes that are not UTF-8 (host names, paths) become U+FFFD.
[[nodiscard]] std::string dumpJson(const Json& json, int indent = -1);

// "an array", as in "must be a number, not an array".
[[nodiscard]] Message nameOfType(const Json& value);
[[nodiscard]] inline std::string typeName(const Json& value) {
    return nameOfType(value).text;
}

struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 31;
    std::size_t depth = 100;  // of arrays and objects within each other
    // Whether a name may occur twice in an object; the last value counts, as in most programs.
    bool duplicateNames = true;
};

// Failure: CorruptData about `subject`, with the byte offset and "line 3, column 7: ..." as detail.
[[nodiscard]] Result<Json> parseJson(std::string_view text, const std::string& subject = "the JSON text",
                                     const JsonLimits& limits = {});

// The position of a value and of the name of its member: byte offsets in the text.
struct JsonPlace {
    std::size_t value = 0, name = 0;
};

// A document that remembers where each value stood in its text, for files that people write by hand. Errors are
// InvalidArgument with "line 3, column 7: ..." as detail. A name occurs once in an object. Movable; `text` must outlive
// it. Values are named by reference to what root() holds.
class JsonDocument {
public:
    [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, std::string subject, JsonLimits limits);

    [[nodiscard]] const Json& root() const { return *m_root; }
    // The failure `what`, at the first byte of the value, or of the name of the member that holds it.
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
