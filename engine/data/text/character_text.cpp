// SPDX-License-Identifier: Apache-2.0
// Character windows, see text.h.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/guarded.h"
#include "engine/data/text/text.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kMaxTextBytes = std::int64_t{256} << 20;

Result<std::filesystem::path> findText(const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::is_directory(path, problem)) return path;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator entry(path, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (entry->path().extension() == ".txt") found.push_back(entry->path());
    }
    if (problem) return Failure(errorFromErrno(problem.value(), path.string()));
    if (found.empty()) return fail(ErrorKind::NotFound, (path / "*.txt").string());
    if (found.size() > 1) {
        return fail(ErrorKind::InvalidArgument, path.string(), messages::severalTexts(found.size()));
    }
    return found.front();
}

Result<void> check(std::size_t length, const CharacterOptions& options, const std::string& source) {
    if (options.window < 1 || options.step < 1) {
        return fail(ErrorKind::InvalidArgument, "window", messages::windowTooSmall());
    }
    if (std::cmp_less_equal(length, options.window)) {
        return fail(ErrorKind::InvalidArgument, source, messages::textTooShort(length, options.window));
    }
    return {};
}

}  // namespace

CharacterText::CharacterText(DatasetInfo info, std::u32string characters, std::vector<std::int32_t> ids,
                             const CharacterOptions& options)
    : Dataset(std::move(info)), m_characters(std::move(characters)), m_ids(std::move(ids)), m_options(options) {}

Result<std::shared_ptr<const CharacterText>> CharacterText::create(std::u32string text, const CharacterOptions& options,
                                                                   const std::string& source) {
    TRY(check(text.size(), options, source));
    if (options.lowerCase) std::transform(text.begin(), text.end(), text.begin(), toLower);
    auto characters = text;
    std::sort(characters.begin(), characters.end());
    characters.erase(std::unique(characters.begin(), characters.end()), characters.end());
    characters.shrink_to_fit();

    std::vector<std::int32_t> ids(text.size());
    std::transform(text.begin(), text.end(), ids.begin(), [&](char32_t c) {
        const auto place = std::lower_bound(characters.begin(), characters.end(), c);
        return static_cast<std::int32_t>(place - characters.begin());
    });
    const auto vocabulary = static_cast<std::int64_t>(characters.size());
    DatasetInfo info;
    info.name = "characters of a text";
    info.source = source;
    // Windows start at 0, step, 2 step, ... below length - window: each has a following character.
    info.samples = (static_cast<std::int64_t>(ids.size()) - options.window + options.step - 1) / options.step;
    info.featureKind = options.oneHot ? FeatureKind::Values : FeatureKind::Tokens;
    info.featureShape = options.oneHot ? Shape{options.window, vocabulary} : Shape{options.window};
    info.classCount = vocabulary;
    if (!options.oneHot) info.vocabulary = vocabulary;
    for (const auto c : characters) info.classNames.push_back(encodeUtf8({&c, 1}));
    info.heldMemory = Bytes(static_cast<std::int64_t>(ids.size() * sizeof(std::int32_t)));
    return std::shared_ptr<const CharacterText>(
        new CharacterText(std::move(info), std::move(characters), std::move(ids), options));
}

Result<void> CharacterText::read(std::int64_t index, const SampleTarget& target) const {
    const auto first = m_ids.begin() + index * m_options.step;
    if (m_options.oneHot) {
        std::fill(target.values.begin(), target.values.end(), 0.0F);
        for (std::int64_t t = 0; t < m_options.window; ++t) {
            target.values[static_cast<std::size_t>(t * classCount() + first[t])] = 1.0F;
        }
    } else {
        std::copy_n(first, m_options.window, target.tokens.begin());
    }
    target.labels[0] = first[m_options.window];
    return {};
}

Result<std::shared_ptr<const CharacterText>> loadCharacterText(const std::filesystem::path& path,
                                                               const CharacterOptions& options) {
    return guarded(path.string(), [&]() -> Result<std::shared_ptr<const CharacterText>> {
        ASSIGN(const auto file, findText(path));
        ASSIGN(const auto bytes, readWholeFile(file, kMaxTextBytes));
        ASSIGN(auto text, decodeUtf8(bytes, file.string()));
        return CharacterText::create(std::move(text), options, file.string());
    });
}

}  // namespace steelyard::data
