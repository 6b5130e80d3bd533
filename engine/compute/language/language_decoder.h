// SPDX-License-Identifier: Apache-2.0
// A language model that computes: tokens in, logits out. It keeps the keys and values of the tokens it has seen (the
// KV cache), so that the next token costs one pass. One object is one conversation; one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::compute {

class LanguageDecoder {
public:
    virtual ~LanguageDecoder() = default;
    LanguageDecoder() = default;
    LanguageDecoder(const LanguageDecoder&) = delete;
    LanguageDecoder& operator=(const LanguageDecoder&) = delete;

    // Processes at least one token behind those of earlier calls. The logits of the last one, one a word of the
    // vocabulary; they are valid until the next call. InvalidArgument, and nothing is processed: a token outside the
    // vocabulary, or more of them than the context has room for.
    [[nodiscard]] Result<std::span<const float>> append(std::span<const std::int32_t> tokens);
    // Forgets the tokens from `position` on; at most position().
    void rewind(std::int64_t position) { m_position = position; }
    [[nodiscard]] std::int64_t position() const { return m_position; }
    // For measurements behind long contexts: continues as if `positions` tokens had been processed, with keys and
    // values that repeat those in the cache, whose number is a multiple of kRepeatUnit. What a step costs does not
    // depend on them; its logits mean nothing. InvalidArgument: more tokens than the context has room for.
    static constexpr std::int64_t kRepeatUnit = 16;
    [[nodiscard]] Result<void> repeatTo(std::int64_t positions);

    [[nodiscard]] virtual std::int64_t vocabulary() const = 0;
    [[nodiscard]] virtual std::int64_t context() const = 0;  // tokens that the cache holds

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
