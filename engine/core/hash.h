// SPDX-License-Identifier: Apache-2.0
// A short hash of a text. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard {

// The 64-bit Fowler-Noll-Vo hash, variant 1a (draft-eastlake-fnv): short, stable across versions, and sufficient to
// distinguish a few thousand items. Not collision-resistant against an attacker.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

}  // namespace steelyard
