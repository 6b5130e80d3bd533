// SPDX-License-Identifier: Apache-2.0
// The lists of integers in a pickled NumPy object array, as in Keras's imdb.npz. A pickle is a program for a stack
// machine that can call any Python function. This reader calls nothing: it interprets the few instructions that such an
// array consists of (protocols 2 to 5), recognises the names of NumPy's array and type, and refuses everything else
// with its name and offset. Internal to engine/data.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"
#include "engine/data/formats/imdb.h"

namespace steelyard::data {

// `offset`: position of `bytes` in `file`. The numbers must fit in 32 bits; memory is bounded by a multiple of the
// input size.
[[nodiscard]] Result<TokenLists> readPickledLists(ByteView bytes, const std::string& file, std::int64_t offset);

}  // namespace steelyard::data
