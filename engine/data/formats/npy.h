// SPDX-License-Identifier: Apache-2.0
// One-dimensional NumPy arrays (engine/core/npy.h): integers, or Python objects that are lists of integers. The readers
// are internal to engine/data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"
#include "engine/data/formats/imdb.h"

namespace steelyard::data {

[[nodiscard]] Result<std::vector<std::int64_t>> readNpyIntegers(ByteView bytes, const std::string& file);
[[nodiscard]] Result<TokenLists> readNpyLists(ByteView bytes, const std::string& file);

}  // namespace steelyard::data
