// SPDX-License-Identifier: Apache-2.0
// Maps structs to rows by their field lists (core/fields.h): numbers and text in separate columns, lists and structs as
// JSON text, unless they are flat. For this folder's .cpp files.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/bench/record/record_fields.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/messages/history.h"
#include "engine/history/row_values.h"

namespace steelyard::history {

template <typename T>
struct WithoutOptional {
    using Type = T;
    static constexpr bool kIsOptional = false;
};
template <typename T>
struct WithoutOptional<std::optional<T>> {
    using Type = T;
    static constexpr bool kIsOptional = true;
};
template <typename T>
using Inner = typename WithoutOptional<std::remove_const_t<T>>::Type;
template <typename T>
inline constexpr bool kIsOptional = WithoutOptional<std::remove_const_t<T>>::kIsOptional;

// Types stored directly in a column rather than as JSON text.
template <typename T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<Inner<T>> || std::is_same_v<Inner<T>, std::string>;

// A message is stored as its English text in the field's column, and as JSON, if it has an id, in a second column.
inline std::string messageColumn(const std::string& column) {
    return column + "_message";
}
inline std::string messagesColumn(const std::string& column) {
    return column + "_messages";
}

class ColumnNames {
public:
    ColumnNames(std::vector<std::string>& names, std::string prefix) : m_names(names), m_prefix(std::move(prefix)) {}
    template <typename T>
    void operator()(const Field& field, const T&) const {
        if (field.storage == Field::Storage::Elsewhere) return;
        if constexpr (HasFields<Inner<T>>) {
            const Inner<T> value{};
            if (field.storage == Field::Storage::Flat)
                return visitFields(value, ColumnNames(m_names, std::string(field.column)));
        }
        const auto column = m_prefix + std::string(field.columnName());
        m_names.push_back(column);
        if constexpr (std::is_same_v<T, Message>) m_names.push_back(messageColumn(column));
        if constexpr (std::is_same_v<T, std::vector<Message>>) m_names.push_back(messagesColumn(column));
    }
    template <typename Make>
    void derived(std::string_view name, const Make&) const {
        m_names.push_back(m_prefix + std::string(name));
    }

private:
    std::vector<std::string>& m_names;
    std::string m_prefix;
};

template <HasFields T>
[[nodiscard]] std::vector<std::string> columnsOf() {
    std::vector<std::string> names;
    const T value{};
    visitFields(value, ColumnNames(names, {}));
    return names;
}

// Columns that are not bound are NULL.
class ColumnWriter {
public:
    ColumnWriter(RowWriter& row, std::string prefix) : m_row(row), m_prefix(std::move(prefix)) {}
    template <typename T>
    void operator()(const Field& field, const T& member) const {
        if (field.storage == Field::Storage::Elsewhere) return;
        if constexpr (HasFields<Inner<T>>) {
            if (field.storage == Field::Storage::Flat) return putFlat(field, member);
        }
        put(m_prefix + std::string(field.columnName()), member);
    }
    template <typename Make>
    void derived(std::string_view name, const Make& make) const {
        put(m_prefix + std::string(name), make());
    }

private:
    template <typename T>
    void putFlat(const Field& field, const T& member) const {
        const ColumnWriter columns(m_row, std::string(field.column));
        if constexpr (kIsOptional<T>) {
            if (member && isKnown(*member)) visitFields(*member, columns);
        } else {
            const T none{};
            visitFields(isKnown(member) ? member : none, columns);
        }
    }
    template <typename T>
    void put(const std::string& column, const T& member) const {
        if constexpr (kIsPlain<T>) {
            m_row.put(column.c_str(), member);
        } else if constexpr (kIsOptional<T>) {
            if (member) put(column, *member);
        } else if constexpr (std::is_same_v<T, Message>) {
            m_row.put(column.c_str(), member.text);
            if (!member.id.empty()) m_row.put(messageColumn(column).c_str(), dumpJson(messageToJson<Json>(member)));
        } else if constexpr (std::is_same_v<T, std::vector<Message>>) {
            auto both = Json::object();
            writeMessages(both, column, member);
            m_row.put(column.c_str(), dumpJson(both[column]));
            if (both.size() > 1) m_row.put(messagesColumn(column).c_str(), dumpJson(both[messagesColumn(column)]));
        } else if constexpr (std::is_enum_v<T>) {
            m_row.put(column.c_str(), toString(member));
        } else {
            m_row.put(column.c_str(), dumpJson(toJsonValue(member)));
        }
    }

