// SPDX-License-Identifier: Apache-2.0
// One-dimensional NumPy arrays (.npy, format versions 1 to 3): whole numbers, or Python objects that are lists of whole
// numbers. The readers are internal to engine/data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"
#include "engine/data/formats/imdb.h"

namespace steelyard::data {

struct NpyHeader {
    std::string type;  // "<i8", "|O"
    std::int64_t length = 0;
    std::int64_t dataOffset = 0;
};

[[nodiscard]] Result<NpyHeader> readNpyHeader(ByteView bytes, const std::string& file);
[[nodiscard]] Result<std::vector<std::int64_t>> readNpyIntegers(ByteView bytes, const std::string& file);
[[nodiscard]] Result<TokenLists> readNpyLists(ByteView bytes, const std::string& file);

// A file of version 1 with one dimension of float32.
[[nodiscard]] std::string npyOf(std::span<const float> values);

}  // namespace steelyard::data
