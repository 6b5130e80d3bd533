// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/idx.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/formats/byte_images.h"

namespace steelyard::data {
namespace {

constexpr std::uint8_t kUnsignedByte = 8;
constexpr std::int64_t kSide = 28;
constexpr int kDigitClasses = 10;
constexpr std::int64_t kMaxIdxBytes = std::int64_t{1} << 33;  // 8 GiB: above any file of this format in use

std::uint32_t bigEndian32(ByteView bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

Result<void> checkMagic(const ByteStream& stream, ByteView magic, int dimensionCount) {
    if (magic[0] != 0 || magic[1] != 0) {
        return corrupt(stream.name(), 0, messages::wrongMagic(fmt::format("0x{:08x}", bigEndian32(magic))));
    }
    if (magic[2] != kUnsignedByte) {
        return corrupt(stream.name(), 2, messages::wrongValueType(fmt::format("0x{:02x}", magic[2])));
    }
    if (magic[3] != dimensionCount) {
        return corrupt(stream.name(), 3, messages::dimensionCount(magic[3], dimensionCount));
    }
    return {};
}

struct IdxPart {
    const char* images;  // "train-images"
    const char* labels;
    const char* split;
};

// The first existing name, or NotFound.
Result<std::filesystem::path> findIdx(const std::filesystem::path& folder, const std::string& stem,
                                      const std::string& type) {
    for (const auto* below : {"", "MNIST/raw", "raw"}) {
        for (const auto* joint : {"-", "."}) {
            for (const auto* ending : {"", ".gz"}) {
                auto path = folder / below / fmt::format("{}{}{}-ubyte{}", stem, joint, type, ending);
                std::error_code ignored;
                if (std::filesystem::is_regular_file(path, ignored)) return path;
            }
        }
    }
    return fail(ErrorKind::NotFound, (folder / fmt::format("{}-{}-ubyte", stem, type)).string(), messages::alsoTried());
}

Result<IdxBytes> readIdxFile(const std::filesystem::path& path, int dimensionCount) {
    ASSIGN(auto source, openFile(path));
    const auto stream = path.extension() == ".gz" ? gunzipStream(source) : streamOf(source);
    return readIdx(*stream, dimensionCount);
}

Result<DatasetPtr> loadPart(const std::filesystem::path& folder, const IdxPart& part) {
    ASSIGN(const auto imagePath, findIdx(folder, part.images, "idx3"));
    ASSIGN(const auto labelPath, findIdx(folder, part.labels, "idx1"));
    ASSIGN(auto images, readIdxFile(imagePath, 3));
    ASSIGN(auto labels, readIdxFile(labelPath, 1));

    const auto count = images.dimensions[0];
    if (images.dimensions[1] != kSide || images.dimensions[2] != kSide) {
        return corrupt(imagePath.string(), 8,
                       messages::imageSizes(images.dimensions[1], images.dimensions[2], kSide, kSide));
    }
    if (labels.dimensions[0] != count) {
        return corrupt(labelPath.string(), 4,
                       messages::labelCount(labels.dimensions[0], count, imagePath.filename().string()));
    }
    if (count == 0) return corrupt(imagePath.string(), 4, messages::noImages());
    const auto bad =
        std::find_if(labels.bytes.begin(), labels.bytes.end(), [](auto label) { return label >= kDigitClasses; });
    if (bad != labels.bytes.end()) {
        return corrupt(labelPath.string(), labels.headerBytes + (bad - labels.bytes.begin()),
                       messages::labelRange(*bad, 0, 9));
    }
    DatasetInfo info;
    info.name = "MNIST";
    info.split = part.split;
    info.source = imagePath.parent_path().string();
    info.samples = count;
    info.featureShape = {1, kSide, kSide};
    info.classCount = kDigitClasses;
    for (int digit = 0; digit < kDigitClasses; ++digit) info.classNames.push_back(std::to_string(digit));
    return std::make_shared<ByteImages>(std::move(info), std::move(images.bytes), std::move(labels.bytes));
}

}  // namespace

Result<IdxBytes> readIdx(ByteStream& stream, int dimensionCount) {
    IdxBytes idx;
    std::vector<std::uint8_t> header;
    TRY(readExactly(stream, 0, 4, header));
    TRY(checkMagic(stream, header, dimensionCount));
    idx.headerBytes = 4 + 4 * dimensionCount;
    TRY(readExactly(stream, 4, 4 * dimensionCount, header));

    std::int64_t total = 1;
    for (int i = 0; i < dimensionCount; ++i) {
        const auto offset = 4 + 4 * i;
        const std::int64_t size = bigEndian32(ByteView(header).subspan(static_cast<std::size_t>(offset), 4));
        if (size > 0 && total > kMaxIdxBytes / size) {
            return corrupt(stream.name(), offset, messages::sizeExceeds(size));
        }
        total *= size;
        idx.dimensions.push_back(size);
    }
    TRY(readExactly(stream, idx.headerBytes, total, idx.bytes));
    std::uint8_t extra = 0;
    ASSIGN(const auto after, stream.read({&extra, 1}));
    if (after != 0) return corrupt(stream.name(), idx.headerBytes + total, messages::trailingBytes());
    idx.bytes.shrink_to_fit();
    return idx;
}

Result<DatasetPair> loadMnist(const std::filesystem::path& folder) {
    return guarded(folder.string(), [&]() -> Result<DatasetPair> {
        ASSIGN(auto train, loadPart(folder, {"train-images", "train-labels", "train"}));
        ASSIGN(auto validation, loadPart(folder, {"t10k-images", "t10k-labels", "validation"}));
        return DatasetPair{std::move(train), std::move(validation)};
    });
}

}  // namespace steelyard::data
