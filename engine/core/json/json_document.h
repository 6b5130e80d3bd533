// SPDX-License-Identifier: Apache-2.0
// Conversion between JSON texts and structs, using their field lists. For the engine's .cpp files, like json.h.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"

namespace steelyard {

// Parses an object; read(reader, value) may read additional members. On failure the subject is the path of the first
// invalid member, without the document's name.
template <typename T, typename Read>
[[nodiscard]] Result<T> readDocument(std::string_view text, Read read) {
    ASSIGN(const auto json, parseJson(text));
    std::optional<Error> error;
    T value{};
    JsonReader reader(json, {}, error);
    if (!error) read(reader, value);
    if (error) return Failure(std::move(*error));
    return value;
}
template <HasFields T>
[[nodiscard]] Result<T> readDocument(std::string_view text) {
    return readDocument<T>(text, [](JsonReader& reader, T& value) { reader.readFields(value); });
}

}  // namespace steelyard
