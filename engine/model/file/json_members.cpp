// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/json_members.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/core/messages/core.h"
#include "engine/core/messages/model.h"
#include "engine/model/nearest_name.h"

namespace steelyard::model {
namespace {

using Type = MemberRule::Type;

class MemberCheck {
public:
    MemberCheck(const JsonDocument& document, const MemberRule& rule) : m_document(document), m_rule(rule) {}

    Result<void> check(const Json& value) const {
        switch (m_rule.type) {
            case Type::Whole:
                return whole(value);
            case Type::Real:
                if (!value.is_number()) return wrong(value, steelyard::messages::aNumber());
                return inRange(value);
            case Type::Flag:
                return value.is_boolean() ? Result<void>{} : wrong(value, steelyard::messages::trueOrFalse());
            case Type::Word:
                if (value.is_string() && isWord(value.get_ref<const std::string&>())) return {};
                return wrong(value, messages::oneOf(fmt::format("{}", fmt::join(m_rule.words, ", "))));
            case Type::Text:
                return value.is_string() && !value.get_ref<const std::string&>().empty()
                           ? Result<void>{}
                           : wrong(value, steelyard::messages::aString());
            case Type::Wholes:
                return wholes(value);
            case Type::Extent:
                return value.is_array() ? numbers(value, {2}) : whole(value);
            case Type::Padding:
                if (value.is_string() && value == "same") return {};
                return value.is_array() ? numbers(value, {2, 4}) : whole(value);
            case Type::Texts:
                return each(value, true);
            case Type::Object:
                return value.is_object() ? Result<void>{} : wrong(value, steelyard::messages::anObject());
            case Type::Objects:
                return each(value, false);
        }
        return {};
    }

private:
    Failure wrong(const Json& value, Message expected) const {
        return m_document.failAt(
            value, messages::memberMustBe(m_rule.name, std::move(expected),
                                          value.is_string() ? Message(fmt::format("\"{}\"", value.get<std::string>()))
                                                            : nameOfType(value)));
    }
    // Beyond a signed 64-bit integer it counts as a real number.
    static bool isWhole(const Json& value) {
        return value.is_number_integer() &&
               (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
    }
    bool isWord(const std::string& text) const {
        return std::find(m_rule.words.begin(), m_rule.words.end(), text) != m_rule.words.end();
    }
    Result<void> inRange(const Json& value) const {
        if (value.get<double>() >= m_rule.low && value.get<double>() <= m_rule.high) return {};
        return m_document.failAt(value, messages::memberRange(m_rule.name, m_rule.low, m_rule.high));
    }
    Result<void> whole(const Json& value) const {
        if (!isWhole(value)) return wrong(value, steelyard::messages::aWholeNumber());
        return inRange(value);
    }
    Result<void> numbers(const Json& value, std::initializer_list<std::size_t> counts) const {
        if (std::find(counts.begin(), counts.end(), value.size()) == counts.end())
            return m_document.failAt(
                value, messages::numberCount(m_rule.name, value.size(), fmt::format("{}", fmt::join(counts, " or "))));
        for (const auto& item : value) TRY(whole(item));
        return {};
    }
    Result<void> wholes(const Json& value) const {
        TRY(counted(value));
        for (const auto& item : value) TRY(whole(item));
        return {};
    }
    Result<void> counted(const Json& value) const {
        if (!value.is_array()) return wrong(value, steelyard::messages::anArray());
        if (value.size() < m_rule.least || value.size() > m_rule.most)
            return m_document.failAt(value,
                                     messages::elementCount(m_rule.name, value.size(), m_rule.least, m_rule.most));
        return {};
    }
    Result<void> each(const Json& value, bool strings) const {
        TRY(counted(value));
        for (const auto& item : value)
            if (strings ? !item.is_string() : !item.is_object())
                return wrong(item, strings ? messages::arrayOfStrings() : messages::arrayOfObjects());
        return {};
    }

    const JsonDocument& m_document;
    const MemberRule& m_rule;
};

const MemberRule* ruleOf(std::string_view name, const MemberRules& rules, const MemberRules& more) {
    for (const auto* list : {&rules, &more})
        for (const auto& rule : *list)
            if (rule.name == name) return &rule;
    return nullptr;
}

}  // namespace

Result<void> checkObject(const JsonDocument& document, const Json& object, const MemberRules& rules,
                         const MemberRules& more) {
    if (!object.is_object()) return document.failAt(object, messages::expectedObject(nameOfType(object)));
    for (const auto& [name, value] : object.items()) {
        const auto* rule = ruleOf(name, rules, more);
        if (rule == nullptr) {
            std::vector<std::string_view> known;
            for (const auto* list : {&rules, &more})
                for (const auto& each : *list) known.push_back(each.name);
            return document.failAtName(value, messages::unknownMember(name, nearestName(name, known)));
        }
        TRY(MemberCheck(document, *rule).check(value));
    }
    for (const auto* list : {&rules, &more})
        for (const auto& rule : *list)
            if (rule.required && memberOf(object, rule.name) == nullptr)
                return document.failAt(object, messages::memberMissing(rule.name));
    return {};
}

const Json* memberOf(const Json& object, std::string_view name) {
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::int64_t wholeOf(const Json& object, std::string_view name, std::int64_t standard) {
    const auto* member = memberOf(object, name);
    return member == nullptr ? standard : member->get<std::int64_t>();
}

double realOf(const Json& object, std::string_view name, double standard) {
    const auto* member = memberOf(object, name);
    return member == nullptr ? standard : member->get<double>();
}

bool flagOf(const Json& object, std::string_view name, bool standard) {
    const auto* member = memberOf(object, name);
    return member == nullptr ? standard : member->get<bool>();
}

std::string textOf(const Json& object, std::string_view name, std::string_view standard) {
    const auto* member = memberOf(object, name);
    return member == nullptr ? std::string(standard) : member->get<std::string>();
}

std::vector<std::int64_t> wholesOf(const Json& object, std::string_view name) {
    const auto* member = memberOf(object, name);
    if (member == nullptr) return {};
    if (!member->is_array()) return {member->get<std::int64_t>()};
    return member->get<std::vector<std::int64_t>>();
}

Size2d extentOf(const Json& object, std::string_view name, Size2d standard) {
    const auto values = wholesOf(object, name);
    if (values.empty()) return standard;
    return values.size() == 1 ? Size2d{values[0], values[0]} : Size2d{values[0], values[1]};
}

}  // namespace steelyard::model
