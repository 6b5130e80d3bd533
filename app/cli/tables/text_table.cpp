// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/text_table.h"

#include <algorithm>
#include <ostream>

#include "engine/core/text.h"

namespace steelyard::cli {
namespace {

// Characters, not bytes; every character of these texts is one cell wide.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
    for (auto& cell : cells) cell = visible(cell);
    m_rows.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        widths.push_back(widthOf(m_columns[i].heading));
        for (const auto& row : m_rows) widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    const auto line = [&](const auto& cellOf) {
        std::string text;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string& cell = cellOf(i);
            const std::string padding(widths[i] - widthOf(cell), ' ');
            text += m_columns[i].isNumber ? padding + cell : cell + padding;
            if (i + 1 < m_columns.size()) text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << "\n";
    };
    line([&](std::size_t i) -> const std::string& { return m_columns[i].heading; });
    for (const auto& row : m_rows) line([&](std::size_t i) -> const std::string& { return row[i]; });
}

}  // namespace steelyard::cli
