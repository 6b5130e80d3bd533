// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/cifar10.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/formats/byte_images.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kPixels = 3 * 32 * 32;
constexpr std::int64_t kRecord = 1 + kPixels;
constexpr int kCifarClasses = 10;
constexpr std::int64_t kChunkRecords = 1000;
constexpr std::int64_t kMostRecords = 1'000'000;  // a hundred times the size of the original files
constexpr std::array kTrainFiles{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                                 "data_batch_5.bin"};
constexpr std::array kTestFiles{"test_batch.bin"};
constexpr std::array kClassNames{"airplane", "automobile", "bird",  "cat",  "deer",
                                 "dog",      "frog",       "horse", "ship", "truck"};

Result<DatasetPtr> loadPart(const std::filesystem::path& folder, std::span<const char* const> files,
                            const char* split) {
    CifarRecords records;
    for (const auto* file : files) {
        ASSIGN(const auto source, openFile(folder / file));
        TRY(appendCifarRecords(*source, records));
    }
    DatasetInfo info;
    info.name = "CIFAR-10";
    info.split = split;
    info.source = folder.string();
    info.samples = static_cast<std::int64_t>(records.labels.size());
    info.featureShape = {3, 32, 32};
    info.classCount = kCifarClasses;
    info.classNames.assign(kClassNames.begin(), kClassNames.end());
    return std::make_shared<ByteImages>(std::move(info), std::move(records.pixels), std::move(records.labels));
}

}  // namespace

Result<void> appendCifarRecords(const ByteSource& source, CifarRecords& records) {
    if (source.size() == 0) return corrupt(source.name(), 0, messages::emptyFile());
    if (const auto rest = source.size() % kRecord; rest != 0) {
        return corrupt(source.name(), source.size() - rest, messages::incompleteRecord(rest, kRecord));
    }
    const auto count = source.size() / kRecord;
    if (count > kMostRecords) {
        return corrupt(source.name(), kMostRecords * kRecord, messages::recordCount(count));
    }
    records.pixels.reserve(records.pixels.size() + static_cast<std::size_t>(count * kPixels));
    std::vector<std::uint8_t> chunk;
    for (std::int64_t first = 0; first < count; first += kChunkRecords) {
        const auto here = std::min(kChunkRecords, count - first);
        chunk.resize(static_cast<std::size_t>(here * kRecord));
        if (auto done = source.read(first * kRecord, chunk); !done) return done;
        for (std::int64_t i = 0; i < here; ++i) {
            const auto record = ByteView(chunk).subspan(static_cast<std::size_t>(i * kRecord), kRecord);
            if (record[0] >= kCifarClasses) {
                return corrupt(source.name(), (first + i) * kRecord, messages::labelRange(record[0], 0, 9));
            }
            records.labels.push_back(record[0]);
            records.pixels.insert(records.pixels.end(), record.begin() + 1, record.end());
        }
    }
    return {};
}

Result<DatasetPair> loadCifar10(const std::filesystem::path& folder) {
    return guarded(folder.string(), [&]() -> Result<DatasetPair> {
        std::error_code ignored;
        const auto inner = folder / "cifar-10-batches-bin";
        const auto& place = std::filesystem::is_directory(inner, ignored) ? inner : folder;
        ASSIGN(auto train, loadPart(place, kTrainFiles, "train"));
        ASSIGN(auto validation, loadPart(place, kTestFiles, "validation"));
        return DatasetPair{std::move(train), std::move(validation)};
    });
}

}  // namespace steelyard::data
