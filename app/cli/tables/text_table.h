// SPDX-License-Identifier: Apache-2.0
// A table for the terminal: columns as wide as their widest cell, numbers right-aligned. A value type.
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

    // One cell per column. The last column is not padded. Control characters are escaped.
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    void print(std::ostream& out) const;

private:
    std::vector<TextColumn> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace steelyard::cli
