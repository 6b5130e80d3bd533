// SPDX-License-Identifier: Apache-2.0
// Photographs in one folder per class, `flower_photos/<class>/*.jpg`: decoded and resized each time a sample is read,
// since a decoded set rarely fits into memory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/data/dataset.h"

namespace steelyard::data {

struct ImageSize {
    std::int64_t height = 224;
    std::int64_t width = 224;
};

// Every folder below `folder` that holds *.jpg or *.jpeg is a class; labels follow the sorted names. Samples are sorted
// by class and name. NotFound when there is none; a damaged image is an error when it is read.
[[nodiscard]] Result<DatasetPtr> loadImageFolder(const std::filesystem::path& folder, ImageSize size);

}  // namespace steelyard::data
