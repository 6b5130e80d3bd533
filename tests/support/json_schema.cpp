// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace steelyard::test {
namespace {

using nlohmann::json;
using Problems = std::vector<std::string>;

class Validator {
public:
    Validator(std::filesystem::path folder, Undeclared undeclared)
        : m_folder(std::move(folder)), m_undeclared(undeclared) {}

    void checkReference(const std::string& reference, const std::string& currentFile, const json& value,
                        const std::string& path, Problems& problems) {
        const auto hash = reference.find('#');
        const auto file = hash == 0 ? currentFile : reference.substr(0, hash);
        const json* schema = load(file, problems);
        if (schema == nullptr) return;
        const json::json_pointer pointer(hash == std::string::npos ? "" : reference.substr(hash + 1));
        if (!schema->contains(pointer)) return add(problems, path, "the schema has no " + reference);
        check(schema->at(pointer), file, value, path, problems);
    }

private:
    static void add(Problems& problems, const std::string& path, const std::string& text) {
        problems.push_back(fmt::format("{}: {}", path.empty() ? "document" : path, text));
    }

    const json* load(const std::string& file, Problems& problems) {
        const auto known = m_files.find(file);
        if (known != m_files.end()) return &known->second;
        std::ifstream stream(m_folder / file);
        if (file.find('/') != std::string::npos || !stream) {
            add(problems, file, "no such schema");
            return nullptr;
        }
        return &m_files.emplace(file, json::parse(stream)).first->second;
    }

    void check(const json& schema, const std::string& file, const json& value, const std::string& path,
               Problems& problems) {
        for (const auto& [keyword, rule] : schema.items()) {
            if (keyword == "$ref") {
                checkReference(rule.get<std::string>(), file, value, path, problems);
            } else if (keyword == "anyOf" || keyword == "oneOf") {
                checkChoice(rule, file, value, path, keyword == "oneOf", problems);
            } else if (keyword == "allOf") {
                for (const auto& part : rule) check(part, file, value, path, problems);
            } else if (keyword == "if") {
                Problems ignored;
                check(rule, file, value, path, ignored);
                if (ignored.empty() && schema.contains("then")) check(schema["then"], file, value, path, problems);
            } else if (keyword == "properties" || keyword == "additionalProperties" || keyword == "required") {
                if (value.is_object()) checkMembers(schema, keyword, file, value, path, problems);
            } else if (keyword == "items") {
                for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
                    check(rule, file, value[i], fmt::format("{}[{}]", path, i), problems);
                }
            } else {
                checkValue(keyword, rule, value, path, problems);
            }
        }
        if (m_undeclared == Undeclared::Reported) reportUndeclared(schema, value, path, problems);
    }

    void checkChoice(const json& choices, const std::string& file, const json& value, const std::string& path,
                     bool exactlyOne, Problems& problems) {
        int fitting = 0;
        Problems last;
        for (const auto& choice : choices) {
            last.clear();
            check(choice, file, value, path, last);
            if (last.empty()) ++fitting;
        }
        if (fitting == 0) {
            add(problems, path, "fits none of the choices");
            problems.insert(problems.end(), last.begin(), last.end());
        }
        if (exactlyOne && fitting > 1) add(problems, path, "fits more than one choice");
    }

    void checkMembers(const json& schema, const std::string& keyword, const std::string& file, const json& value,
                      const std::string& path, Problems& problems) {
        const auto& rule = schema[keyword];
        const auto pathOf = [&path](const std::string& key) { return path.empty() ? key : path + "." + key; };
        if (keyword == "required") {
            for (const auto& key : rule) {
                if (!value.contains(key)) add(problems, pathOf(key.get<std::string>()), "is missing");
            }
            return;
        }
        for (const auto& [key, member] : value.items()) {
            const bool declared = schema.contains("properties") && schema["properties"].contains(key);
            if (keyword == "properties" && declared) check(rule[key], file, member, pathOf(key), problems);
            if (keyword != "additionalProperties" || declared) continue;
            if (rule.is_boolean()) {
                if (!rule.get<bool>()) add(problems, pathOf(key), "is not allowed");
            } else {
                check(rule, file, member, pathOf(key), problems);
            }
        }
    }

    static bool hasType(const std::string& type, const json& value) {
        if (type == "null") return value.is_null();
        if (type == "boolean") return value.is_boolean();
        if (type == "string") return value.is_string();
        if (type == "array") return value.is_array();
        if (type == "object") return value.is_object();
        if (type == "number") return value.is_number();
        if (type == "integer") {
            return value.is_number_integer() || (value.is_number() && std::floor(value.get<double>()) == value);
        }
        return false;
    }

    static void checkValue(const std::string& keyword, const json& rule, const json& value, const std::string& path,
                           Problems& problems) {
        static const std::set<std::string> kAnnotations{"$schema", "$id", "$defs", "title", "description", "then"};
        bool valid = true;
        if (keyword == "type") {
            const auto types = rule.is_array() ? rule : json::array({rule});
            valid = std::any_of(types.begin(), types.end(),
                                [&value](const json& type) { return hasType(type.get<std::string>(), value); });
        } else if (keyword == "enum") {
            valid = std::find(rule.begin(), rule.end(), value) != rule.end();
        } else if (keyword == "const") {
            valid = value == rule;
        } else if (keyword == "minimum") {
            valid = !value.is_number() || value.get<double>() >= rule.get<double>();
        } else if (keyword == "exclusiveMinimum") {
            valid = !value.is_number() || value.get<double>() > rule.get<double>();
        } else if (keyword == "maximum") {
            valid = !value.is_number() || value.get<double>() <= rule.get<double>();
        } else if (keyword == "minItems") {
            valid = !value.is_array() || value.size() >= rule.get<std::size_t>();
        } else if (keyword == "maxItems") {
            valid = !value.is_array() || value.size() <= rule.get<std::size_t>();
        } else if (keyword == "minLength") {
            valid = !value.is_string() || value.get<std::string>().size() >= rule.get<std::size_t>();
        } else if (keyword == "pattern") {
            valid =
                !value.is_string() || std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
        } else if (!kAnnotations.contains(keyword)) {
            return add(problems, path, "the test's validator does not know the keyword " + keyword);
        }
        if (!valid) add(problems, path, fmt::format("{} {} does not hold for {}", keyword, rule.dump(), value.dump()));
    }

    static void reportUndeclared(const json& schema, const json& value, const std::string& path, Problems& problems) {
        // A subschema with only `required` (the branch of a condition) declares no members.
        if (!value.is_object() || !schema.contains("type") || !schema.contains("properties")) return;
        if (schema.contains("additionalProperties")) return;
        for (const auto& [key, member] : value.items()) {
            if (!schema["properties"].contains(key)) add(problems, path, "the schema does not declare " + key);
        }
    }

    std::filesystem::path m_folder;
    Undeclared m_undeclared;
    std::map<std::string, json> m_files;
};

}  // namespace

std::vector<std::string> schemaProblems(const std::filesystem::path& folder, const std::string& schema,
                                        std::string_view document, Undeclared undeclared) {
    Problems problems;
    const auto value = json::parse(document, nullptr, false);
    if (value.is_discarded()) return {"document: is not JSON"};
    Validator(folder, undeclared).checkReference(schema, schema, value, "", problems);
    return problems;
}

}  // namespace steelyard::test
