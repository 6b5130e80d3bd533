// SPDX-License-Identifier: Apache-2.0
// Words in stateful batches, see text.h.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/text/text.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMaxWordTextBytes = std::int64_t{256} << 20;

class CarriedWords final : public Dataset {
public:
    CarriedWords(DatasetInfo info, std::vector<std::int32_t> ids, const WordOptions& options)
        : Dataset(std::move(info)),
          m_ids(std::move(ids)),
          m_steps(options.steps),
          m_batch(options.batch),
          m_rowLength(static_cast<std::int64_t>(m_ids.size()) / options.batch) {}

protected:
    Result<void> read(std::int64_t index, const SampleTarget& target) const override {
        const auto row = index % m_batch;
        const auto first = m_ids.begin() + row * m_rowLength + index / m_batch * m_steps;
        std::copy_n(first, m_steps, target.tokens.begin());
        std::copy_n(first + 1, m_steps, target.labels.begin());
        return {};
    }

private:
    std::vector<std::int32_t> m_ids;
    std::int64_t m_steps;
    std::int64_t m_batch;
    std::int64_t m_rowLength;
};

std::filesystem::path findFolder(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const auto* below : {"data", "simple-examples/data"}) {
        if (std::filesystem::is_regular_file(folder / below / "ptb.train.txt", ignored)) return folder / below;
    }
    return folder;
}

struct Part {
    std::filesystem::path file;
    std::vector<std::uint8_t> bytes;
    std::vector<std::string_view> words;  // views into bytes
};

Result<Part> readPart(const std::filesystem::path& file) {
    auto bytes = readWholeFile(file, kMaxWordTextBytes);
    if (!bytes) return Failure(bytes.error());
    Part part{file, std::move(*bytes), {}};
    auto words = splitWords(part.bytes, file.string());
    if (!words) return Failure(words.error());
    part.words = std::move(*words);
    return part;
}

Result<DatasetPtr> makePart(const Part& part, const WordRanks& ranks, const WordOptions& options, const char* split) {
    std::int64_t unknown = 0;
    std::vector<std::int32_t> ids;
    ids.reserve(part.words.size());
    const auto unknownId = ranks.at(kUnknownWord);
    for (const auto word : part.words) {
        const auto found = ranks.find(word);
        if (found == ranks.end()) ++unknown;
        ids.push_back(found == ranks.end() ? unknownId : found->second);
    }
    const auto rowLength = static_cast<std::int64_t>(ids.size()) / options.batch;
    const auto batches = (rowLength - 1) / options.steps;  // each word needs a successor
    if (rowLength < 1 || batches < 1) {
        return fail(ErrorKind::InvalidArgument, part.file.string(),
                    messages::wordsTooFew(ids.size(), options.batch, options.steps));
    }
    DatasetInfo info;
    info.name = "PTB";
    info.split = split;
    info.source = part.file.string();
    info.samples = batches * options.batch;
    info.featureKind = FeatureKind::Tokens;
    info.featureShape = {options.steps};
    info.labelKind = LabelKind::TokenSequence;
    info.labelLength = options.steps;
    info.classCount = static_cast<std::int64_t>(ranks.size());
    info.vocabulary = info.classCount;
    info.carriedBatch = options.batch;
    info.heldMemory = Bytes(static_cast<std::int64_t>(ids.size() * sizeof(std::int32_t)));
    if (unknown > 0) info.remark = fmt::format("{} words outside the vocabulary became <unk>.", unknown);
    return std::make_shared<CarriedWords>(std::move(info), std::move(ids), options);
}

}  // namespace

Result<std::vector<std::string_view>> splitWords(ByteView bytes, const std::string& file) {
    TRY(decodeUtf8(bytes, file));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::vector<std::string_view> words;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ' ';
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') continue;
        if (i > start) words.push_back(text.substr(start, i - start));
        if (c == '\n') words.push_back(kEndOfSentence);
        start = i + 1;
    }
    return words;
}

WordRanks rankWords(const std::vector<std::string_view>& words, std::int64_t atMost) {
    std::unordered_map<std::string_view, std::int64_t> counts;
    for (const auto word : words) ++counts[word];
    std::vector<std::pair<std::string_view, std::int64_t>> order(counts.begin(), counts.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    if (std::cmp_greater(order.size(), atMost)) order.resize(static_cast<std::size_t>(atMost));
    const bool known =
        std::any_of(order.begin(), order.end(), [](const auto& entry) { return entry.first == kUnknownWord; });
    if (!known) {
        if (std::cmp_equal(order.size(), atMost)) order.pop_back();
        order.emplace_back(kUnknownWord, counts.contains(kUnknownWord) ? counts[kUnknownWord] : 0);
    }
    WordRanks ranks;
    for (const auto& [word, count] : order) ranks.emplace(word, static_cast<std::int32_t>(ranks.size()));
    return ranks;
}

Result<DatasetPair> loadPtb(const std::filesystem::path& folder, const WordOptions& options) {
    if (options.steps < 1 || options.batch < 1 || options.vocabulary < 1 ||
        options.vocabulary > std::numeric_limits<std::int32_t>::max()) {
        return fail(ErrorKind::InvalidArgument, "steps, batch and vocabulary", messages::atLeastOne());
    }
    return guarded(folder.string(), [&]() -> Result<DatasetPair> {
        const auto place = findFolder(folder);
        ASSIGN(const auto train, readPart(place / "ptb.train.txt"));
        ASSIGN(const auto validation, readPart(place / "ptb.valid.txt"));
        const auto ranks = rankWords(train.words, options.vocabulary);
        ASSIGN(auto first, makePart(train, ranks, options, "train"));
        ASSIGN(auto second, makePart(validation, ranks, options, "validation"));
        return DatasetPair{std::move(first), std::move(second)};
    });
}

}  // namespace steelyard::data
