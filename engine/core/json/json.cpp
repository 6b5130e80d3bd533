// SPDX-License-Identifier: Apache-2.0
#include "engine/core/json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/messages/core.h"

namespace steelyard {
namespace {

// Counts the bytes consumed by the parser: its events have no position.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* taken) : m_at(at), m_taken(taken) {}
    reference operator*() const { return *m_at; }
    CountingIterator& operator++() {
        ++m_at;
        ++*m_taken;
        return *this;
    }
    CountingIterator operator++(int) {
        auto old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.m_at == b.m_at; }
    friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.m_at != b.m_at; }

private:
    const char* m_at;
    std::size_t* m_taken;
};

// Builds the tree from the parser's events. Returning false stops the parser.
class TreeBuilder {
public:
    // `places`: filled in document order, unless null.
    TreeBuilder(std::string_view text, const std::size_t& taken, const JsonLimits& limits,
                std::vector<JsonPlace>* places)
        : m_text(text), m_taken(taken), m_limits(limits), m_places(places) {}

    bool null() { return scalar(nullptr); }
    bool boolean(bool value) { return scalar(value); }
    bool number_integer(std::int64_t value) { return scalar(value); }
    bool number_unsigned(std::uint64_t value) { return scalar(value); }
    bool number_float(double value, const std::string&) { return scalar(value); }
    bool string(std::string& value) {
        if (m_places != nullptr) remember(stringStart());
        if (!acceptText(value)) return false;
        place(std::move(value));
        return true;
    }
    bool binary(Json::binary_t&) { return false; }  // not in text
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        if (m_places != nullptr) m_name = stringStart();
        if (!acceptText(name)) return false;
        const auto [member, added] = m_open.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
        if (!added && !m_limits.duplicateNames) return stop(m_name, messages::givenTwice(name));
        m_member = &member->second;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
        const std::string_view what = error.what();
        // "[json.exception...] parse error at line 1, column 2: syntax error while parsing ..."
        const auto column = what.find(", column ");
        const auto colon = column == std::string_view::npos ? what.find("] ") : what.find(": ", column);
        const auto detail = colon == std::string_view::npos ? what : what.substr(colon + 2);
        return stop(position == 0 ? 0 : std::min(position - 1, m_text.size()), Message(detail));
    }

    [[nodiscard]] Json& root() { return m_root; }
    struct Problem {
        std::size_t offset;
        Message what;
    };
    [[nodiscard]] const std::optional<Problem>& problem() const { return m_problem; }

private:
    bool stop(std::size_t offset, Message what) {
        if (!m_problem) m_problem = Problem{offset, std::move(what)};
        return false;
    }
    // Every string and every name of a document passes here, unescaped and as valid UTF-8, checked by the parser. To
    // refuse a text, return stop(offset, why).
    [[nodiscard]] bool acceptText(const std::string&) { return true; }

    // The parser has just consumed the closing quote.
    [[nodiscard]] std::size_t stringStart() const {
        auto at = std::min(m_taken, m_text.size());
        if (at > 0) --at;
        while (at > 0) {
            --at;
            if (m_text[at] != '"') continue;
            std::size_t backslashes = 0;
            while (backslashes < at && m_text[at - 1 - backslashes] == '\\') ++backslashes;
            if (backslashes % 2 == 0) return at;
        }
        return 0;
    }
    // For numbers the parser has consumed one byte more; literals end at their position.
    [[nodiscard]] std::size_t scalarStart() const {
        const auto part = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
        };
        auto at = std::min(m_taken, m_text.size());
        if (at > 0 && !part(m_text[at - 1])) --at;
        while (at > 0 && part(m_text[at - 1])) --at;
        return at;
    }
    void remember(std::size_t offset) { m_places->push_back({offset, m_name}); }
    bool scalar(Json value) {
        if (m_places != nullptr) remember(scalarStart());
        place(std::move(value));
        return true;
    }
    Json* place(Json value) {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        auto& parent = *m_open.back();
        if (parent.is_object()) {
            *m_member = std::move(value);
            return m_member;
        }
        parent.push_back(std::move(value));
        return &parent.back();
    }
    bool open(Json value) {
        const auto offset = m_taken == 0 ? 0 : m_taken - 1;
        if (m_places != nullptr) remember(offset);
        if (m_open.size() >= m_limits.depth) return stop(offset, messages::nestedTooDeep(m_limits.depth));
        m_open.push_back(place(std::move(value)));  // stays valid: its parent does not grow while it is open
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    std::string_view m_text;
    const std::size_t& m_taken;
    const JsonLimits& m_limits;
    std::vector<JsonPlace>* m_places;
    Json m_root;
    std::vector<Json*> m_open;
    Json* m_member = nullptr;  // of the name read last
    std::size_t m_name = 0;    // offset of that name
    std::optional<Problem> m_problem;
};

