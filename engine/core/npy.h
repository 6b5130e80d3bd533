// SPDX-License-Identifier: Apache-2.0
// NumPy arrays (.npy, format versions 1 to 3): numpy.lib.format. Pure functions; any thread. Malformed input is
// CorruptData at an offset of `subject`; allocations are bounded by the size of the input, whatever the header states.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard {

struct NpyHeader {
    std::string type;  // "<f4", "|O"
    bool isFortran = false;
    std::vector<std::int64_t> shape;
    std::int64_t dataOffset = 0;
};
[[nodiscard]] Result<NpyHeader> readNpyHeader(std::string_view bytes, const std::string& subject);

// Little-endian numbers in C order: <f2, <f4, <f8, |i1, <i2, <i4, <i8, |u1, <u2, <u4, <u8, |b1. Integers beyond 2^53
// lose precision.
struct NpyArray {
    std::string type;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};
[[nodiscard]] Result<NpyArray> readNpy(std::string_view bytes, const std::string& subject);

// A file in format version 1. `type` is one of the above; values are rounded to nearest, integers saturate.
[[nodiscard]] std::string npyBytes(std::string_view type, const std::vector<std::int64_t>& shape,
                                   std::span<const double> values);

}  // namespace steelyard
