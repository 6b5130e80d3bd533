// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"

namespace steelyard::test {
namespace {

enum class Colour { Red, Green };
std::string_view toString(Colour colour) {
    return colour == Colour::Red ? "red" : "green";
}
std::optional<Colour> fromName(std::type_identity<Colour>, std::string_view name) {
    if (name == "red") return Colour::Red;
    if (name == "green") return Colour::Green;
    return std::nullopt;
}

struct Leaf {
    double size = 0;
    Colour colour = Colour::Red;

    friend bool operator==(const Leaf&, const Leaf&) = default;
};
template <SameAs<Leaf> T, typename Visitor>
void visitFields(T& leaf, Visitor&& visit) {
    visit(required("size"), leaf.size);
    visit(field("colour"), leaf.colour);
}

struct Tree {
    std::string name;
    std::optional<int> age;
    std::vector<Leaf> leaves;
    std::optional<Leaf> top;
    double warmth = 0;

    friend bool operator==(const Tree&, const Tree&) = default;
};
template <SameAs<Tree> T, typename Visitor>
void visitFields(T& tree, Visitor&& visit) {
    visit(required("name"), tree.name);
    visit(field("age").omittedWhenEmpty(), tree.age);
    visit(field("leaves"), tree.leaves);
    visit(field("top"), tree.top);
    visit(field("warmth").atLeast(-10), tree.warmth);
    visit.derived("count", [&] { return tree.leaves.size(); });
}

Result<Tree> treeFrom(std::string_view text) {
    ASSIGN(const auto json, parseJson(text));
    std::optional<Error> error;
    Tree tree;
    JsonReader(json, "tree", error).readFields(tree);
    if (error) return Failure(*error);
    return tree;
}

TEST(Json, FieldsComeBackAsTheyWere) {
    const Tree tree{"oak", 3, {{1.5, Colour::Green}, {2}}, Leaf{4}, -2};
    const auto text = dumpJson(toJsonValue(tree));
    EXPECT_EQ(text, R"({"name":"oak","age":3,"leaves":[{"size":1.5,"colour":"green"},{"size":2.0,"colour":"red"}],)"
                    R"("top":{"size":4.0,"colour":"red"},"warmth":-2.0,"count":2})");
    EXPECT_EQ(treeFrom(text), tree);
}

TEST(Json, WhatIsUnknownIsNullOrLeftOut) {
    constexpr auto unknown = std::numeric_limits<double>::quiet_NaN();
    const Tree tree{"ash", {}, {{unknown}, {1}}, Leaf{unknown}, unknown};
    EXPECT_EQ(dumpJson(toJsonValue(tree)),
              R"({"name":"ash","leaves":[{"size":1.0,"colour":"red"}],"top":null,"warmth":null,"count":2})");
}

TEST(Json, AWrongMemberIsNamedByItsPath) {
    const auto subject = [](std::string_view text) { return treeFrom(text).error().subject; };
    EXPECT_EQ(subject(R"({})"), "tree.name");
    EXPECT_EQ(subject(R"({"name": 1})"), "tree.name");
    EXPECT_EQ(subject(R"({"name": "a", "age": 1.5})"), "tree.age");
    EXPECT_EQ(subject(R"({"name": "a", "age": 3000000000})"), "tree.age");
    EXPECT_EQ(subject(R"({"name": "a", "leaves": [{"size": 1}, {"size": -1}]})"), "tree.leaves[1].size");
    EXPECT_EQ(subject(R"({"name": "a", "leaves": [{"size": 1, "colour": "blue"}]})"), "tree.leaves[0].colour");
    EXPECT_EQ(subject(R"({"name": "a", "top": []})"), "tree.top");
    EXPECT_EQ(subject(R"({"name": "a", "warmth": -11})"), "tree.warmth");
    EXPECT_TRUE(treeFrom(R"({"name": "a", "warmth": -9, "age": 2.0, "other": {}})"));
}

TEST(Json, TextThatIsNotJsonIsRefusedWithItsPlace) {
    const auto error = parseJson("{\n \"a\": tru\n}", "file.json").error();
    EXPECT_EQ(error.kind, ErrorKind::CorruptData);
    EXPECT_EQ(error.subject, "file.json");
    EXPECT_TRUE(error.detail.text.starts_with("line 2, column ")) << error.detail;
    EXPECT_TRUE(error.offset);
    EXPECT_FALSE(parseJson(""));
    EXPECT_FALSE(parseJson("[1] [2]"));
    EXPECT_FALSE(parseJson("[1e999]"));
    EXPECT_FALSE(parseJson("[\"\xff\"]")) << "not UTF-8";
    EXPECT_FALSE(parseJson("[\"\n\"]")) << "a control character that is not escaped";
}

TEST(Json, SizeDepthAndRepeatedNamesAreLimited) {
    EXPECT_TRUE(parseJson("[[1]]", "x", {.depth = 2}));
    EXPECT_FALSE(parseJson("[[[1]]]", "x", {.depth = 2}));
    EXPECT_FALSE(parseJson(std::string(200'000, '['), "x"));
    EXPECT_FALSE(parseJson("[1, 2]", "x", {.bytes = 5}));
    EXPECT_EQ(parseJson(R"({"a": 1, "a": 2})")->at("a"), 2);
    EXPECT_FALSE(parseJson(R"({"a": 1, "a": 2})", "x", {.duplicateNames = false}));
}

TEST(JsonDocument, RemembersWhereValuesAndNamesStood) {
    const auto document = JsonDocument::parse("{\n  \"a\": [1, \"b\"],\n  \"c\": {\"d\": null}}", "x", {});
    ASSERT_TRUE(document) << describe(document.error());
    const auto& root = document->root();
    const auto at = [&](const Json& value) { return document->failAt(value, Message("!")).value().detail; };
    EXPECT_EQ(at(root), "line 1, column 1: !");
    EXPECT_EQ(at(root["a"]), "line 2, column 8: !");
    EXPECT_EQ(at(root["a"][1]), "line 2, column 12: !");
    EXPECT_EQ(at(root["c"]["d"]), "line 3, column 14: !");
    EXPECT_EQ(document->failAtName(root["c"]["d"], Message("!")).value().detail, "line 3, column 9: !");
    EXPECT_EQ(document->failAtName(root["c"], Message("!")).value().kind, ErrorKind::InvalidArgument);
}

}  // namespace
}  // namespace steelyard::test
