// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/language/language_decoder.h"

#include <algorithm>
#include <array>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {

Result<std::span<const float>> LanguageDecoder::append(std::span<const std::int32_t> tokens) {
    for (const auto token : tokens)
        if (token < 0 || token >= vocabulary())
            return fail(ErrorKind::InvalidArgument, {}, messages::tokenOutside(token, vocabulary() - 1));
    const auto count = static_cast<std::int64_t>(tokens.size());
    if (count == 0 || count % sequences() != 0)
        return fail(ErrorKind::InvalidArgument, {}, messages::unequalSequences(count, sequences()));
    const auto wanted = m_position + count / sequences();
    if (wanted > context()) return fail(ErrorKind::InvalidArgument, {}, messages::contextFull(context(), wanted));
    ASSIGN(const auto logits, process(tokens));
    m_position = wanted;
    return logits;
}

Result<void> LanguageDecoder::rewind(std::int64_t position) {
    const auto discarded = m_position - position;
    if (position < 0 || discarded < 0 || (position > 0 && discarded > kMostRewound))
        return fail(ErrorKind::InvalidArgument, {}, messages::notRewound(m_position, position, kMostRewound));
    m_position = position;
    return {};
}

Result<void> LanguageDecoder::repeatTo(std::int64_t positions) {
    if (positions > context()) return fail(ErrorKind::InvalidArgument, {}, messages::contextFull(context(), positions));
    if (m_position == 0 || m_position % kRepeatUnit != 0 || positions < m_position)
        return fail(ErrorKind::InvalidArgument, {}, messages::notRepeated(m_position, kRepeatUnit));
    TRY(repeat(positions));
    m_position = positions;
    return {};
}

std::int32_t greedyToken(std::span<const float> logits) {
    // The largest of each lane, which the compiler computes in vectors; then the first logit that equals the largest.
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> lanes{};
    lanes.fill(logits.front());
    const auto whole = logits.size() / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes)
        for (std::size_t j = 0; j < kLanes; ++j) lanes[j] = logits[i + j] > lanes[j] ? logits[i + j] : lanes[j];
    auto largest = *std::ranges::max_element(lanes);
    for (auto i = whole; i < logits.size(); ++i) largest = std::max(largest, logits[i]);
    const auto found = std::ranges::find(logits, largest);
    return static_cast<std::int32_t>((found == logits.end() ? logits.begin() : found) - logits.begin());
}

}  // namespace steelyard::compute
