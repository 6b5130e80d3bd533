// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/imdb_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "engine/data/files/list_files.h"
#include "engine/data/text/text.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMostReviewBytes = std::int64_t{1} << 20;  // the longest original has 14 KB
constexpr std::string_view kSeparators = "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r ";

// Words are numbered when first seen; rank() maps numbers to ranks after the training part has been counted.
class Vocabulary {
public:
    std::int32_t numberOf(const std::string& word) {
        const auto [entry, isNew] = m_numbers.try_emplace(word, static_cast<std::int32_t>(m_numbers.size()));
        if (isNew) {
            m_words.push_back(&entry->first);
            m_counts.push_back(0);
        }
        return entry->second;
    }
    void count(std::int32_t number) { ++m_counts[static_cast<std::size_t>(number)]; }

    // Indexed by number; kUnknownRank for words not counted.
    [[nodiscard]] std::vector<std::int32_t> ranks() const {
        std::vector<std::size_t> order(m_words.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return m_counts[a] != m_counts[b] ? m_counts[a] > m_counts[b] : *m_words[a] < *m_words[b];
        });
        std::vector<std::int32_t> result(order.size(), kUnknownRank);
        for (std::size_t i = 0; i < order.size() && m_counts[order[i]] > 0; ++i) {
            result[order[i]] = static_cast<std::int32_t>(i) + 1;
        }
        return result;
    }

private:
    std::unordered_map<std::string, std::int32_t> m_numbers;  // node-based: keys have stable addresses
    std::vector<const std::string*> m_words;
    std::vector<std::int64_t> m_counts;
};

Result<Reviews> readPart(const std::filesystem::path& folder, bool counts, Vocabulary& vocabulary) {
    Reviews reviews;
    for (const auto& [name, label] : {std::pair{"neg", 0}, std::pair{"pos", 1}}) {
        ASSIGN(const auto files, listFiles(folder / name, {".txt"}));
        for (const auto& file : files) {
            ASSIGN(const auto bytes, readWholeFile(file, kMostReviewBytes));
            ASSIGN(const auto words, tokeniseReview(bytes, file.string()));
            for (const auto& word : words) {
                const auto number = vocabulary.numberOf(word);
                if (counts) vocabulary.count(number);
                reviews.ranks.tokens.push_back(number);
            }
            reviews.ranks.endList();
            reviews.labels.push_back(label);
        }
    }
    return reviews;
}

}  // namespace

Result<std::vector<std::string>> tokeniseReview(ByteView bytes, const std::string& file) {
    TRY(decodeUtf8(bytes, file));
    std::vector<std::string> words;
    std::string word;
    for (const auto byte : bytes) {
        const auto c = static_cast<char>(byte);
        if (kSeparators.find(c) == std::string_view::npos) {
            word.push_back(lowerAscii(c));
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

Result<ReviewPair> readImdbFolder(const std::filesystem::path& folder) {
    Vocabulary vocabulary;
    ASSIGN(auto train, readPart(folder / "train", true, vocabulary));
    ASSIGN(auto validation, readPart(folder / "test", false, vocabulary));
    const auto ranks = vocabulary.ranks();
    for (auto* part : {&train, &validation}) {
        for (auto& token : part->ranks.tokens) token = ranks[static_cast<std::size_t>(token)];
    }
    return ReviewPair{std::move(train), std::move(validation)};
}

}  // namespace steelyard::data
