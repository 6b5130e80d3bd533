// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/image_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/files/list_files.h"
#include "engine/data/formats/jpeg_image.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMostFileBytes = std::int64_t{64} << 20;
constexpr std::int64_t kMostSide = 8192;

struct Photograph {
    std::filesystem::path file;
    std::int32_t label = 0;
};

class ImageFolder final : public Dataset {
public:
    ImageFolder(DatasetInfo info, std::vector<Photograph> photographs)
        : Dataset(std::move(info)), m_photographs(std::move(photographs)) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        const auto& photograph = m_photographs[static_cast<std::size_t>(index)];
        const auto name = photograph.file.string();
        return guarded(name, [&]() -> Result<void> {
            ASSIGN(const auto bytes, readWholeFile(photograph.file, kMostFileBytes));
            ASSIGN(const auto image, decodeJpeg(bytes, name));
            resizeBilinear(image, featureShape()[1], featureShape()[2], target.values);
            target.labels[0] = photograph.label;
            return {};
        });
    }

private:
    std::vector<Photograph> m_photographs;
};

Result<std::vector<std::filesystem::path>> listFolders(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> folders;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        std::error_code ignored;
        if (entry->is_directory(ignored)) folders.push_back(entry->path());
    }
    if (problem) return Failure(errorFromErrno(problem.value(), folder.string()));
    std::sort(folders.begin(), folders.end());
    return folders;
}

}  // namespace

Result<DatasetPtr> loadImageFolder(const std::filesystem::path& folder, ImageSize size) {
    if (size.height < 1 || size.width < 1 || size.height > kMostSide || size.width > kMostSide) {
        return fail(ErrorKind::InvalidArgument, "image size", messages::sizeText(size.height, size.width));
    }
    return guarded(folder.string(), [&]() -> Result<DatasetPtr> {
        ASSIGN(const auto folders, listFolders(folder));
        std::vector<Photograph> photographs;
        DatasetInfo info;
        for (const auto& classFolder : folders) {
            ASSIGN(const auto files, listFiles(classFolder, {".jpg", ".jpeg"}));
            if (files.empty()) continue;
            const auto label = static_cast<std::int32_t>(info.classNames.size());
            for (const auto& file : files) photographs.push_back({file, label});
            info.classNames.push_back(classFolder.filename().string());
        }
        if (photographs.empty()) {
            return fail(ErrorKind::NotFound, (folder / "*" / "*.jpg").string(), messages::oneFolderPerClass());
        }
        info.name = folder.filename().string();
        info.source = folder.string();
        info.samples = static_cast<std::int64_t>(photographs.size());
        info.featureShape = {3, size.height, size.width};
        info.classCount = static_cast<std::int64_t>(info.classNames.size());
        return std::make_shared<ImageFolder>(std::move(info), std::move(photographs));
    });
}

}  // namespace steelyard::data
