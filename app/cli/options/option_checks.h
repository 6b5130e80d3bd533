// SPDX-License-Identifier: Apache-2.0
// Checks for options, as functions that the parser takes: the sentence about what is wrong, or nothing. Neither lets
// "nan" and "inf" pass. The parser's own checks for such numbers name the range of a double instead.
#pragma once

#include <string>

namespace steelyard::cli {

[[nodiscard]] std::string greaterThanZero(const std::string& text);
[[nodiscard]] std::string notNegative(const std::string& text);
[[nodiscard]] std::string shareOfTime(const std::string& text);  // above 0, at most 1
[[nodiscard]] std::string batchSize(const std::string& text);    // 1 to kLargestBatch
[[nodiscard]] std::string threadCount(const std::string& text);  // 1 to kMostThreads
[[nodiscard]] std::string amount(const std::string& text);       // of epochs, samples or steps: above 0, to kMostSteps
[[nodiscard]] std::string timeWeight(const std::string& text);   // 0 to kHighestTimeWeight
[[nodiscard]] std::string seed(const std::string& text);         // 64 bits without a sign
[[nodiscard]] std::string someList(const std::string& text);     // "a,b": names something
[[nodiscard]] std::string day(const std::string& text);          // "2026-08-03"

}  // namespace steelyard::cli
