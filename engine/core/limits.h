// SPDX-License-Identifier: Apache-2.0
// Limits that no real job or machine exceeds. Checked where a number is set or read; above them, products of such
// numbers would overflow their types.
#pragma once

#include <cstdint>

namespace steelyard {

inline constexpr std::int64_t kLargestBatch = 1'000'000'000;  // samples a step
inline constexpr int kMostThreads = 4096;                     // of one process
inline constexpr double kMostSteps = 1e15;                    // of a job
inline constexpr double kHighestTimeWeight = 50;              // exponent a of time^a x cost

}  // namespace steelyard
