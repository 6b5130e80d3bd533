// SPDX-License-Identifier: Apache-2.0
// Reads members of a JSON object into fields and records the first invalid one with its path
// ("runs[1].records[2].case.batch"). Further reads are then no-ops, so callers check once at the end. For the engine's
// .cpp files, like json.h. Not thread-safe; object and error must outlive it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/json/json.h"
#include "engine/core/json/message_json.h"
#include "engine/core/messages/core.h"

namespace steelyard {

class JsonReader {
public:
    // `path`: of the object, empty for an unnamed document.
    JsonReader(const Json& object, std::string path, std::optional<Error>& error)
        : m_object(object), m_path(std::move(path)), m_error(error) {
        if (!object.is_object()) mustBe("", messages::anObject(), object);
    }

    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] std::string pathOf(std::string_view key) const {
        if (m_path.empty()) return std::string(key);
        return key.empty() ? m_path : fmt::format("{}.{}", m_path, key);
    }
    // Records an error about a member, or about the object itself (""), unless there already is one.
    void refuse(std::string_view key, Message why, ErrorKind kind = ErrorKind::CorruptData) {
        if (m_error) return;
        auto path = pathOf(key);
        m_error = Error{kind, std::move(path), std::move(why), {}, {}, {}};
    }
    void mustBe(std::string_view key, Message expected, const Json& found) {
        refuse(key, messages::mustBe(std::move(expected), nameOfType(found)));
    }

