// SPDX-License-Identifier: Apache-2.0
// Rows of a table, created by presenters and shown by RowsModel: text, sort key, tone. Plain values.
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
    QString hover;                 // why a value is unknown, or details
    std::optional<double> sortBy;  // unset: sorts by text; rows without a number come last
    std::optional<Tone> tone;      // shown with an icon
    friend bool operator==(const TableCell&, const TableCell&) = default;
};

struct TableRow {
    QString key;  // passed on when the row is selected
    std::vector<TableCell> cells;
    bool heading = false;  // group heading: only the first cell, in bold
    bool muted = false;
    friend bool operator==(const TableRow&, const TableRow&) = default;
};

struct TableContent {
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
    friend bool operator==(const TableContent&, const TableContent&) = default;
};

// A Markdown table of the first columns; headings become rows.
[[nodiscard]] QString markdownOf(const TableContent& content, std::size_t columns);

// A label and its value, for lists of details.
struct Detail {
    QString label;
    QString value;
    friend bool operator==(const Detail&, const Detail&) = default;
};

}  // namespace steelyard::ui
