// SPDX-License-Identifier: Apache-2.0
// A language model that computes: tokens in, logits out. It keeps the keys and values of the tokens it has seen (the
// KV cache), so that the next token costs one pass. One object is one sequence of tokens, or several of the same length
// that pass through the weights together, each with a cache of its own. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::compute {

struct DecoderTime {
    std::string_view operation;  // "gate and up products"
    std::string_view kind;       // "product", "attention", "pointwise", "embedding"
    double seconds = 0;
};

class LanguageDecoder {
public:
    virtual ~LanguageDecoder() = default;
    LanguageDecoder() = default;
    LanguageDecoder(const LanguageDecoder&) = delete;
    LanguageDecoder& operator=(const LanguageDecoder&) = delete;

    // Processes tokens behind those of earlier calls: the same number, at least one, of each sequence, one sequence
    // after the other. The logits behind the last token of each sequence, [sequence][word of the vocabulary]; they are
    // valid until the next call. InvalidArgument, and nothing is processed: a token outside the vocabulary, not the
    // same number of each sequence, or more than the context has room for.
    [[nodiscard]] Result<std::span<const float>> append(std::span<const std::int32_t> tokens);
    // Forgets the tokens from `position` on; at most position().
    void rewind(std::int64_t position) { m_position = position; }
    [[nodiscard]] std::int64_t position() const { return m_position; }  // of every sequence
    // For measurements behind long contexts: continues as if `positions` tokens had been processed, with keys and
    // values that repeat those in the cache, whose number is a multiple of kRepeatUnit. What a step costs does not
    // depend on them; its logits mean nothing. InvalidArgument: more tokens than the context has room for.
    static constexpr std::int64_t kRepeatUnit = 16;
    [[nodiscard]] Result<void> repeatTo(std::int64_t positions);

    // From here on, the decoder counts where the time of append() goes, for which it reads the clock a dozen times a
    // layer. False: it cannot.
    [[nodiscard]] virtual bool countTimes() { return false; }
    // Since countTimes(), in order of execution; layers are put together.
    [[nodiscard]] virtual std::vector<DecoderTime> times() const { return {}; }

    [[nodiscard]] virtual std::int64_t vocabulary() const = 0;
    [[nodiscard]] virtual std::int64_t context() const = 0;  // tokens of a sequence that the cache holds
    [[nodiscard]] virtual std::int64_t sequences() const { return 1; }

protected:
    // Of checked tokens that begin at position().
    [[nodiscard]] virtual std::span<const float> process(std::span<const std::int32_t> tokens) = 0;
    // Keys and values of positions [position(), positions).
    virtual void repeat(std::int64_t positions) = 0;

private:
    std::int64_t m_position = 0;
};

// The token with the largest logit; the first of equals.
[[nodiscard]] std::int32_t greedyToken(std::span<const float> logits);

}  // namespace steelyard::compute
