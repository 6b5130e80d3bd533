// SPDX-License-Identifier: Apache-2.0
// The IDX files of MNIST and similar data sets, plain or gzip-compressed. Format (Y. LeCun, "The MNIST database of
// handwritten digits"): big-endian; two zero bytes, a type (8 = unsigned byte), the number of dimensions, one 32-bit
// size per dimension, then the bytes. Header, length and end of file are verified.
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
    std::int64_t headerBytes = 0;     // offset of the values in the decompressed file
    std::vector<std::uint8_t> bytes;  // product of the dimensions
};

// Reads unsigned bytes with exactly `dimensionCount` dimensions (1 labels, 3 images). CorruptData with the offset.
[[nodiscard]] Result<IdxBytes> readIdx(ByteStream& stream, int dimensionCount);

// The MNIST files in `folder`, `MNIST/raw` or `raw` below it, under the usual names: train-images-idx3-ubyte or
// train-images.idx3-ubyte, each optionally with .gz. Images [1, 28, 28]; 10 classes. NotFound names the missing file;
// CorruptData the file and offset; the numbers of images and labels must match.
[[nodiscard]] Result<DatasetPair> loadMnist(const std::filesystem::path& folder);

}  // namespace steelyard::data
