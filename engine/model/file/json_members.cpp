// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/json_members.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/model/nearest_name.h"

namespace steelyard::model {
namespace {

using Kind = JsonValue::Kind;
using Type = MemberRule::Type;

class MemberCheck {
public:
    MemberCheck(const JsonSource& source, const MemberRule& rule) : m_source(source), m_rule(rule) {}

    Result<void> check(const JsonValue& value) const {
        switch (m_rule.type) {
            case Type::Whole:
                return whole(value);
            case Type::Real:
                if (value.kind != Kind::Integer && value.kind != Kind::Number) return wrong(value, "a number");
                return inRange(value);
            case Type::Flag:
                return value.kind == Kind::Boolean ? Result<void>{} : wrong(value, "true or false");
            case Type::Word:
                if (value.kind == Kind::String && isWord(value.text)) return {};
                return wrong(value, fmt::format("one of {}", fmt::join(m_rule.words, ", ")));
            case Type::Text:
                return value.kind == Kind::String && !value.text.empty() ? Result<void>{} : wrong(value, "a string");
            case Type::Wholes:
                return wholes(value);
            case Type::Extent:
                return value.kind == Kind::Array ? numbers(value, {2}) : whole(value);
            case Type::Padding:
                if (value.kind == Kind::String && value.text == "same") return {};
                return value.kind == Kind::Array ? numbers(value, {2, 4}) : whole(value);
            case Type::Texts:
                return each(value, Kind::String);
            case Type::Object:
                return value.kind == Kind::Object ? Result<void>{} : wrong(value, "an object");
            case Type::Objects:
                return each(value, Kind::Object);
        }
        return {};
    }

private:
    Failure wrong(const JsonValue& value, const std::string& expected) const {
        return m_source.failAt(
            value.offset,
            fmt::format("'{}' must be {}, not {}", m_rule.name, expected,
                        value.kind == Kind::String ? "'" + value.text + "'" : std::string(toString(value.kind))));
    }
    bool isWord(const std::string& text) const {
        return std::find(m_rule.words.begin(), m_rule.words.end(), text) != m_rule.words.end();
    }
    Result<void> inRange(const JsonValue& value) const {
        if (value.number >= m_rule.low && value.number <= m_rule.high) return {};
        return m_source.failAt(value.offset,
                               fmt::format("'{}' must be between {} and {}", m_rule.name, m_rule.low, m_rule.high));
    }
    Result<void> whole(const JsonValue& value) const {
        if (value.kind != Kind::Integer) return wrong(value, "a whole number");
        return inRange(value);
    }
    Result<void> numbers(const JsonValue& value, std::initializer_list<std::size_t> counts) const {
        if (std::find(counts.begin(), counts.end(), value.items.size()) == counts.end())
            return m_source.failAt(value.offset, fmt::format("'{}' has {} numbers; it takes {}", m_rule.name,
                                                             value.items.size(), fmt::join(counts, " or ")));
        for (const auto& item : value.items)
            if (auto ok = whole(item); !ok) return ok;
        return {};
    }
    Result<void> wholes(const JsonValue& value) const {
        if (auto ok = counted(value); !ok) return ok;
        for (const auto& item : value.items)
            if (auto ok = whole(item); !ok) return ok;
        return {};
    }
    Result<void> counted(const JsonValue& value) const {
        if (value.kind != Kind::Array) return wrong(value, "an array");
        if (value.items.size() < m_rule.least || value.items.size() > m_rule.most)
            return m_source.failAt(value.offset, fmt::format("'{}' has {} elements; it takes {} to {}", m_rule.name,
                                                             value.items.size(), m_rule.least, m_rule.most));
        return {};
    }
    Result<void> each(const JsonValue& value, Kind kind) const {
        if (auto ok = counted(value); !ok) return ok;
        for (const auto& item : value.items)
            if (item.kind != kind)
                return wrong(item, kind == Kind::String ? "an array of strings" : "an array of objects");
        return {};
    }

    const JsonSource& m_source;
    const MemberRule& m_rule;
};

const MemberRule* ruleOf(std::string_view name, const MemberRules& rules, const MemberRules& more) {
    for (const auto* list : {&rules, &more})
        for (const auto& rule : *list)
            if (rule.name == name) return &rule;
    return nullptr;
}

}  // namespace

Result<void> checkObject(const JsonSource& source, const JsonValue& object, const MemberRules& rules,
                         const MemberRules& more) {
    if (object.kind != Kind::Object)
        return source.failAt(object.offset, fmt::format("expected an object, not {}", toString(object.kind)));
    for (const auto& member : object.members) {
        const auto* rule = ruleOf(member.name, rules, more);
        if (rule == nullptr) {
            std::vector<std::string_view> known;
            for (const auto* list : {&rules, &more})
                for (const auto& each : *list) known.push_back(each.name);
            return source.failAt(member.offset, fmt::format("unknown member '{}'; did you mean '{}'?", member.name,
                                                            nearestName(member.name, known)));
        }
        if (auto ok = MemberCheck(source, *rule).check(member.value); !ok) return ok;
    }
    for (const auto* list : {&rules, &more})
        for (const auto& rule : *list)
            if (rule.required && object.find(rule.name) == nullptr)
                return source.failAt(object.offset, fmt::format("'{}' is missing", rule.name));
    return {};
}

std::int64_t wholeOf(const JsonValue& object, std::string_view name, std::int64_t standard) {
    const auto* member = object.find(name);
    return member == nullptr ? standard : member->value.integer;
}

double realOf(const JsonValue& object, std::string_view name, double standard) {
    const auto* member = object.find(name);
    return member == nullptr ? standard : member->value.number;
}

bool flagOf(const JsonValue& object, std::string_view name, bool standard) {
    const auto* member = object.find(name);
    return member == nullptr ? standard : member->value.boolean;
}

std::string textOf(const JsonValue& object, std::string_view name, std::string_view standard) {
    const auto* member = object.find(name);
    return member == nullptr ? std::string(standard) : member->value.text;
}

std::vector<std::int64_t> wholesOf(const JsonValue& object, std::string_view name) {
    std::vector<std::int64_t> result;
    const auto* member = object.find(name);
    if (member == nullptr) return result;
    if (member->value.kind == Kind::Integer) return {member->value.integer};
    for (const auto& item : member->value.items) result.push_back(item.integer);
    return result;
}

Size2d extentOf(const JsonValue& object, std::string_view name, Size2d standard) {
    const auto values = wholesOf(object, name);
    if (values.empty()) return standard;
    return values.size() == 1 ? Size2d{values[0], values[0]} : Size2d{values[0], values[1]};
}

}  // namespace steelyard::model
