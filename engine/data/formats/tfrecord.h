// SPDX-License-Identifier: Apache-2.0
// Sharded TensorFlow record files with one encoded JPEG and its class per record. A record is: length (8 bytes,
// little-endian), masked CRC-32C of it, the data, masked CRC-32C of the data. Lengths are checked when the set is
// opened, data on every read (checking all of ImageNet up front would take minutes).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/files/byte_source.h"
#include "engine/data/formats/image_folder.h"

namespace steelyard::data {

// CRC-32C (Castagnoli), RFC 3720 appendix B.4; and TensorFlow's mask of it.
[[nodiscard]] std::uint32_t crc32c(ByteView bytes);
[[nodiscard]] std::uint32_t maskCrc(std::uint32_t crc);

struct RecordPlace {
    std::int64_t offset = 0;  // of the data
    std::int64_t bytes = 0;
};

// Scans the file by record lengths. CorruptData with the offset for a wrong checksum or a truncated record.
[[nodiscard]] Result<std::vector<RecordPlace>> indexRecords(const ByteSource& source);
[[nodiscard]] Result<std::vector<std::uint8_t>> readRecord(const ByteSource& source, const RecordPlace& place);

struct ImageExample {
    ByteView encoded;  // within the record
    std::int64_t label = 0;
};
// The features image/encoded and image/class/label of a tf.train.Example, or image and class (or label), as in the
// Kaggle flowers and TensorFlow Datasets. Other features are skipped. `offset`: position of the record in `file`.
[[nodiscard]] Result<ImageExample> parseImageExample(ByteView record, const std::string& file, std::int64_t offset);

struct TfRecordOptions {
    ImageSize size;
    std::int64_t classCount = 1000;
    std::int64_t firstLabel = 0;  // 1 where label 0 is kept for "background"
};

// Shards: *.tfrecord, *.tfrecords, *.tfrec, or names like train-00000-of-01024. The training part is in the subfolder
// `train` or has names with that prefix; the validation part likewise (`validation` or `val`). If no name indicates a
// part, all shards are the training part. NotFound without any shard.
[[nodiscard]] Result<DatasetPair> loadTfRecords(const std::filesystem::path& folder, const TfRecordOptions& options);

}  // namespace steelyard::data
