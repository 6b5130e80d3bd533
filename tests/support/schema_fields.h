// SPDX-License-Identifier: Apache-2.0
// Compares a list of fields (engine/core/fields.h) with the schema of its object, for tests.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/message.h"

namespace steelyard::test {

// Expected properties of the schema according to the field list: one line per difference.
class SchemaOfFields {
public:
    explicit SchemaOfFields(nlohmann::json schema) : m_schema(std::move(schema)) {
        for (const auto& [name, property] : m_schema.at("properties").items()) m_unlisted.insert(name);
        for (const auto& name : m_schema.value("required", nlohmann::json::array()))
            m_required.insert(name.get<std::string>());
    }

    template <typename T>
    void operator()(const Field& field, const T&) {
        const std::string name(field.name);
        if (!field.object.empty()) return;  // part of that object's schema
        if (m_unlisted.erase(name) == 0) return m_problems.push_back(name + " is not in the schema");
        // A message has id and arguments besides its English text (core/json/message_json.h).
        if (std::is_same_v<T, Message>) expectListed(name + "_message");
        if (std::is_same_v<T, std::vector<Message>>) expectListed(name + "_messages");
        if (field.isRequired && !m_required.contains(name)) m_problems.push_back(name + " is not required");
        const auto& property = m_schema.at("properties").at(name);
        if (const auto type = typeOf<T>(); !type.is_null() && !property.contains("enum") && property.at("type") != type)
            m_problems.push_back(name + " is not of type " + type.dump());
        if (isNumber<T>()) {
            const auto lowest = property.contains("minimum") ? property.at("minimum").get<double>() : kAnySign;
            if (lowest != field.lowest) m_problems.push_back(fmt::format("{} begins at {}", name, lowest));
        }
    }
    template <typename Make>
    void derived(std::string_view name, const Make&) {
        m_unlisted.erase(std::string(name));
    }
    void alsoHas(const std::string& name) { m_unlisted.erase(name); }

    [[nodiscard]] std::vector<std::string> problems() const {
        auto problems = m_problems;
        for (const auto& name : m_unlisted) problems.push_back(name + " is in the schema, not in the list");
        return problems;
    }

private:
    void expectListed(const std::string& name) {
        if (m_unlisted.erase(name) == 0) m_problems.push_back(name + " is not in the schema");
    }
    template <typename T>
    static constexpr bool isNumber() {
        using std::is_arithmetic_v, std::is_same_v;
        if constexpr (requires(T & t) { t.has_value(); }) {
            return isNumber<typename T::value_type>();
        } else {
            return is_arithmetic_v<T> && !is_same_v<T, bool>;
        }
    }
    template <typename T>
    static nlohmann::json typeOf() {
        if constexpr (requires(T & t) { t.has_value(); }) {
            const auto inner = typeOf<typename T::value_type>();
            return inner.is_null() ? nlohmann::json() : nlohmann::json{inner, "null"};
        } else if constexpr (std::is_same_v<T, bool>) {
            return "boolean";
        } else if constexpr (std::is_integral_v<T>) {
            return "integer";
        } else if constexpr (std::is_floating_point_v<T>) {
            return "number";
        } else {
            return nlohmann::json();  // text may be an enumeration or a document; objects are compared by their lists
        }
    }

    nlohmann::json m_schema;
    std::set<std::string> m_unlisted, m_required;
    std::vector<std::string> m_problems;
};

// The schema in a file, or in one of its $defs.
inline nlohmann::json schemaOf(const std::filesystem::path& file, const char* part = nullptr) {
    std::ifstream stream(file);
    auto schema = nlohmann::json::parse(stream);
    return part == nullptr ? schema : schema.at("$defs").at(part);
}

// One line per difference; `besides`: members that are written, but not in the list.
template <typename T>
std::vector<std::string> differences(nlohmann::json schema, const std::vector<std::string>& besides = {}) {
    SchemaOfFields check(std::move(schema));
    const T value{};
    visitFields(value, check);
    for (const auto& name : besides) check.alsoHas(name);
    return check.problems();
}

}  // namespace steelyard::test
