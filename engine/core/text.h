// SPDX-License-Identifier: Apache-2.0
// External text: files, arguments, names of devices and computers. Internally all text is UTF-8. Readers replace
// invalid bytes; command line arguments with invalid bytes are refused (cli_app.cpp). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace steelyard {

// Well-formed by the Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view text);

// Each maximal ill-formed part becomes U+FFFD (Unicode Standard, section 3.9).
[[nodiscard]] std::string toUtf8(std::string_view text);

// For a terminal: control characters become \x1b, \x0a, ...; U+007F to U+009F and the marks that reorder a line (U+202A
// to U+202E, U+2066 to U+2069) become \u009b; bytes that are not UTF-8 become \xff. The result is one line. JSON text
// stays valid: it escapes the first group itself, and the second is written as JSON escapes.
[[nodiscard]] std::string visible(std::string_view text);

// The same, but line feeds and tabs are kept, for text of several lines.
[[nodiscard]] std::string visibleLines(std::string_view text);

// How many bytes at the end begin a character of UTF-8 that is not complete: 0 to 3.
[[nodiscard]] std::size_t incompleteTail(std::string_view text);

// Prefixed with an apostrophe if a spreadsheet would treat it as a formula: it begins with = + - @, a tab or a
// carriage return, and is not a number.
[[nodiscard]] std::string withoutFormula(std::string_view text);

// One field of a CSV file by RFC 4180, withoutFormula(). Other control characters become U+FFFD.
[[nodiscard]] std::string csvText(std::string_view text);

}  // namespace steelyard
