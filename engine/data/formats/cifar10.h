// SPDX-License-Identifier: Apache-2.0
// CIFAR-10, binary version (A. Krizhevsky, 2009): data_batch_1.bin to data_batch_5.bin and test_batch.bin, each a row
// of 3,073-byte records: a label of 0 to 9, then the red, green and blue plane of 32 x 32 bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

struct CifarRecords {
    std::vector<std::uint8_t> pixels;  // records x 3 x 32 x 32
    std::vector<std::uint8_t> labels;
};

// Appends the records of one file. CorruptData for a length that is not a multiple of 3,073 or a label above 9.
[[nodiscard]] Result<void> appendCifarRecords(const ByteSource& source, CifarRecords& records);

// The six files in `folder` or in `cifar-10-batches-bin` below it. Images [3, 32, 32].
[[nodiscard]] Result<DatasetPair> loadCifar10(const std::filesystem::path& folder);

}  // namespace steelyard::data
