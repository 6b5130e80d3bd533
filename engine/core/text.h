// SPDX-License-Identifier: Apache-2.0
// Handling of external text: files, arguments, names of devices and computers. Internally all text is UTF-8. Readers
// replace invalid bytes; command line arguments with invalid bytes are refused (cli_app.cpp). Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace steelyard {

// Well-formed UTF-8 (Unicode Standard, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view text);

// Replaces each maximal ill-formed subpart by U+FFFD (Unicode Standard, section 3.9).
[[nodiscard]] std::string toUtf8(std::string_view text);

// For a terminal: control characters become \x1b, \x0a, ...; U+007F to U+009F and bidirectional controls (U+202A to
// U+202E, U+2066 to U+2069) become \u009b; invalid UTF-8 becomes \xff. The result is one line. JSON text remains valid:
// control characters are already escaped in it, and the others are written as JSON escapes.
[[nodiscard]] std::string visible(std::string_view text);

// The same, but keeps line feeds and tabs, for multi-line text.
[[nodiscard]] std::string visibleLines(std::string_view text);

// Number of bytes of an incomplete UTF-8 sequence at the end: 0 to 3.
[[nodiscard]] std::size_t incompleteTail(std::string_view text);

// Prefixed with an apostrophe if a spreadsheet would interpret it as a formula: it starts with = + - @, a tab or a
// carriage return, and is not a number.
[[nodiscard]] std::string withoutFormula(std::string_view text);

// One CSV field (RFC 4180), after withoutFormula(). Other control characters become U+FFFD.
[[nodiscard]] std::string csvText(std::string_view text);

}  // namespace steelyard
