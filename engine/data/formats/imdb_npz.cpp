// SPDX-License-Identifier: Apache-2.0
// Keras's imdb.npz, of imdb.h.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/data/files/zip_archive.h"
#include "engine/data/formats/imdb.h"
#include "engine/data/formats/npy.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMostEntry = std::int64_t{1} << 30;  // the real entries have about 16 MB

Result<std::vector<std::uint8_t>> readNamed(const ByteSource& source, const std::vector<ZipEntry>& entries,
                                            std::string_view name) {
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const ZipEntry& e) { return e.name == name; });
    if (entry == entries.end()) return corrupt(source.name(), source.size(), fmt::format("it holds no {}", name));
    return readZipEntry(source, *entry, kMostEntry);
}

Result<Reviews> readPart(const ByteSource& source, const std::vector<ZipEntry>& entries, const std::string& part) {
    const auto nameOf = [&](const std::string& entry) { return source.name() + ":" + entry; };
    const auto xName = "x_" + part + ".npy";
    const auto yName = "y_" + part + ".npy";
    ASSIGN(const auto x, readNamed(source, entries, xName));
    ASSIGN(auto lists, readNpyLists(x, nameOf(xName)));
    const auto negative = std::find_if(lists.tokens.begin(), lists.tokens.end(),
                                       [](std::int32_t rank) { return rank < 0 || rank > kUnknownRank; });
    if (negative != lists.tokens.end()) return corrupt(nameOf(xName), 0, fmt::format("a word of rank {}", *negative));

    ASSIGN(const auto y, readNamed(source, entries, yName));
    const auto labels = readNpyIntegers(y, nameOf(yName));
    if (!labels) return Failure(labels.error());
    if (std::cmp_not_equal(labels->size(), lists.size())) {
        return corrupt(nameOf(yName), 0, fmt::format("{} labels for {} reviews", labels->size(), lists.size()));
    }
    Reviews reviews{std::move(lists), {}};
    for (const auto label : *labels) {
        if (label != 0 && label != 1) return corrupt(nameOf(yName), 0, fmt::format("label {}, expected 0 or 1", label));
        reviews.labels.push_back(static_cast<std::int32_t>(label));
    }
    return reviews;
}

}  // namespace

Result<ReviewPair> readImdbNpz(const ByteSource& source) {
    ASSIGN(const auto entries, readZipDirectory(source));
    ASSIGN(auto train, readPart(source, entries, "train"));
    ASSIGN(auto validation, readPart(source, entries, "test"));
    return ReviewPair{std::move(train), std::move(validation)};
}

}  // namespace steelyard::data
