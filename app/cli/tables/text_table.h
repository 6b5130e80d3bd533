// SPDX-License-Identifier: Apache-2.0
// A table for the terminal: columns as wide as their widest cell, numbers to the right. A plain value.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace steelyard::cli {

struct TextColumn {
    std::string heading;
    bool isNumber = false;
};

class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns) : m_columns(std::move(columns)) {}

    // As many cells as there are columns; the last one may be long, it is not padded. Control characters are shown.
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    void print(std::ostream& out) const;

private:
    std::vector<TextColumn> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace steelyard::cli