Error errorAt(std::string_view text, std::size_t offset, ErrorKind kind, const std::string& subject, Message what) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n');
    const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    Error error{kind, subject, messages::atPosition(line, column, std::move(what)), {}, {}, {}};
    error.offset = static_cast<std::int64_t>(before.size());
    return error;
}

Result<Json> parse(std::string_view text, ErrorKind kind, const std::string& subject, const JsonLimits& limits,
                   std::vector<JsonPlace>* places) {
    if (text.size() > limits.bytes) return fail(kind, subject, messages::largerThan(limits.bytes));
    std::size_t taken = 0;
    TreeBuilder builder(text, taken, limits, places);
    bool complete = false;
    const auto failure = [&](std::size_t offset, Message what) {
        return Failure(errorAt(text, offset, kind, subject, std::move(what)));
    };
    try {
        complete = Json::sax_parse(CountingIterator(text.data(), &taken),
                                   CountingIterator(text.data() + text.size(), &taken), &builder);
    } catch (const std::exception& error) {  // the parser normally reports through parse_error
        return failure(taken, Message(error.what()));
    }
    if (builder.problem()) return failure(builder.problem()->offset, builder.problem()->what);
    if (!complete) return failure(taken, messages::incomplete());
    return std::move(builder.root());
}

}  // namespace

Json orNull(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json orNull(const std::optional<double>& value) {
    return value ? orNull(*value) : Json(nullptr);
}

std::string dumpJson(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Message nameOfType(const Json& value) {
    if (value.is_null()) return Message("null");
    if (value.is_boolean()) return messages::trueOrFalse();
    if (value.is_number_integer()) return messages::aWholeNumber();
    if (value.is_number()) return messages::aNumber();
    if (value.is_string()) return messages::aString();
    if (value.is_array()) return messages::anArray();
    return messages::anObject();
}

Result<Json> parseJson(std::string_view text, const std::string& subject, const JsonLimits& limits) {
    return parse(text, ErrorKind::CorruptData, subject, limits, nullptr);
}

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::string subject, JsonLimits limits) {
    limits.duplicateNames = false;  // otherwise the order of the places would differ from the tree
    JsonDocument document;
    document.m_text = text;
    document.m_subject = std::move(subject);
    std::vector<JsonPlace> places;
    ASSIGN(auto root, steelyard::parse(text, ErrorKind::InvalidArgument, document.m_subject, limits, &places));
    document.m_root = std::make_unique<const Json>(std::move(root));
    std::size_t next = 0;
    document.index(*document.m_root, places, next);
    return document;
}

// Both the tree and the places are in document order.
void JsonDocument::index(const Json& value, const std::vector<JsonPlace>& places, std::size_t& next) {
    m_places.emplace(&value, places[next++]);
    if (value.is_structured())
        for (const auto& element : value) index(element, places, next);
}

JsonPlace JsonDocument::placeOf(const Json& value) const {
    const auto found = m_places.find(&value);
    return found == m_places.end() ? JsonPlace{} : found->second;
}

Failure JsonDocument::failAt(const Json& value, Message what) const {
    return Failure(errorAt(m_text, placeOf(value).value, ErrorKind::InvalidArgument, m_subject, std::move(what)));
}

Failure JsonDocument::failAtName(const Json& value, Message what) const {
    return Failure(errorAt(m_text, placeOf(value).name, ErrorKind::InvalidArgument, m_subject, std::move(what)));
}

}  // namespace steelyard