    // The member, or nullptr if it is absent or null, or after an error.
    [[nodiscard]] const Json* find(std::string_view key) const {
        if (m_error || !m_object.is_object()) return nullptr;
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    // Like find(), but absence is an error.
    [[nodiscard]] const Json* demand(std::string_view key) {
        const auto* member = find(key);
        if (member == nullptr) refuse(key, messages::isMissing());
        return member;
    }

    // Text, booleans, numbers, enumerations, structs with a field list; optionals and lists of these, and maps of text.
    // Absent and null leave the target unchanged. `lowest`: for numbers.
    template <typename T>
    void read(std::string_view key, T& target, double lowest = 0) {
        if (const auto* member = find(key)) convert(key, *member, target, lowest);
    }
    template <typename T>
    void require(std::string_view key, T& target, double lowest = 0) {
        if (const auto* member = demand(key)) convert(key, *member, target, lowest);
    }
    // A number greater than 0 and at most 1e30, above any plausible figure; an absent member is unknown.
    void requirePositive(std::string_view key, double& target) {
        require(key, target, kAnySign);
        if (!m_error && target <= 0) refuse(key, messages::mustBePositive());
        if (!m_error && target > 1e30) refuse(key, messages::implausible());
    }
    // An enumerator by name, using its fromString function.
    template <typename Target, typename FromString>
    void readName(std::string_view key, Target& target, FromString fromString) {
        const auto* member = find(key);
        if (member == nullptr) return;
        std::string name;
        convert(key, *member, name);
        if (m_error) return;
        if (const auto value = fromString(name)) {
            target = *value;
        } else {
            refuse(key, messages::unknownValue(name));
        }
    }

    // Calls element(value, path) for each element of an array.
    template <typename Element>
    void eachElement(std::string_view key, Element element) {
        const auto* member = find(key);
        if (member == nullptr) return;
        if (!member->is_array()) return mustBe(key, messages::anArray(), *member);
        for (std::size_t i = 0; i < member->size() && !m_error; ++i)
            element((*member)[i], fmt::format("{}[{}]", pathOf(key), i));
    }
    // Calls each(reader) for the elements of an array of objects.
    template <typename Each>
    void eachObject(std::string_view key, Each each) {
        eachElement(key, [&](const Json& element, const std::string& path) {
            JsonReader reader(element, path, m_error);
            if (!m_error) each(reader);
        });
    }
    // A reader of another object that shares the error.
    [[nodiscard]] JsonReader of(const Json& value, std::string path) const {
        return JsonReader(value, std::move(path), m_error);
    }
    // Calls use(reader) if the member is present and an object.
    template <typename Use>
    void object(std::string_view key, Use use) {
        const auto* member = find(key);
        if (member == nullptr) return;
        JsonReader reader(*member, pathOf(key), m_error);
        if (!m_error) use(reader);
    }

    // The format's name and version: CorruptData for another format, VersionTooNew for a newer version.
    void requireFormat(std::string_view format, int newest) {
        std::string name;
        int version = 0;
        require("format", name);
        if (!m_error && name != format) refuse("format", messages::otherFormat(name, format));
        require("version", version, 1);
        if (!m_error && version > newest)
            refuse("", messages::documentVersion(version, newest), ErrorKind::VersionTooNew);
    }

    // All fields of a struct from the members of this object.
    template <HasFields T>
    void readFields(T& target) {
        visitFields(target, FieldReader{*this});
    }

    // Like read(), for a value that is not a member of the object.
    template <typename T>
    void convert(std::string_view key, const Json& value, T& target, double lowest = 0) {
        if constexpr (std::is_same_v<T, bool>) {
            if (!value.is_boolean()) return mustBe(key, messages::trueOrFalse(), value);
            target = value.get<bool>();
        } else if constexpr (std::is_integral_v<T>) {
            convertWhole(key, value, target, lowest);
        } else if constexpr (std::is_floating_point_v<T>) {
            if (!value.is_number()) return mustBe(key, messages::aNumber(), value);
            const auto number = value.get<double>();
            if (number < lowest) return outOfRange(key, value);
            target = number;
        } else if constexpr (std::is_enum_v<T>) {
            convertName(key, value, target);
        } else if constexpr (HasFields<T>) {
            JsonReader members(value, pathOf(key), m_error);
            if (!m_error) members.readFields(target);
        } else if constexpr (IsQuantity<T>) {
            auto number = target.value();
            convert(key, value, number, lowest);
            if (!m_error) target = T(number);
        } else {
            static_assert(std::is_same_v<T, std::string>, "a type that is not read from JSON");
            if (!value.is_string()) return mustBe(key, messages::aString(), value);
            target = value.get_ref<const std::string&>();
        }
    }
    template <typename T>
    void convert(std::string_view key, const Json& value, std::optional<T>& target, double lowest = 0) {
        T inner{};
        convert(key, value, inner, lowest);
        if (!m_error) target = std::move(inner);
    }
    template <typename T>
    void convert(std::string_view key, const Json& value, std::vector<T>& target, double lowest = 0) {
        if (!value.is_array()) return mustBe(key, messages::anArray(), value);
        target.clear();
        target.reserve(value.size());
        for (std::size_t i = 0; i < value.size() && !m_error; ++i) {
            T element{};
            convert(fmt::format("{}[{}]", key, i), value[i], element, lowest);
            target.push_back(std::move(element));
        }
    }
    void convert(std::string_view key, const Json& value, std::map<std::string, std::string>& target, double = 0) {
        JsonReader members(value, pathOf(key), m_error);
        for (auto member = value.begin(); !m_error && member != value.end(); ++member)
            members.convert(member.key(), *member, target[member.key()]);
    }

    // The English text of a message, and the message itself under "<key>_message".
    void convert(std::string_view key, const Json& value, Message& target, double = 0) {
        std::string text;
        convert(key, value, text);
        if (m_error) return;
        target = Message(std::move(text));
        if (m_object.is_object()) readMessageOf(m_object, std::string(key), target);
    }
    // A list of strings, and objects or nulls in the same number under "<key>_messages".
    void convert(std::string_view key, const Json& value, std::vector<Message>& target, double = 0) {
        std::vector<std::string> texts;
        convert(key, value, texts);
        if (m_error) return;
        target.clear();
        for (auto& text : texts) target.emplace_back(std::move(text));
        const auto* beside = find(fmt::format("{}_messages", key));
        if (beside == nullptr || !beside->is_array()) return;
        for (std::size_t i = 0; i < std::min(target.size(), beside->size()); ++i) readMessage((*beside)[i], target[i]);
    }

private:
    struct FieldReader {
        JsonReader& reader;
        template <typename T>
        void operator()(const Field& field, T& member) const {
            if (field.object.empty()) return reader.readField(field, member);
            reader.object(field.object, [&](JsonReader& object) { object.readField(field, member); });
        }
        template <typename Make>
        void derived(std::string_view, const Make&) const {}
    };

    template <typename T>
    void readField(const Field& field, T& member) {
        const auto* value = field.isRequired ? demand(field.name) : find(field.name);
        if (value == nullptr) return;
        if constexpr (std::is_same_v<T, std::string>) {
            if (field.isDocument) {
                if (!value->is_object()) return mustBe(field.name, messages::anObject(), *value);
                member = dumpJson(*value);
                return;
            }
        }
        convert(field.name, *value, member, field.lowest);
    }
    template <typename T>
    void convertName(std::string_view key, const Json& value, T& target) {
        std::string name;
        convert(key, value, name);
        if (m_error) return;
        if (const std::optional<T> known = fromName(std::type_identity<T>{}, name)) {
            target = *known;
        } else {
            refuse(key, messages::unknownValue(name));
        }
    }
    template <typename T>
    void convertWhole(std::string_view key, const Json& value, T& target, double lowest) {
        if (!isWhole(value)) return mustBe(key, messages::aWholeNumber(), value);
        const auto take = [&](auto number) {
            if (!std::in_range<T>(number) || static_cast<double>(number) < lowest) return outOfRange(key, value);
            target = static_cast<T>(number);
        };
        if (value.is_number_unsigned()) return take(value.get<std::uint64_t>());
        take(value.get<std::int64_t>());
    }
    // 3.0 is an integer in JSON Schema; beyond 2^53 a double cannot represent every integer.
    [[nodiscard]] static bool isWhole(const Json& value) {
        if (value.is_number_integer()) return true;
        if (!value.is_number_float()) return false;
        const auto real = value.get<double>();
        return std::floor(real) == real && std::fabs(real) <= 9007199254740992.0;
    }
    void outOfRange(std::string_view key, const Json& value) { refuse(key, messages::outOfRange(dumpJson(value))); }

    const Json& m_object;
    std::string m_path;
    std::optional<Error>& m_error;
};

}  // namespace steelyard
