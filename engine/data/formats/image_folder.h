// SPDX-License-Identifier: Apache-2.0
// Photographs in one folder per class, `flower_photos/<class>/*.jpg`: decoded and resized on each read, since a decoded
// set may exceed memory.
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

// Every subfolder of `folder` with *.jpg or *.jpeg files is a class; labels follow the sorted names. Samples are sorted
// by class and name. NotFound if there is none; a damaged image is an error when it is read.
[[nodiscard]] Result<DatasetPtr> loadImageFolder(const std::filesystem::path& folder, ImageSize size);

}  // namespace steelyard::data
