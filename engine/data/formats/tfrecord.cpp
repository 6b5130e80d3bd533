// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/tfrecord.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/files/list_files.h"
#include "engine/data/files/little_endian.h"
#include "engine/data/formats/jpeg_image.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kLengthBytes = 12;  // length and checksum
constexpr std::int64_t kCrcBytes = 4;

struct ShardRecord {
    std::int32_t shard = 0;
    RecordPlace place;
};

// A file is opened per sample: a thousand open shards would exceed the limit of file descriptors.
class TfRecords final : public Dataset {
public:
    TfRecords(DatasetInfo info, std::vector<std::filesystem::path> shards, std::vector<ShardRecord> records,
              std::int64_t firstLabel)
        : Dataset(std::move(info)),
          m_shards(std::move(shards)),
          m_records(std::move(records)),
          m_firstLabel(firstLabel) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        const auto& record = m_records[static_cast<std::size_t>(index)];
        const auto& shard = m_shards[static_cast<std::size_t>(record.shard)];
        const auto name = shard.string();
        return guarded(name, [&]() -> Result<void> {
            ASSIGN(const auto source, openFile(shard));
            ASSIGN(const auto bytes, readRecord(*source, record.place));
            ASSIGN(const auto example, parseImageExample(bytes, name, record.place.offset));
            const auto label = example.label;
            if (label < m_firstLabel || label - m_firstLabel >= classCount()) {
                return corrupt(name, record.place.offset,
                               messages::labelRange(label, m_firstLabel, m_firstLabel + classCount() - 1));
            }
            auto image = decodeJpeg(example.encoded, name);
            if (!image) {
                // Offsets within the image are converted to offsets in the file.
                auto error = image.error();
                const auto start = record.place.offset + (example.encoded.data() - bytes.data());
                error.offset = error.offset.value_or(0) + start;
                return Failure(std::move(error));
            }
            resizeBilinear(*image, featureShape()[1], featureShape()[2], target.values);
            target.labels[0] = static_cast<std::int32_t>(label - m_firstLabel);
            return {};
        });
    }

private:
    std::vector<std::filesystem::path> m_shards;
    std::vector<ShardRecord> m_records;
    std::int64_t m_firstLabel;
};

bool isShard(const std::filesystem::path& file) {
    const auto extension = file.extension();
    if (extension == ".tfrecord" || extension == ".tfrecords" || extension == ".tfrec") return true;
    // train-00000-of-01024
    const auto name = file.filename().string();
    const auto of = name.rfind("-of-");
    if (of == std::string::npos || of < 6) return false;
    const auto digits = [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const auto dash = name.rfind('-', of - 1);
    const std::string_view view(name);
    return dash != std::string::npos && digits(view.substr(dash + 1, of - dash - 1)) && digits(view.substr(of + 4));
}

std::vector<std::filesystem::path> shardsIn(const std::filesystem::path& folder, std::string_view prefix) {
    std::vector<std::filesystem::path> shards;
    const auto files = listFiles(folder, {""});
    if (!files) return shards;
    std::copy_if(files->begin(), files->end(), std::back_inserter(shards),
                 [&](const auto& file) { return isShard(file) && file.filename().string().starts_with(prefix); });
    return shards;
}

std::vector<std::filesystem::path> findShards(const std::filesystem::path& folder,
                                              std::initializer_list<const char*> names) {
    for (const auto* name : names) {
        for (auto shards : {shardsIn(folder / name, ""), shardsIn(folder, name)}) {
            if (!shards.empty()) return shards;
        }
    }
    return {};
}

Result<DatasetPtr> openShards(std::vector<std::filesystem::path> shards, const TfRecordOptions& options,
                              const std::filesystem::path& folder, const char* split) {
    std::vector<ShardRecord> records;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        ASSIGN(const auto source, openFile(shards[i]));
        ASSIGN(const auto places, indexRecords(*source));
        for (const auto& place : places) records.push_back({static_cast<std::int32_t>(i), place});
    }
    if (records.empty()) return corrupt(shards.front().string(), 0, messages::noRecords());
    DatasetInfo info;
    info.name = folder.filename().string();
    info.split = split;
    info.source = folder.string();
    info.samples = static_cast<std::int64_t>(records.size());
    info.featureShape = {3, options.size.height, options.size.width};
    info.classCount = options.classCount;
    info.heldMemory = Bytes(static_cast<std::int64_t>(records.size() * sizeof(ShardRecord)));
    return std::make_shared<TfRecords>(std::move(info), std::move(shards), std::move(records), options.firstLabel);
}

}  // namespace

Result<std::vector<RecordPlace>> indexRecords(const ByteSource& source) {
    std::vector<RecordPlace> places;
    std::array<std::uint8_t, kLengthBytes> header{};
    for (std::int64_t at = 0; at < source.size();) {
        TRY(source.read(at, header));
        const auto length = little64(header, 0);
        if (maskCrc(crc32c(ByteView(header).first(8))) != little32(header, 8)) {
            return corrupt(source.name(), at, messages::lengthChecksum());
        }
        const auto left = source.size() - at - kLengthBytes - kCrcBytes;
        if (left < 0 || length > static_cast<std::uint64_t>(left)) {
            return corrupt(source.name(), at, messages::recordOutside(length));
        }
        places.push_back({at + kLengthBytes, static_cast<std::int64_t>(length)});
        at += kLengthBytes + static_cast<std::int64_t>(length) + kCrcBytes;
    }
    return places;
}

Result<std::vector<std::uint8_t>> readRecord(const ByteSource& source, const RecordPlace& place) {
    if (place.offset < 0 || place.bytes < 0 || place.bytes > source.size() - place.offset - kCrcBytes) {
        return corrupt(source.name(), std::min(place.offset, source.size()), messages::becameShorter());
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(place.bytes + kCrcBytes));
    TRY(source.read(place.offset, bytes));
    const auto stated = little32(bytes, static_cast<std::size_t>(place.bytes));
    bytes.resize(static_cast<std::size_t>(place.bytes));
    if (maskCrc(crc32c(bytes)) != stated) return corrupt(source.name(), place.offset, messages::dataChecksum());
    return bytes;
}

Result<DatasetPair> loadTfRecords(const std::filesystem::path& folder, const TfRecordOptions& options) {
    constexpr std::int64_t kMostSide = 8192;
    if (options.size.height < 1 || options.size.width < 1 || options.size.height > kMostSide ||
        options.size.width > kMostSide) {
        return fail(ErrorKind::InvalidArgument, "image size",
                    messages::sizeText(options.size.height, options.size.width));
    }
    if (options.classCount < 1 || options.classCount > std::numeric_limits<std::int32_t>::max()) {
        return fail(ErrorKind::InvalidArgument, "class count", messages::upToInt32());
    }
    return guarded(folder.string(), [&]() -> Result<DatasetPair> {
        auto train = findShards(folder, {"train"});
        auto validation = findShards(folder, {"validation", "val"});
        if (train.empty()) {
            train = shardsIn(folder, "");
            validation.clear();
        }
        if (train.empty())
            return fail(ErrorKind::NotFound, (folder / "*.tfrecord").string(), messages::tfrecordAlsoTried());
        DatasetPair pair;
        ASSIGN(auto first, openShards(std::move(train), options, folder, validation.empty() ? "" : "train"));
        pair.train = std::move(first);
        if (validation.empty()) return pair;
        ASSIGN(auto second, openShards(std::move(validation), options, folder, "validation"));
        pair.validation = std::move(second);
        return pair;
    });
}

}  // namespace steelyard::data
