// SPDX-License-Identifier: Apache-2.0
// CSV parser (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes. For untrusted files: sizes
// are bounded, binary and truncated input is refused with its offset. A plain value; the rows point into the document,
// which owns the text.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard {

struct CsvLimits {
    std::size_t maxBytes = 64U << 20U;
    std::size_t maxRows = 2'000'000;
    std::size_t maxColumns = 256;
    std::size_t maxFieldBytes = 64U << 10U;
};

class CsvDocument {
public:
    // Lines starting with '#' before the header: "# title: ..." becomes {"title", "..."}.
    struct Remark {
        std::string_view key, text;
    };

    // `name` is the subject of errors. CorruptData for binary data, an unterminated quote, duplicate column names or a
    // text without a header; InvalidArgument if a limit is exceeded. Invalid UTF-8 is replaced (text.h).
    [[nodiscard]] static Result<CsvDocument> parse(std::string name, std::string text, const CsvLimits& limits = {});

    CsvDocument(CsvDocument&&) = default;
    CsvDocument& operator=(CsvDocument&&) = default;
    CsvDocument(const CsvDocument&) = delete;
    CsvDocument& operator=(const CsvDocument&) = delete;

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::span<const Remark> remarks() const { return m_remarks; }
    [[nodiscard]] std::span<const std::string_view> header() const { return fields(0); }
    // Index of a column by its header, ignoring case and surrounding blanks.
    [[nodiscard]] std::optional<std::size_t> column(std::string_view header) const;
    [[nodiscard]] std::size_t rowCount() const { return m_rowStart.size() - 2; }
    // Row 0 is the first after the header. A row may have fewer or more fields than the header.
    [[nodiscard]] std::span<const std::string_view> row(std::size_t index) const { return fields(index + 1); }
    [[nodiscard]] std::size_t lineOf(std::size_t row) const { return m_line[row + 1]; }

private:
    friend class CsvParser;
    CsvDocument() = default;
    [[nodiscard]] std::span<const std::string_view> fields(std::size_t line) const {
        return std::span(m_fields).subspan(m_rowStart[line], m_rowStart[line + 1] - m_rowStart[line]);
    }

    std::string m_name;
    std::deque<std::string> m_text;  // the file, then unescaped fields; a deque keeps addresses stable when moved
    std::vector<Remark> m_remarks;
    std::vector<std::string_view> m_fields;
    std::vector<std::size_t> m_rowStart;  // number of lines + 1
    std::vector<std::size_t> m_line;      // counted from 1
};

// Parses the whole field as a number; nothing for text, blanks, infinities and NaN.
[[nodiscard]] std::optional<double> numberFromText(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace steelyard
