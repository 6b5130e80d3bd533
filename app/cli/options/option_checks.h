// SPDX-License-Identifier: Apache-2.0
// Validators for CLI11: return an error message, or an empty string. "nan" and "inf" are rejected. (CLI11's own checks
// would print the range of a double.)
#pragma once

#include <string>

namespace steelyard::cli {

[[nodiscard]] std::string greaterThanZero(const std::string& text);
[[nodiscard]] std::string notNegative(const std::string& text);
[[nodiscard]] std::string fraction(const std::string& text);     // above 0, at most 1
[[nodiscard]] std::string batchSize(const std::string& text);    // 1 to kLargestBatch
[[nodiscard]] std::string threadCount(const std::string& text);  // 1 to kMostThreads
[[nodiscard]] std::string amount(
    const std::string& text);  // number of epochs, samples or steps: above 0, at most kMostSteps
[[nodiscard]] std::string timeWeight(const std::string& text);    // 0 to kHighestTimeWeight
[[nodiscard]] std::string seed(const std::string& text);          // unsigned 64-bit
[[nodiscard]] std::string nonEmptyList(const std::string& text);  // "a,b"; must not be empty
[[nodiscard]] std::string day(const std::string& text);           // "2026-08-03"

}  // namespace steelyard::cli
