// SPDX-License-Identifier: Apache-2.0
// Text as training data: UTF-8 decoding with full validation, character windows, and words in stateful batches (PTB).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

// Code points of a UTF-8 text without a byte-order mark; "\r
// " and "\r" become "
// ". CorruptData with the offset of the first invalid byte (also overlong forms, surrogates and values above U+10FFFF)
// or NUL.
[[nodiscard]] Result<std::u32string> decodeUtf8(ByteView bytes, const std::string& file);
[[nodiscard]] std::string encodeUtf8(std::u32string_view text);

// Lower case of Latin-1, Greek and Cyrillic letters; others are unchanged. Independent of the locale.
[[nodiscard]] char32_t toLower(char32_t character);

struct CharacterOptions {
    std::int64_t window = 40;
    std::int64_t step = 3;
    bool lowerCase = true;
    bool oneHot = false;  // values [window, vocabulary] instead of ids [window]
};

// Every `step`-th window of the text; the label is the following character. Ids are ranks in code-point order.
class CharacterText final : public Dataset {
public:
    // InvalidArgument if the text is not longer than the window.
    [[nodiscard]] static Result<std::shared_ptr<const CharacterText>> create(std::u32string text,
                                                                             const CharacterOptions& options,
                                                                             const std::string& source);
    // Characters by id.
    [[nodiscard]] const std::u32string& characters() const { return m_characters; }
    [[nodiscard]] const std::vector<std::int32_t>& ids() const { return m_ids; }  // of the whole text

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override;

private:
    CharacterText(DatasetInfo info, std::u32string characters, std::vector<std::int32_t> ids,
                  const CharacterOptions& options);
    std::u32string m_characters;
    std::vector<std::int32_t> m_ids;
    CharacterOptions m_options;
};

// A text file, or a folder with exactly one *.txt. At most 256 MiB.
[[nodiscard]] Result<std::shared_ptr<const CharacterText>> loadCharacterText(const std::filesystem::path& path,
                                                                             const CharacterOptions& options);

struct WordOptions {
    std::int64_t steps = 32;
    std::int64_t batch = 128;
    std::int64_t vocabulary = 10'000;  // most frequent words; others become <unk>
};

// ptb.train.txt and ptb.valid.txt in `folder`, or in `data` or `simple-examples/data` below it. Words are separated by
// white space, the end of a line is the word <eos>; ids are ranks by frequency in the training text. The text is split
// into `batch` rows; sample i of batch k is steps k of row i, so that state can be carried over, and the label of every
// word is the next one (W. Zaremba and others, Recurrent Neural Network Regularization, 2014).
[[nodiscard]] Result<DatasetPair> loadPtb(const std::filesystem::path& folder, const WordOptions& options);

// Parts of loadPtb. Views into `bytes`; "
// " gives kEndOfSentence. The bytes must be UTF-8.
inline constexpr std::string_view kEndOfSentence = "<eos>";
inline constexpr std::string_view kUnknownWord = "<unk>";
[[nodiscard]] Result<std::vector<std::string_view>> splitWords(ByteView bytes, const std::string& file);

// Ranks by descending frequency, ties in byte order. <unk> is always included, at the end if it does not occur.
using WordRanks = std::unordered_map<std::string_view, std::int32_t>;
[[nodiscard]] WordRanks rankWords(const std::vector<std::string_view>& words, std::int64_t atMost);

}  // namespace steelyard::data
