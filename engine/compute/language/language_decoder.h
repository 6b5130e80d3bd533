// SPDX-License-Identifier: Apache-2.0
// Runs a language model: tokens in, logits out. Keeps the keys and values of earlier tokens (KV cache), so that the
// next token takes one pass. One object is one sequence, or several of the same length that are processed together,
// each with its own cache. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

    // Processes tokens after those of earlier calls: the same number, at least one, for each sequence, one sequence
    // after the other. Returns the logits after the last token of each sequence, [sequence][vocabulary], valid until
    // the next call. InvalidArgument, without processing anything, for a token outside the vocabulary, different
    // numbers per sequence, or more tokens than fit in the context; errors of the device, after which the decoder
    // should be discarded.
    [[nodiscard]] Result<std::span<const float>> append(std::span<const std::int32_t> tokens);
    // Discards the tokens from `position` on: all of them, or at most kMostRewound, since a cache of a sliding window
    // keeps little more than the window. InvalidArgument otherwise.
    static constexpr std::int64_t kMostRewound = 128;
    [[nodiscard]] Result<void> rewind(std::int64_t position);
    [[nodiscard]] std::int64_t position() const { return m_position; }  // the same for all sequences
    // For measuring long contexts: continues as if `positions` tokens had been processed, repeating the keys and values
    // in the cache, whose number must be a multiple of kRepeatUnit. The time of a step does not depend on them; its
    // logits are meaningless. InvalidArgument if the context has no room.
    static constexpr std::int64_t kRepeatUnit = 16;
    [[nodiscard]] Result<void> repeatTo(std::int64_t positions);

    // Starts profiling append(), which reads the clock a dozen times per layer. False: not supported.
    [[nodiscard]] virtual bool countTimes() { return false; }
    // Since countTimes(), in execution order, summed over layers.
    [[nodiscard]] virtual std::vector<DecoderTime> times() const { return {}; }

    // byte/s at which the threads of append() read its weights in place, each its share, without computing: bounds
    // steps that read them once. Takes some tens of milliseconds, in which it reads at least some hundred MiB, from
    // where the last call ended; weights that fit in a cache are read from there, as by append(). Unset: not supported.
    [[nodiscard]] virtual std::optional<double> readBandwidth() { return std::nullopt; }

    [[nodiscard]] virtual std::int64_t vocabulary() const = 0;
    [[nodiscard]] virtual std::int64_t context() const = 0;  // KV-cache size per sequence, in tokens
    [[nodiscard]] virtual std::int64_t sequences() const { return 1; }

protected:
    // Processes validated tokens that start at position().
    [[nodiscard]] virtual Result<std::span<const float>> process(std::span<const std::int32_t> tokens) = 0;
    // Fills keys and values of positions [position(), positions).
    [[nodiscard]] virtual Result<void> repeat(std::int64_t positions) = 0;

private:
    std::int64_t m_position = 0;
};

// The token with the largest logit; the first of equal ones.
[[nodiscard]] std::int32_t greedyToken(std::span<const float> logits);

}  // namespace steelyard::compute
