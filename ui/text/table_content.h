// SPDX-License-Identifier: Apache-2.0
// Rows for a table as presenters make them and RowsModel shows them: texts, what to sort by, how good the news is.
// Plain values.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "ui/text/status_text.h"

namespace steelyard::ui {

struct TableColumn {
    QString title;
    bool number = false;  // right-aligned
    QString hover;
    friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

struct TableCell {
    QString text;
    QString hover;                 // why a value is unknown, or more about it
    std::optional<double> sortBy;  // unset: by the text; rows without a number come last
    std::optional<Tone> tone;      // with an icon
    friend bool operator==(const TableCell&, const TableCell&) = default;
};

struct TableRow {
    QString key;  // handed back when the row is chosen
    std::vector<TableCell> cells;
    bool heading = false;  // only the first cell, in bold: a group
    bool muted = false;
    friend bool operator==(const TableRow&, const TableRow&) = default;
};

struct TableContent {
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    friend bool operator==(const TableContent&, const TableContent&) = default;
};

// As a Markdown table of the first columns; headings become rows of their own.
[[nodiscard]] QString markdownOf(const TableContent& content, std::size_t columns);

// A label and its value, for lists of details.
struct Detail {
    QString label;
    QString value;
    friend bool operator==(const Detail&, const Detail&) = default;
};

}  // namespace steelyard::ui
