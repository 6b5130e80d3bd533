// SPDX-License-Identifier: Apache-2.0
// Reader for Keras's imdb.npz, see imdb.h.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/zip_archive.h"
#include "engine/data/formats/imdb.h"
#include "engine/data/formats/npy.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMostArchive = std::int64_t{1} << 30;  // the original has 17 MB
constexpr std::int64_t kMostEntry = std::int64_t{1} << 30;    // the original entries have about 16 MB

Result<Reviews> readPart(const std::string& file, const ZipArchive& archive, const std::string& part) {
    const auto nameOf = [&](const std::string& entry) { return file + ":" + entry; };
    const auto xName = "x_" + part + ".npy";
    const auto yName = "y_" + part + ".npy";
    ASSIGN(const auto x, archive.read(xName, kMostEntry));
    ASSIGN(auto lists, readNpyLists(x, nameOf(xName)));
    const auto negative = std::find_if(lists.tokens.begin(), lists.tokens.end(),
                                       [](std::int32_t rank) { return rank < 0 || rank > kUnknownRank; });
    if (negative != lists.tokens.end()) return corrupt(nameOf(xName), 0, messages::negativeRank(*negative));

    ASSIGN(const auto y, archive.read(yName, kMostEntry));
    const auto labels = readNpyIntegers(y, nameOf(yName));
    if (!labels) return Failure(labels.error());
    if (std::cmp_not_equal(labels->size(), lists.size())) {
        return corrupt(nameOf(yName), 0, messages::labelsForReviews(labels->size(), lists.size()));
    }
    Reviews reviews{std::move(lists), {}};
    for (const auto label : *labels) {
        if (label != 0 && label != 1) return corrupt(nameOf(yName), 0, messages::labelRange(label, 0, 1));
        reviews.labels.push_back(static_cast<std::int32_t>(label));
    }
    return reviews;
}

}  // namespace

Result<ReviewPair> readImdbNpz(const ByteSource& source) {
    ASSIGN(const auto archive, ZipArchive::open(source, kMostArchive));
    ASSIGN(auto train, readPart(source.name(), archive, "train"));
    ASSIGN(auto validation, readPart(source.name(), archive, "test"));
    return ReviewPair{std::move(train), std::move(validation)};
}

}  // namespace steelyard::data
