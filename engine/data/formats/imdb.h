// SPDX-License-Identifier: Apache-2.0
// The IMDb film reviews (A. Maas and others, Learning Word Vectors for Sentiment Analysis, 2011): the folder tree
// aclImdb/{train,test}/{pos,neg}/*.txt, or Keras's imdb.npz. Both are converted to Keras's ids: 0 is padding at the
// start, 1 starts a review, 2 is an out-of-vocabulary word, 3 is unused, and the word of frequency rank r (from 1) is r
// + 3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

struct ImdbOptions {
    std::int64_t words = 20'000;  // ids from this value on become 2
    std::int64_t length = 100;    // shorter reviews are padded at the start, longer ones keep their end
    // Appends ids of the bigrams that occur in the training part, numbered from words + 1 in order of first appearance
    // (A. Joulin and others, Bag of Tricks for Efficient Text Classification, 2016).
    bool bigrams = false;
};

// Concatenated lists of integers: list i is [starts[i], starts[i + 1]).
struct TokenLists {
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> starts{0};

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(starts.size()) - 1; }
    [[nodiscard]] std::span<const std::int32_t> operator[](std::int64_t i) const;
    void endList() { starts.push_back(static_cast<std::int64_t>(tokens.size())); }
};

struct Reviews {
    TokenLists ranks;                  // 1 is the most frequent word; kUnknownRank for words not in the training part
    std::vector<std::int32_t> labels;  // 1 is a positive review
};
inline constexpr std::int32_t kUnknownRank = 0x7ffffff0;

// Encodes both parts. InvalidArgument for invalid options.
[[nodiscard]] Result<DatasetPair> makeImdb(const Reviews& train, const Reviews& validation, const ImdbOptions& options,
                                           const std::string& source);

// Words of a review: lower case (ASCII), separated by white space and the punctuation removed by Keras's tokeniser (the
// apostrophe is kept). CorruptData if the bytes are not UTF-8.
[[nodiscard]] Result<std::vector<std::string>> tokeniseReview(ByteView bytes, const std::string& file);

// Both parts of an imdb.npz: x_train, y_train, x_test, y_test. The reviews are pickled Python lists; see
// pickled_lists.h.
struct ReviewPair {
    Reviews train, validation;
};
[[nodiscard]] Result<ReviewPair> readImdbNpz(const ByteSource& source);

// `path`: imdb.npz, a folder containing it, the folder aclImdb, or its parent.
[[nodiscard]] Result<DatasetPair> loadImdb(const std::filesystem::path& path, const ImdbOptions& options);

}  // namespace steelyard::data
