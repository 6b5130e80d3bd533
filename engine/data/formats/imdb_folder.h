// SPDX-License-Identifier: Apache-2.0
// Reads the folder tree of the IMDb reviews. Internal to engine/data; may throw std::bad_alloc.
#pragma once

#include <filesystem>

#include "engine/data/formats/imdb.h"

namespace steelyard::data {

// {train,test}/{pos,neg}/*.txt below `folder`, files in the order of their names. Words are ranked by their frequency
// in the training part, equal ones in byte order.
[[nodiscard]] Result<ReviewPair> readImdbFolder(const std::filesystem::path& folder);

}  // namespace steelyard::data
