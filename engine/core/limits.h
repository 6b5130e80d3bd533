// SPDX-License-Identifier: Apache-2.0
// Limits above any real job or machine. Checked where a number is set or read; beyond them, products of such numbers
// would overflow their types.
#pragma once

#include <cstdint>

namespace steelyard {

inline constexpr std::int64_t kLargestBatch = 1'000'000'000;  // samples per step
inline constexpr int kMostThreads = 4096;                     // per process
inline constexpr double kMostSteps = 1e15;                    // per job
inline constexpr double kHighestTimeWeight = 50;              // exponent a of time^a x cost

}  // namespace steelyard
