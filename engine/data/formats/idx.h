// SPDX-License-Identifier: Apache-2.0
// The IDX files of MNIST and its relatives, plain or gzip-compressed. Format (Y. LeCun, "The MNIST database of
// handwritten digits"): big-endian; two zero bytes, a type (8 = unsigned byte), the number of dimensions, one 32-bit
// size per dimension, then the bytes. Every reader checks the header, the length and the end of the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

struct IdxBytes {
    std::vector<std::int64_t> dimensions;
    std::int64_t headerBytes = 0;     // where the values begin, in the decompressed file
    std::vector<std::uint8_t> bytes;  // product of the dimensions
};

// Reads unsigned bytes with exactly `dimensionCount` dimensions (1 labels, 3 images). CorruptData with the offset.
[[nodiscard]] Result<IdxBytes> readIdx(ByteStream& stream, int dimensionCount);

// The MNIST files below `folder` (there, or in `MNIST/raw` or `raw`), under any of the usual names:
// train-images-idx3-ubyte or train-images.idx3-ubyte, each with .gz too. Images [1, 28, 28]; 10 classes. NotFound names
// the file that is missing; CorruptData the file and offset; images and labels must agree in number.
[[nodiscard]] Result<DatasetPair> loadMnist(const std::filesystem::path& folder);

}  // namespace steelyard::data
