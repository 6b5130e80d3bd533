// SPDX-License-Identifier: Apache-2.0
// Whole texts as structs and back, by their lists of fields. For .cpp files of the engine, as json.h.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"

namespace steelyard {

// Reads an object: read(reader, value) reads more than its fields. Failure: the subject is the first invalid member,
// without the name of the document.
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
