// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/imdb.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/formats/imdb_folder.h"

namespace steelyard::data {
namespace {

constexpr std::int32_t kPadding = 0;
constexpr std::int32_t kBeginning = 1;
constexpr std::int32_t kBeyondCap = 2;
constexpr std::int32_t kFirstWord = 3;  // added to the rank
constexpr std::int64_t kMostLength = 1'000'000;

using Bigrams = std::unordered_map<std::uint64_t, std::int32_t>;

std::uint64_t pairKey(std::int32_t first, std::int32_t second) {
    return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint32_t>(second);
}

class ImdbPart final : public Dataset {
public:
    ImdbPart(DatasetInfo info, TokenLists ids, std::vector<std::int32_t> labels)
        : Dataset(std::move(info)), m_ids(std::move(ids)), m_labels(std::move(labels)) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        const auto ids = m_ids[index];  // at most as long as the target
        const auto padding = target.tokens.size() - ids.size();
        std::fill_n(target.tokens.begin(), padding, kPadding);
        std::copy(ids.begin(), ids.end(), target.tokens.begin() + static_cast<std::ptrdiff_t>(padding));
        target.labels[0] = m_labels[static_cast<std::size_t>(index)];
        return {};
    }

private:
    TokenLists m_ids;
    std::vector<std::int32_t> m_labels;
};

void encodeWords(std::span<const std::int32_t> ranks, std::int64_t cap, std::vector<std::int32_t>& ids) {
    ids.assign(1, kBeginning);
    for (const auto rank : ranks) {
        ids.push_back(rank + std::int64_t{kFirstWord} < cap ? rank + kFirstWord : kBeyondCap);
    }
}

Bigrams collectBigrams(const Reviews& reviews, const ImdbOptions& options) {
    Bigrams bigrams;
    std::vector<std::int32_t> ids;
    const auto first = static_cast<std::int32_t>(options.words + 1);
    for (std::int64_t i = 0; i < reviews.ranks.size(); ++i) {
        encodeWords(reviews.ranks[i], options.words, ids);
        for (std::size_t k = 0; k + 1 < ids.size(); ++k) {
            bigrams.try_emplace(pairKey(ids[k], ids[k + 1]), first + static_cast<std::int32_t>(bigrams.size()));
        }
    }
    return bigrams;
}

void appendBigrams(const Bigrams& bigrams, std::vector<std::int32_t>& ids) {
    const auto words = ids.size();
    for (std::size_t k = 0; k + 1 < words; ++k) {
        const auto found = bigrams.find(pairKey(ids[k], ids[k + 1]));
        if (found != bigrams.end()) ids.push_back(found->second);
    }
}

DatasetPtr encodePart(const Reviews& reviews, const Bigrams& bigrams, const ImdbOptions& options, DatasetInfo info) {
    TokenLists encoded;
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < reviews.ranks.size(); ++i) {
        encodeWords(reviews.ranks[i], options.words, ids);
        if (options.bigrams) appendBigrams(bigrams, ids);
        const auto kept = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(ids.size()), options.length);
        encoded.tokens.insert(encoded.tokens.end(), ids.end() - kept, ids.end());
        encoded.endList();
    }
    encoded.tokens.shrink_to_fit();
    info.name = "IMDb";
    info.samples = reviews.ranks.size();
    info.featureKind = FeatureKind::Tokens;
    info.featureShape = {options.length};
    info.labelKind = LabelKind::Binary;
    info.classCount = 2;
    info.classNames = {"negative", "positive"};
    // With bigrams: one more than the largest id, which is words + their number.
    info.vocabulary = options.bigrams ? options.words + 1 + static_cast<std::int64_t>(bigrams.size()) : options.words;
    info.heldMemory = Bytes(static_cast<std::int64_t>(encoded.tokens.size() * sizeof(std::int32_t)));
    return std::make_shared<ImdbPart>(std::move(info), std::move(encoded), reviews.labels);
}

Result<DatasetPair> loadNpz(const std::filesystem::path& file, const ImdbOptions& options) {
    ASSIGN(const auto source, openFile(file));
    ASSIGN(const auto reviews, readImdbNpz(*source));
    return makeImdb(reviews.train, reviews.validation, options, file.string());
}

}  // namespace

std::span<const std::int32_t> TokenLists::operator[](std::int64_t i) const {
    const auto first = starts[static_cast<std::size_t>(i)];
    const auto last = starts[static_cast<std::size_t>(i) + 1];
    return std::span(tokens).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

Result<DatasetPair> makeImdb(const Reviews& train, const Reviews& validation, const ImdbOptions& options,
                             const std::string& source) {
    // Bigram ids follow those of words: two thirds of the int32 range are reserved for them.
    if (options.words < 4 || options.words > std::numeric_limits<std::int32_t>::max() / 3) {
        return fail(ErrorKind::InvalidArgument, "words", messages::between(4, 715'827'882));
    }
    if (options.length < 1 || options.length > kMostLength) {
        return fail(ErrorKind::InvalidArgument, "length", messages::between(1, 1'000'000));
    }
    if (train.ranks.size() < 1 || validation.ranks.size() < 1) {
        return fail(ErrorKind::InvalidArgument, source, messages::noReviews());
    }
    const auto bigrams = options.bigrams ? collectBigrams(train, options) : Bigrams{};
    DatasetInfo info;
    info.source = source;
    info.split = "train";
    auto first = encodePart(train, bigrams, options, info);
    info.split = "validation";
    return DatasetPair{std::move(first), encodePart(validation, bigrams, options, info)};
}

Result<DatasetPair> loadImdb(const std::filesystem::path& path, const ImdbOptions& options) {
    return guarded(path.string(), [&]() -> Result<DatasetPair> {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored)) return loadNpz(path, options);
        for (const auto& folder : {path, path / "aclImdb"}) {
            if (!std::filesystem::is_directory(folder / "train" / "pos", ignored)) continue;
            ASSIGN(const auto reviews, readImdbFolder(folder));
            return makeImdb(reviews.train, reviews.validation, options, folder.string());
        }
        if (std::filesystem::is_regular_file(path / "imdb.npz", ignored)) return loadNpz(path / "imdb.npz", options);
        return fail(ErrorKind::NotFound, path.string(), messages::noImdb());
    });
}

}  // namespace steelyard::data
