// SPDX-License-Identifier: Apache-2.0
// Private to the JSON sources of catalog and advisor: reads members of an object into fields and remembers the first
// one that is not what it should be, with its path. After that the remaining reads do nothing, so callers check once at
// the end. Lives on the stack of one call.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/core/error.h"

namespace steelyard::catalog {

using Json = nlohmann::ordered_json;

// Nesting deeper than any of these files is an attack on the parser's stack.
inline constexpr int kMaxJsonDepth = 64;

[[nodiscard]] inline Result<Json> parseJson(std::string_view name, std::string_view text) {
    int depth = 0, deepest = 0;
    for (char c : text) {
        if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
        if (c == '}' || c == ']') --depth;
    }
    if (deepest > kMaxJsonDepth) return fail(ErrorKind::CorruptData, std::string(name), "is nested too deeply");
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        return Failure(Error{ErrorKind::CorruptData,
                             std::string(name),
                             "is not valid JSON",
                             static_cast<std::int64_t>(error.byte),
                             {},
                             {}});
    } catch (const std::exception& error) {
        return fail(ErrorKind::CorruptData, std::string(name), error.what());
    }
}

class JsonReader {
public:
    JsonReader(const Json& object, std::string path, std::optional<Error>& error)
        : m_object(object), m_path(std::move(path)), m_error(error) {
        if (!object.is_object()) refuse("", "should be an object");
    }

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    void refuse(std::string_view key, std::string_view why) {
        if (!m_error) m_error = Error{ErrorKind::CorruptData, pathOf(key), std::string(why), {}, {}, {}};
    }
    [[nodiscard]] std::string pathOf(std::string_view key) const {
        return key.empty() ? m_path : fmt::format("{}.{}", m_path, key);
    }

    // The member, or nullptr when it is absent or null.
    [[nodiscard]] const Json* find(std::string_view key) const {
        if (m_error || !m_object.is_object()) return nullptr;
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

    template <typename T>
    void read(std::string_view key, T& target) {
        if (const auto* member = find(key)) convert(key, *member, target);
    }
    template <typename T>
    void read(std::string_view key, std::optional<T>& target) {
        if (const auto* member = find(key)) convert(key, *member, target.emplace());
    }
    template <typename T>
    void require(std::string_view key, T& target) {
        if (const auto* member = find(key)) {
            convert(key, *member, target);
        } else {
            refuse(key, "is missing");
        }
    }
    // A figure that cannot be zero or below: absent is the way to say unknown.
    void requirePositive(std::string_view key, double& target) {
        require(key, target);
        if (!m_error && target <= 0) refuse(key, "should be greater than 0");
    }
    template <typename T, typename FromString>
    void readName(std::string_view key, T& target, FromString fromString) {
        std::string name;
        if (!find(key)) return;
        read(key, name);
        if (m_error) return;
        if (const auto value = fromString(name)) {
            target = *value;
        } else {
            refuse(key, fmt::format("has the unknown value \"{}\"", name));
        }
    }
    // Calls each(reader of the member object) for the elements of an array of objects.
    template <typename Each>
    void eachObject(std::string_view key, Each each) {
        const auto* member = find(key);
        if (member == nullptr) return;
        if (!member->is_array()) return refuse(key, "should be a list");
        for (std::size_t i = 0; i < member->size() && !m_error; ++i) {
            JsonReader element((*member)[i], fmt::format("{}[{}]", pathOf(key), i), m_error);
            if (!m_error) each(element);
        }
    }
    template <typename Use>
    void object(std::string_view key, Use use) {
        const auto* member = find(key);
        if (member == nullptr) return;
        JsonReader reader(*member, pathOf(key), m_error);
        if (!m_error) use(reader);
    }
    // The format's name and version: CorruptData for another format, VersionTooNew for a later version.
    void requireFormat(std::string_view format, int newest) {
        std::string name;
        int version = 0;
        require("format", name);
        require("version", version);
        if (m_error) return;
        if (name != format) refuse("format", fmt::format("is \"{}\", not \"{}\"", name, format));
        if (!m_error && version > newest)
            m_error = Error{ErrorKind::VersionTooNew, m_path, fmt::format("version {}", version), {}, {}, {}};
    }

private:
    template <typename T>
    void convert(std::string_view key, const Json& value, T& target) {
        if constexpr (std::is_same_v<T, bool>) {
            if (!value.is_boolean()) return refuse(key, "should be true or false");
            target = value.get<bool>();
        } else if constexpr (std::is_arithmetic_v<T>) {
            if (!value.is_number()) return refuse(key, "should be a number");
            const auto number = value.get<double>();
            if (!std::isfinite(number) || std::abs(number) > 1e30) return refuse(key, "is not a plausible number");
            if (std::is_integral_v<T> && (number != std::floor(number) || std::abs(number) > 9e15))
                return refuse(key, "should be a whole number");
            target = static_cast<T>(number);
        } else {
            if (!value.is_string()) return refuse(key, "should be text");
            target = value.get<std::string>();
        }
    }

    const Json& m_object;
    std::string m_path;
    std::optional<Error>& m_error;
};

template <typename T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}
[[nodiscard]] inline Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
[[nodiscard]] inline std::string dump(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace steelyard::catalog
