// SPDX-License-Identifier: Apache-2.0
#include "engine/data/open_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/formats/cifar10.h"
#include "engine/data/formats/idx.h"
#include "engine/data/formats/image_folder.h"
#include "engine/data/formats/imdb.h"
#include "engine/data/formats/tfrecord.h"
#include "engine/data/text/text.h"

namespace steelyard::data {
namespace {

// 680 of the 3,670 flower photographs are for validation (P. Mooney's notebook on Kaggle).
constexpr double kFlowerValidationShare = 680.0 / 3670.0;
constexpr std::int64_t kFlowerClasses = 5;
constexpr std::int64_t kImageNetClasses = 1000;

Failure wrongInput(const DatasetRequest& request, Message expected) {
    return fail(ErrorKind::InvalidArgument, request.dataset,
                messages::inputDiffers(shapeText(request.featureShape), std::move(expected)));
}

Result<DatasetPair> withElements(const DatasetRequest& request, const Shape& shape,
                                 Result<DatasetPair> (*load)(const std::filesystem::path&)) {
    if (elementCount(request.featureShape) != elementCount(shape))
        return wrongInput(request, Message(shapeText(shape)));
    return load(request.folder);
}

Result<DatasetPair> openText(const DatasetRequest& request) {
    const CharacterOptions options{.window = request.featureShape[0], .oneHot = request.featureShape.size() == 2};
    ASSIGN(auto text, loadCharacterText(request.folder, options));
    return DatasetPair{std::move(text), nullptr};
}

// The subfolders `train` and `val` (or `validation`), or the whole folder.
Result<DatasetPair> openImageFolders(const std::filesystem::path& folder, ImageSize size) {
    std::error_code ignored;
    for (const auto* name : {"val", "validation"}) {
        if (!std::filesystem::is_directory(folder / "train", ignored)) break;
        if (!std::filesystem::is_directory(folder / name, ignored)) continue;
        ASSIGN(auto train, loadImageFolder(folder / "train", size));
        ASSIGN(auto validation, loadImageFolder(folder / name, size));
        if (train->info().classNames != validation->info().classNames) {
            return fail(ErrorKind::InvalidArgument, (folder / name).string(), messages::classesDiffer());
        }
        return DatasetPair{std::move(train), std::move(validation)};
    }
    ASSIGN(auto whole, loadImageFolder(folder, size));
    return DatasetPair{std::move(whole), nullptr};
}

Result<DatasetPair> openPhotographs(const DatasetRequest& request) {
    const auto& shape = request.featureShape;
    if (shape.size() != 3 || shape[0] != 3) return wrongInput(request, Message("[3, H, W]"));
    const ImageSize size{shape[1], shape[2]};
    std::error_code ignored;
    const auto inner = request.folder / "flower_photos";
    const auto& folder = std::filesystem::is_directory(inner, ignored) ? inner : request.folder;

    const bool flowers = request.dataset == "flowers";
    const auto classes = request.classCount > 0 ? request.classCount : flowers ? kFlowerClasses : kImageNetClasses;
    // Common ImageNet shards reserve label 0 for "background".
    auto pair = loadTfRecords(folder, {.size = size, .classCount = classes, .firstLabel = flowers ? 0 : 1});
    if (!pair && pair.error().kind == ErrorKind::NotFound) pair = openImageFolders(folder, size);
    if (!pair || pair->validation) return pair;
    const auto whole = pair->train->size();
    const auto share = static_cast<std::int64_t>(static_cast<double>(whole) * kFlowerValidationShare + 0.5);
    if (share < 1) return pair;
    return splitDataset(pair->train, share, request.seed);
}

Result<DatasetPair> open(const DatasetRequest& request) {
    const auto& shape = request.featureShape;
    const auto& name = request.dataset;
    const bool positive = std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size > 0; });
    if (shape.empty() || !positive) return wrongInput(request, messages::positiveSizes());
    if (name == "mnist") return withElements(request, {1, 28, 28}, loadMnist);
    if (name == "cifar10") return withElements(request, {3, 32, 32}, loadCifar10);
    if (name == "flowers" || name == "imagenet") return openPhotographs(request);
    if (name == "text") return openText(request);
    if (shape.size() != 1) return wrongInput(request, messages::aLength());
    if (name == "imdb") {
        return loadImdb(request.folder, {.words = request.words, .length = shape[0], .bigrams = request.bigrams});
    }
    return loadPtb(request.folder, {.steps = shape[0], .batch = request.batch, .vocabulary = request.words});
}

}  // namespace

const std::vector<std::string>& datasetNames() {
    static const std::vector<std::string> kNames{"mnist", "cifar10", "imdb", "text", "ptb", "flowers", "imagenet"};
    return kNames;
}

Result<DatasetPair> openDataset(const DatasetRequest& request) {
    const auto& names = datasetNames();
    if (std::find(names.begin(), names.end(), request.dataset) == names.end()) {
        return fail(ErrorKind::InvalidArgument, request.dataset,
                    messages::realDataFor(fmt::format("{}", fmt::join(names, ", "))));
    }
    std::error_code ignored;
    if (!std::filesystem::exists(request.folder, ignored)) return fail(ErrorKind::NotFound, request.folder.string());
    return guarded(request.folder.string(), [&] { return open(request); });
}

Augmentation usualAugmentation(const std::string& dataset) {
    if (dataset == "cifar10") return {.shiftFraction = 0.1, .horizontalFlip = true};
    return {};
}

}  // namespace steelyard::data
