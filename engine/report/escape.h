// SPDX-License-Identifier: Apache-2.0
// Escapes external texts (names of computers and devices, notes, reasons) for each format. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace steelyard::report {

// For element content and for attribute values in double or single quotes. Control characters, which no version of HTML
// allows, become U+FFFD.
[[nodiscard]] std::string escapeHtml(std::string_view text);

// For a paragraph or a cell of a table: one line, nothing in it is markup.
[[nodiscard]] std::string escapeMarkdown(std::string_view text);

}  // namespace steelyard::report
