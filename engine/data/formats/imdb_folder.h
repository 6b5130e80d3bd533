// SPDX-License-Identifier: Apache-2.0
// Reads the folder tree of the IMDb reviews. Internal to engine/data; may throw std::bad_alloc.
#pragma once

#include <filesystem>

#include "engine/data/formats/imdb.h"

namespace steelyard::data {

// {train,test}/{pos,neg}/*.txt below `folder`, files in order of name. Words are ranked by frequency in the training
// part, ties in byte order.
[[nodiscard]] Result<ReviewPair> readImdbFolder(const std::filesystem::path& folder);

}  // namespace steelyard::data
