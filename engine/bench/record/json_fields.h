// SPDX-License-Identifier: Apache-2.0
// Private to the JSON sources of this folder: reading members of a JSON object into fields, remembering the first
// member that is not what it should be. After a failure the remaining reads do nothing, so callers check once at the
// end. Not thread-safe; lives on the stack of one call.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/core/error.h"

namespace steelyard::bench {

// Keeps the order of insertion, so that files read in the order of the contract.
using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity; a figure that is neither is unknown.
[[nodiscard]] inline Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
[[nodiscard]] inline Json number(const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
}
template <typename T>
[[nodiscard]] Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

[[nodiscard]] inline std::string dump(const Json& json, int indent) {
    // Host names and paths may hold bytes that are not UTF-8: they become U+FFFD instead of an exception.
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

[[nodiscard]] inline std::string_view typeName(const Json& value) {
    if (value.is_null()) return "null";
    if (value.is_boolean()) return "a truth value";
    if (value.is_number_integer()) return "an integer";
    if (value.is_number()) return "a number";
    if (value.is_string()) return "a string";
    if (value.is_array()) return "an array";
    return "an object";
}

// Parses a whole text. Failure: CorruptData with the byte offset.
[[nodiscard]] Result<Json> parseJson(std::string_view text);

inline constexpr double kAnySign = -std::numeric_limits<double>::infinity();

class ObjectReader {
public:
    ObjectReader(const Json& value, std::string path, std::optional<Error>& error)
        : m_path(std::move(path)), m_error(error) {
        if (value.is_object()) {
            m_object = &value;
        } else {
            refuse(m_path, "an object", value);
        }
    }

    // The member, or nullptr when it is absent, null, or something already failed.
    [[nodiscard]] const Json* find(std::string_view key) const {
        if (m_error || m_object == nullptr) return nullptr;
        const auto found = m_object->find(key);
        return found == m_object->end() || found->is_null() ? nullptr : &*found;
    }
    // As find(), but absence is a failure.
    [[nodiscard]] const Json* demand(std::string_view key) {
        const auto* member = find(key);
        if (member == nullptr && !m_error && m_object != nullptr) {
            m_error = Error{ErrorKind::CorruptData, pathOf(key), "is missing", {}, {}, {}};
        }
        return member;
    }

    // Absent and null leave the target as it is (and a std::optional empty).
    template <typename T>
    void read(std::string_view key, T& target, double minimum = 0) {
        if (const auto* member = find(key)) convert(*member, key, target, minimum);
    }
    template <typename T>
    void require(std::string_view key, T& target, double minimum = 0) {
        if (const auto* member = demand(key)) convert(*member, key, target, minimum);
    }
    // A name of an enumeration, by its fromString function.
    template <typename Target, typename FromString>
    void readName(std::string_view key, Target& target, FromString fromString) {
        const auto* member = find(key);
        if (member == nullptr) return;
        std::string name;
        convert(*member, key, name, 0);
        if (m_error) return;
        const auto value = fromString(name);
        if (!value) {
            m_error = Error{ErrorKind::CorruptData, pathOf(key), fmt::format("unknown name \"{}\"", name), {}, {}, {}};
            return;
        }
        target = *value;
    }
    // Calls `element(member, path)` for each element of an array.
    template <typename Element>
    void readArray(std::string_view key, Element element) {
        const auto* member = find(key);
        if (member == nullptr) return;
        if (!member->is_array()) return refuse(pathOf(key), "an array", *member);
        for (std::size_t i = 0; i < member->size() && !m_error; ++i) {
            element((*member)[i], fmt::format("{}[{}]", pathOf(key), i));
        }
    }

    template <typename T>
    void convert(const Json& value, std::string_view key, std::optional<T>& target, double minimum) {
        T inner{};
        convert(value, key, inner, minimum);
        if (!m_error) target = std::move(inner);
    }
    void convert(const Json& value, std::string_view key, std::string& target, double /*minimum*/) {
        if (!value.is_string()) return refuse(pathOf(key), "a string", value);
        target = value.get<std::string>();
    }
    void convert(const Json& value, std::string_view key, bool& target, double /*minimum*/) {
        if (!value.is_boolean()) return refuse(pathOf(key), "a truth value", value);
        target = value.get<bool>();
    }
    void convert(const Json& value, std::string_view key, double& target, double minimum) {
        if (!value.is_number()) return refuse(pathOf(key), "a number", value);
        const auto result = value.get<double>();
        if (result < minimum) return outOfRange(key, value);
        target = result;
    }
    template <typename Integer>
    requires(std::is_integral_v<Integer> &&
             !std::is_same_v<Integer, bool>) void convert(const Json& value, std::string_view key, Integer& target,
                                                          double minimum) {
        if (!isInteger(value)) return refuse(pathOf(key), "an integer", value);
        if (value.is_number_unsigned()) {
            const auto wide = value.get<std::uint64_t>();
            if (!std::in_range<Integer>(wide) || static_cast<double>(wide) < minimum) return outOfRange(key, value);
            target = static_cast<Integer>(wide);
            return;
        }
        const auto wide = value.get<std::int64_t>();
        if (!std::in_range<Integer>(wide) || static_cast<double>(wide) < minimum) return outOfRange(key, value);
        target = static_cast<Integer>(wide);
    }

    [[nodiscard]] std::string pathOf(std::string_view key) const {
        if (m_path.empty()) return std::string(key);
        if (key.empty()) return m_path;
        return m_path + "." + std::string(key);
    }
    void refuse(std::string path, std::string_view expected, const Json& found) {
        if (m_error) return;
        m_error = Error{ErrorKind::CorruptData,
                        path.empty() ? "the document" : std::move(path),
                        fmt::format("expected {}, found {}", expected, typeName(found)),
                        {},
                        {},
                        {}};
    }

private:
    // 3.0 is an integer to JSON Schema; beyond 2^53 a double no longer tells neighbours apart.
    [[nodiscard]] static bool isInteger(const Json& value) {
        if (value.is_number_integer()) return true;
        if (!value.is_number_float()) return false;
        const auto real = value.get<double>();
        return std::floor(real) == real && std::fabs(real) <= 9007199254740992.0;
    }
    void outOfRange(std::string_view key, const Json& value) {
        if (m_error) return;
        m_error =
            Error{ErrorKind::CorruptData, pathOf(key), fmt::format("{} is out of range", dump(value, -1)), {}, {}, {}};
    }

    const Json* m_object = nullptr;
    std::string m_path;
    std::optional<Error>& m_error;
};

}  // namespace steelyard::bench
