// SPDX-License-Identifier: Apache-2.0
// Escapes external text (names of computers and devices, notes, reasons) for each format. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace steelyard::report {

// For element content and quoted attribute values. Control characters, which HTML does not allow, become U+FFFD.
[[nodiscard]] std::string escapeHtml(std::string_view text);

// For a paragraph or a table cell: one line, without markup.
[[nodiscard]] std::string escapeMarkdown(std::string_view text);

}  // namespace steelyard::report
