// SPDX-License-Identifier: Apache-2.0
// The schema of network files agrees with the reader's tables: it is generated from them here and compared, except for
// descriptions.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/model/file/network_layers.h"

namespace steelyard::model {
namespace {

using nlohmann::json;

json numberOf(const MemberRule& rule, const char* type) {
    const auto plain = [](double value) {
        return value == std::floor(value) ? json(static_cast<std::int64_t>(value)) : json(value);
    };
    return {{"type", type}, {"minimum", plain(rule.low)}, {"maximum", plain(rule.high)}};
}

json arrayOf(const json& items, std::size_t least, std::size_t most) {
    return {{"type", "array"}, {"items", items}, {"minItems", least}, {"maxItems", most}};
}

json schemaOf(const MemberRule& rule) {
    using T = MemberRule::Type;
    switch (rule.type) {
        case T::Whole:
            return numberOf(rule, "integer");
        case T::Real:
            return numberOf(rule, "number");
        case T::Flag:
            return {{"type", "boolean"}};
        case T::Word:
            return {{"enum", rule.words}};
        case T::Text:
            return {{"type", "string"}, {"minLength", 1}};
        case T::Wholes:
            return arrayOf(numberOf(rule, "integer"), rule.least, rule.most);
        case T::Extent:
            return {{"anyOf", {numberOf(rule, "integer"), arrayOf(numberOf(rule, "integer"), 2, 2)}}};
        case T::Padding:
            return {{"anyOf",
                     {{{"const", "same"}},
                      numberOf(rule, "integer"),
                      arrayOf(numberOf(rule, "integer"), 2, 2),
                      arrayOf(numberOf(rule, "integer"), 4, 4)}}};
        case T::Texts:
            return arrayOf({{"type", "string"}}, rule.least, rule.most);
        case T::Object:
            return {{"$ref", "#/$defs/" + std::string(rule.name)}};
        case T::Objects:
            return arrayOf({{"$ref", "#/$defs/" + std::string(rule.name).substr(0, rule.name.size() - 1)}}, rule.least,
                           rule.most);
    }
    return {};
}

json objectOf(const MemberRules& rules, const MemberRules& more = {}) {
    json result{{"type", "object"}, {"required", json::array()}, {"additionalProperties", false}};
    for (const auto* list : {&rules, &more}) {
        for (const auto& rule : *list) {
            result["properties"][std::string(rule.name)] = schemaOf(rule);
            if (rule.required) result["required"].push_back(rule.name);
        }
    }
    return result;
}

json wholeSchema() {
    json schema = objectOf(documentRules());
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["$id"] = "network.schema.json";
    auto& parts = schema["$defs"];
    parts["optimizer"] = objectOf(optimizerRules());
    parts["output"] = objectOf(outputRules());
    for (const auto& entry : layerEntries()) {
        const std::string kind(entry.kind);
        parts[kind] = objectOf(layerRules(), entry.rules);
        parts[kind]["properties"]["kind"] = {{"const", kind}};
        parts["layer"]["oneOf"].push_back({{"$ref", "#/$defs/" + kind}});
    }
    return schema;
}

json withoutRemarks(json value) {
    if (!value.is_structured()) return value;  // a plain value iterates over itself
    if (value.is_object()) {
        if (value.contains("description") && value["description"].is_string()) value.erase("description");
        if (value.contains("title") && value["title"].is_string()) value.erase("title");
    }
    for (auto& part : value) part = withoutRemarks(part);
    return value;
}

TEST(NetworkSchema, SaysWhatTheReaderReads) {
    const std::string path = std::string(STEELYARD_SOURCE_DIR) + "/resources/schemas/network.schema.json";
    std::ifstream stream(path);
    const auto written = withoutRemarks(json::parse(stream, nullptr, false));
    EXPECT_TRUE(written == wholeSchema()) << "the tables say\n" << wholeSchema().dump(2);
}

TEST(NetworkSchema, EveryKindOfLayerIsThere) {
    std::set<std::string_view> kinds;
    for (const auto& entry : layerEntries()) {
        kinds.insert(entry.kind);
        const auto nothing = Json::object();
        if (entry.kind == "input" || entry.kind == "conv2d" || entry.kind == "pool2d") continue;
        EXPECT_EQ(kindName(entry.make(nothing, {{4, 4}})), entry.kind);
    }
    EXPECT_EQ(kinds.size() + 3, std::variant_size_v<Layer>)
        << "a product is for measuring, array operations and constants come from ONNX files";
}

}  // namespace
}  // namespace steelyard::model
