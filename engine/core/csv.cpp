// SPDX-License-Identifier: Apache-2.0
#include "engine/core/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/core/messages/core.h"
#include "engine/core/text.h"

namespace steelyard {
namespace {

bool sameIgnoringCase(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const auto first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<double> numberFromText(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

// A single pass over the text; stops at the first error.
class CsvParser {
public:
    CsvParser(CsvDocument& document, const CsvLimits& limits)
        : m_document(document), m_limits(limits), m_text(document.m_text.front()) {}

    std::optional<Error> run() {
        if (m_text.size() > m_limits.maxBytes)
            return refuse(ErrorKind::InvalidArgument, messages::largerThan(m_limits.maxBytes));
        if (const auto nul = m_text.find('\0'); nul != std::string_view::npos) {
            m_at = nul;
            return refuse(ErrorKind::CorruptData, messages::binaryData());
        }
        if (m_text.starts_with("\xEF\xBB\xBF")) m_at = 3;
        readRemarks();
        while (m_at < m_text.size() && !m_error) readLine();
        m_document.m_rowStart.push_back(m_document.m_fields.size());
        if (!m_error && m_document.m_rowStart.size() < 2) refuse(ErrorKind::CorruptData, messages::noHeader());
        if (!m_error) checkHeader();
        return m_error;
    }

private:
    std::optional<Error> refuse(ErrorKind kind, Message detail) {
        m_error = Error{kind, m_document.m_name, std::move(detail), static_cast<std::int64_t>(m_at), {}, {}};
        return m_error;
    }

    // A column name that occurs twice is ambiguous.
    void checkHeader() {
        const auto names = m_document.header();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto name = trimmed(names[i]);
            if (name.empty() || m_document.column(name) == i) continue;
            m_at = 0;
            refuse(ErrorKind::CorruptData, messages::twoColumns(name.substr(0, 40)));
            return;
        }
    }

    void readRemarks() {
        while (m_at < m_text.size() && m_text[m_at] == '#') {
            const auto end = std::min(m_text.find('\n', m_at), m_text.size());
            const auto line = m_text.substr(m_at + 1, end - m_at - 1);
            const auto colon = line.find(':');
            if (colon != std::string_view::npos)
                m_document.m_remarks.push_back({trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))});
            m_at = std::min(end + 1, m_text.size());
            ++m_line;
        }
    }

    void readLine() {
        if (m_text[m_at] == '\n' || m_text.substr(m_at, 2) == "\r\n") {  // skips empty lines
            m_at += m_text[m_at] == '\n' ? 1 : 2;
            ++m_line;
            return;
        }
        if (m_document.m_rowStart.size() > m_limits.maxRows) {
            refuse(ErrorKind::InvalidArgument, messages::tooManyRows(m_limits.maxRows));
            return;
        }
        m_document.m_rowStart.push_back(m_document.m_fields.size());
        m_document.m_line.push_back(m_line);
        std::size_t count = 0;
        do {
            if (++count > m_limits.maxColumns) {
                refuse(ErrorKind::InvalidArgument, messages::tooManyFields(m_line, m_limits.maxColumns));
                return;
            }
            readField();
        } while (!m_error && m_at < m_text.size() && m_text[m_at++] == ',');
        ++m_line;
    }

    void readField() {
        const auto start = m_at;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            readQuoted();
        } else {
            m_at = std::min(m_text.find_first_of(",\n", m_at), m_text.size());
            auto field = m_text.substr(start, m_at - start);
            if (field.ends_with('\r')) field.remove_suffix(1);
            m_document.m_fields.push_back(field);
        }
        if (!m_error && m_document.m_fields.back().size() > m_limits.maxFieldBytes) {
            m_at = start;
            refuse(ErrorKind::InvalidArgument, messages::fieldTooLong(m_line, m_limits.maxFieldBytes));
        }
    }

    void readQuoted() {
        const auto start = ++m_at;
        bool doubled = false;
        for (;;) {
            const auto quote = m_text.find('"', m_at);
            if (quote == std::string_view::npos) {
                m_at = start - 1;
                refuse(ErrorKind::CorruptData, messages::openQuotes(m_line));
                return;
            }
            m_at = quote + 1;
            if (m_at >= m_text.size() || m_text[m_at] != '"') break;
            doubled = true;
            ++m_at;
        }
        auto field = m_text.substr(start, m_at - 1 - start);
        m_line += static_cast<std::size_t>(std::ranges::count(field, '\n'));
        if (doubled) field = withoutDoubling(field);
        m_document.m_fields.push_back(field);
        if (m_text.substr(m_at, 2) == "\r\n") ++m_at;
        if (m_at < m_text.size() && m_text[m_at] != ',' && m_text[m_at] != '\n')
            refuse(ErrorKind::CorruptData, messages::textAfterQuote(m_line));
    }

    std::string_view withoutDoubling(std::string_view field) {
        auto& plain = m_document.m_text.emplace_back();
        plain.reserve(field.size());
        for (std::size_t i = 0; i < field.size(); ++i) {
            plain.push_back(field[i]);
            if (field[i] == '"') ++i;
        }
        return plain;
    }

    CsvDocument& m_document;
    const CsvLimits& m_limits;
    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
    std::optional<Error> m_error;
};

Result<CsvDocument> CsvDocument::parse(std::string name, std::string text, const CsvLimits& limits) {
    CsvDocument document;
    document.m_name = std::move(name);
    document.m_text.push_back(isUtf8(text) ? std::move(text) : toUtf8(text));
    if (auto error = CsvParser(document, limits).run()) return Failure(std::move(*error));
    return document;
}

std::optional<std::size_t> CsvDocument::column(std::string_view wanted) const {
    const auto names = header();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (sameIgnoringCase(trimmed(names[i]), wanted)) return i;
    return std::nullopt;
}

}  // namespace steelyard
