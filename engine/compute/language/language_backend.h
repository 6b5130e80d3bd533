// SPDX-License-Identifier: Apache-2.0
// A Backend that computes language models may implement LanguageBackend beside Backend; whoever wants it asks with
// languageBackendOf(). Any thread; a decoder belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/compute/backend.h"
#include "engine/compute/language/decoder_weights.h"
#include "engine/compute/language/language_decoder.h"

namespace steelyard::compute {

// Bytes that a decoder allocates beside the file's pages or the drawn weights.
struct DecoderMemory {
    std::int64_t weights = 0;  // as repacked
    std::int64_t cache = 0;    // keys and values
    std::int64_t buffers = 0;  // activations, logits and scratch memory of each thread
    [[nodiscard]] std::int64_t total() const { return weights + cache + buffers; }
};

struct DecoderOptions {
    std::int64_t context = 4096;  // tokens of a sequence that the cache holds
    int threads = 1;
    std::int64_t sequences = 1;  // LanguageDecoder::sequences()
};

class LanguageBackend {
public:
    LanguageBackend() = default;
    LanguageBackend(const LanguageBackend&) = delete;
    LanguageBackend& operator=(const LanguageBackend&) = delete;
    virtual ~LanguageBackend() = default;
    // Without allocating or reading any weight.
    [[nodiscard]] virtual DecoderMemory plannedDecoderMemory(const DecoderWeights& weights,
                                                             const DecoderOptions& options) const = 0;
    // OutOfMemory: what was planned does not fit.
    [[nodiscard]] virtual Result<std::unique_ptr<LanguageDecoder>> makeDecoder(DecoderWeights weights,
                                                                               const DecoderOptions& options) = 0;
};

// Null where the backend computes no language models.
[[nodiscard]] inline LanguageBackend* languageBackendOf(Backend& backend) {
    return dynamic_cast<LanguageBackend*>(&backend);
}

}  // namespace steelyard::compute
