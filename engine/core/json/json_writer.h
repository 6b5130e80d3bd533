// SPDX-License-Identifier: Apache-2.0
// Values to JSON, structs by their field lists (core/fields.h). For the engine's .cpp files, like json.h. Unknown
// becomes null, as do non-finite numbers and objects with a non-finite required number; in lists such elements are
// omitted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/json/json.h"
#include "engine/core/json/message_json.h"

namespace steelyard {

template <typename T>
[[nodiscard]] Json toJsonValue(const T& value);

class FieldWriter {
public:
    explicit FieldWriter(Json& object) : m_object(object) {}

    template <typename T>
    void operator()(const Field& field, const T& member) {
        if constexpr (std::is_same_v<T, Message>) return writeMessage(m_object, std::string(field.name), member);
        if constexpr (std::is_same_v<T, std::vector<Message>>)
            return writeMessages(m_object, std::string(field.name), member);
        if constexpr (std::is_same_v<T, std::string>) {
            if (field.isDocument) return put(field, documentOf(member));
        }
        put(field, toJsonValue(member));
    }
    template <typename Make>
    void derived(std::string_view name, const Make& make) {
        m_object[std::string(name)] = toJsonValue(make());
    }

private:
    void put(const Field& field, Json value) {
        if (field.isOmitted && (value.is_null() || (value.is_array() && value.empty()))) return;
        auto& object = field.object.empty() ? m_object : m_object[std::string(field.object)];
        object[std::string(field.name)] = std::move(value);
    }
    // Null if it is empty or not JSON.
    [[nodiscard]] static Json documentOf(const std::string& text) {
        if (text.empty()) return nullptr;
        auto document = parseJson(text);
        return document ? std::move(*document) : Json(nullptr);
    }

    Json& m_object;
};

namespace json_detail {
template <typename T>
struct Write {
    static Json apply(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            return Json(toString(value));
        } else if constexpr (std::is_floating_point_v<T>) {
            return orNull(value);
        } else if constexpr (HasFields<const T>) {
            if (!isKnown(value)) return nullptr;
            auto object = Json::object();
            visitFields(value, FieldWriter(object));
            return object;
        } else if constexpr (std::is_same_v<T, Message>) {
            return Json(value.text);
        } else if constexpr (IsQuantity<T>) {
            return toJsonValue(value.value());
        } else {
            return Json(value);
        }
    }
};
template <typename T>
struct Write<std::optional<T>> {
    static Json apply(const std::optional<T>& value) { return value ? toJsonValue(*value) : Json(nullptr); }
};
template <typename T>
struct Write<std::vector<T>> {
    static Json apply(const std::vector<T>& list) {
        auto array = Json::array();
        for (const auto& element : list)
            if (auto value = toJsonValue(element); !value.is_null()) array.push_back(std::move(value));
        return array;
    }
};
}  // namespace json_detail

template <typename T>
[[nodiscard]] Json toJsonValue(const T& value) {
    return json_detail::Write<T>::apply(value);
}

}  // namespace steelyard