    RowWriter& m_row;
    std::string m_prefix;
};

template <HasFields T>
void putFields(RowWriter& row, const T& value) {
    visitFields(value, ColumnWriter(row, {}));
}

// Records the first column that cannot be read.
class ColumnReader {
public:
    ColumnReader(const RowReader& row, std::string prefix, std::optional<std::string>& damaged,
                 std::string_view without = {})
        : m_row(row), m_prefix(std::move(prefix)), m_damaged(damaged), m_without(without) {}
    template <typename T>
    void operator()(const Field& field, T& member) const {
        if (m_damaged || field.storage == Field::Storage::Elsewhere || field.name == m_without) return;
        if constexpr (HasFields<Inner<T>>) {
            if (field.storage == Field::Storage::Flat) return getFlat(field, member);
        }
        const auto column = m_prefix + std::string(field.columnName());
        if constexpr (kIsPlain<T>) {
            m_row.get(column.c_str(), member);
        } else if constexpr (std::is_same_v<T, Message>) {
            member = Message(m_row.text(column.c_str()));
            getMessages(messageColumn(column), [&](const Json& json) { readMessage(json, member); });
        } else if constexpr (std::is_same_v<T, std::vector<Message>>) {
            getJson(column, member);
            getMessages(messagesColumn(column), [&](const Json& json) {
                for (std::size_t i = 0; json.is_array() && i < std::min(json.size(), member.size()); ++i)
                    readMessage(json[i], member[i]);
            });
        } else if constexpr (std::is_enum_v<Inner<T>>) {
            if (kIsOptional<T> && m_row.isNull(column.c_str())) return;
            const auto known = fromName(std::type_identity<Inner<T>>{}, m_row.text(column.c_str()));
            if (!known) m_damaged = column;
            if (known) member = *known;
        } else if (!m_row.isNull(column.c_str())) {
            getJson(column, member);
        }
    }
    template <typename Make>
    void derived(std::string_view, const Make&) const {}

private:
    // Unknown if the column of a required field is NULL.
    struct Presence {
        const RowReader& row;
        const std::string& prefix;
        bool& isThere;
        template <typename T>
        void operator()(const Field& field, const T&) const {
            const auto column = prefix + std::string(field.columnName());
            if (field.isRequired && row.isNull(column.c_str())) isThere = false;
        }
        template <typename Make>
        void derived(std::string_view, const Make&) const {}
    };
    template <typename T>
    void getFlat(const Field& field, T& member) const {
        const std::string prefix(field.column);
        const ColumnReader columns(m_row, prefix, m_damaged);
        if constexpr (kIsOptional<T>) {
            Inner<T> value;
            bool isThere = true;
            visitFields(value, Presence{m_row, prefix, isThere});
            if (!isThere) return;
            visitFields(value, columns);
            member = std::move(value);
        } else {
            visitFields(member, columns);
        }
    }
    template <typename Use>
    void getMessages(const std::string& column, const Use& use) const {
        if (m_damaged || m_row.isNull(column.c_str())) return;
        if (const auto json = parseJson(m_row.text(column.c_str()))) {
            use(*json);
        } else {
            m_damaged = column;
        }
    }
    template <typename T>
    void getJson(const std::string& column, T& member) const {
        std::optional<Error> error;
        const auto json = parseJson(m_row.text(column.c_str()));
        const auto none = Json::object();
        if (json && !json->is_null()) JsonReader(none, {}, error).convert(column, *json, member);
        if (!json || error) m_damaged = column;
    }

    const RowReader& m_row;
    std::string m_prefix;
    std::optional<std::string>& m_damaged;
    std::string_view m_without;
};

// The field `without` is not changed. Errors: CorruptData about `subject`, naming the column.
template <HasFields T>
[[nodiscard]] Result<void> getFields(const RowReader& row, T& value, const std::string& subject,
                                     std::string_view without = {}) {
    std::optional<std::string> damaged;
    visitFields(value, ColumnReader(row, {}, damaged, without));
    if (damaged) return fail(ErrorKind::CorruptData, subject, messages::cannotBeRead(*damaged));
    return {};
}

}  // namespace steelyard::history
