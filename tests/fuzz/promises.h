// SPDX-License-Identifier: Apache-2.0
// Ends the program with a message if a property is violated.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace steelyard::test {

inline void require(bool promise, const char* what) {
    if (promise) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

}  // namespace steelyard::test
