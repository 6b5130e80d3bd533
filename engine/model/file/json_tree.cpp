// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace steelyard::model {
namespace {

// Counts the bytes that the parser has taken: its events do not say where in the text they are.
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
    using Json = nlohmann::json;
    TreeBuilder(std::string_view text, const std::size_t& taken, std::size_t depth)
        : m_text(text), m_taken(taken), m_depth(depth) {}

    bool null() { return place(scalar(JsonValue::Kind::Null)) != nullptr; }
    bool boolean(bool value) {
        auto result = scalar(JsonValue::Kind::Boolean);
        result.boolean = value;
        return place(std::move(result)) != nullptr;
    }
    bool number_integer(std::int64_t value) {
        auto result = scalar(JsonValue::Kind::Integer);
        result.integer = value;
        result.number = static_cast<double>(value);
        return place(std::move(result)) != nullptr;
    }
    bool number_unsigned(std::uint64_t value) {
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return number_integer(static_cast<std::int64_t>(value));
        return number_float(static_cast<double>(value), {});
    }
    bool number_float(double value, const std::string&) {
        auto result = scalar(JsonValue::Kind::Number);
        result.number = value;
        return place(std::move(result)) != nullptr;
    }
    bool string(std::string& value) {
        JsonValue result;
        result.kind = JsonValue::Kind::String;
        result.offset = stringStart();
        result.text = std::move(value);
        return place(std::move(result)) != nullptr;
    }
    bool binary(Json::binary_t&) { return false; }  // not in text
    bool start_object(std::size_t) { return open(JsonValue::Kind::Object); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::Array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        const auto offset = stringStart();
        auto& object = *m_open.back();
        if (object.find(name) != nullptr) return stop(offset, fmt::format("'{}' is given twice", name));
        object.members.push_back({std::move(name), offset, {}});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
        const std::string_view what = error.what();
        // "[json.exception...] parse error at line 1, column 2: syntax error while parsing ..."
        const auto column = what.find(", column ");
        const auto colon = column == std::string_view::npos ? column : what.find(": ", column);
        const auto detail = colon == std::string_view::npos ? what : what.substr(colon + 2);
        return stop(position == 0 ? 0 : std::min(position - 1, m_text.size()), std::string(detail));
    }

    [[nodiscard]] JsonValue& root() { return m_root; }
    struct Problem {
        std::size_t offset;
        std::string what;
    };
    [[nodiscard]] const std::optional<Problem>& problem() const { return m_problem; }

private:
    bool stop(std::size_t offset, std::string what) {
        if (!m_problem) m_problem = Problem{offset, std::move(what)};
        return false;
    }
    // The parser has just taken the closing quote.
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
    // Of a number the parser has taken one byte more; a literal or a bracket ends where it stands.
    [[nodiscard]] JsonValue scalar(JsonValue::Kind kind) const {
        JsonValue value;
        value.kind = kind;
        const auto part = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
        };
        auto at = std::min(m_taken, m_text.size());
        if (at > 0 && !part(m_text[at - 1])) --at;
        while (at > 0 && part(m_text[at - 1])) --at;
        value.offset = at;
        return value;
    }
    JsonValue* place(JsonValue value) {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        auto& parent = *m_open.back();
        if (parent.kind == JsonValue::Kind::Object) {
            parent.members.back().value = std::move(value);
            return &parent.members.back().value;
        }
        parent.items.push_back(std::move(value));
        return &parent.items.back();
    }
    bool open(JsonValue::Kind kind) {
        JsonValue value;
        value.kind = kind;
        value.offset = m_taken == 0 ? 0 : m_taken - 1;
        if (m_open.size() >= m_depth) return stop(value.offset, fmt::format("nested more than {} deep", m_depth));
        m_open.push_back(place(std::move(value)));  // stays valid: its parent does not grow while it is open
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }

    std::string_view m_text;
    const std::size_t& m_taken;
    std::size_t m_depth;
    JsonValue m_root;
    std::vector<JsonValue*> m_open;
    std::optional<Problem> m_problem;
};

}  // namespace

const JsonMember* JsonValue::find(std::string_view name) const {
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.name == name; });
    return found == members.end() ? nullptr : &*found;
}

std::string_view toString(JsonValue::Kind kind) {
    constexpr std::array<std::string_view, 7> names{"null",     "true or false", "a whole number", "a number",
                                                    "a string", "an array",      "an object"};
    return names[static_cast<std::size_t>(kind)];
}

Failure failAt(std::string_view text, std::size_t offset, const std::string& subject, const std::string& what) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto start = before.rfind('\n');
    const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    Error error{
        ErrorKind::InvalidArgument, subject, fmt::format("line {}, column {}: {}", line, column, what), {}, {}, {}};
    error.offset = static_cast<std::int64_t>(before.size());
    return Failure(std::move(error));
}

Result<JsonValue> parseJson(std::string_view text, const std::string& subject, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        return fail(ErrorKind::InvalidArgument, subject, fmt::format("is larger than {} bytes", limits.bytes));
    std::size_t taken = 0;
    TreeBuilder builder(text, taken, limits.depth);
    bool complete = false;
    try {
        complete = nlohmann::json::sax_parse(CountingIterator(text.data(), &taken),
                                             CountingIterator(text.data() + text.size(), &taken), &builder);
    } catch (const std::exception& error) {  // the parser reports through parse_error; this is for what it does not
        return failAt(text, taken, subject, error.what());
    }
    if (builder.problem()) return failAt(text, builder.problem()->offset, subject, builder.problem()->what);
    if (!complete) return failAt(text, taken, subject, "is not complete");
    return std::move(builder.root());
}

}  // namespace steelyard::model
