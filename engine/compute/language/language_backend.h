// SPDX-License-Identifier: Apache-2.0
// Optional interface of a Backend that runs language models, obtained with languageBackendOf(). Any thread; a decoder
// is used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/compute/backend.h"
#include "engine/compute/language/decoder_weights.h"
#include "engine/compute/language/language_decoder.h"

namespace steelyard::compute {

// Bytes that a decoder allocates in addition to the file's pages or the random weights.
struct DecoderMemory {
    std::int64_t weights = 0;  // repacked
    std::int64_t cache = 0;    // KV cache
    std::int64_t buffers = 0;  // activations, logits and scratch memory per thread
    [[nodiscard]] std::int64_t total() const { return weights + cache + buffers; }
};

struct DecoderOptions {
    std::string device = "cpu";   // of the backend
    std::int64_t context = 4096;  // KV-cache size per sequence, in tokens
    int threads = 1;
    std::int64_t sequences = 1;  // LanguageDecoder::sequences()
    model::CacheType cache = model::CacheType::F16;
};

class LanguageBackend {
public:
    LanguageBackend() = default;
    LanguageBackend(const LanguageBackend&) = delete;
    LanguageBackend& operator=(const LanguageBackend&) = delete;
    virtual ~LanguageBackend() = default;
    // Computed without allocating or reading weights. Unsupported for a cache type that does not fit the model.
    [[nodiscard]] virtual Result<DecoderMemory> plannedDecoderMemory(const DecoderWeights& weights,
                                                                     const DecoderOptions& options) const = 0;
    // OutOfMemory if the planned memory is not available, Unsupported as above.
    [[nodiscard]] virtual Result<std::unique_ptr<LanguageDecoder>> makeDecoder(DecoderWeights weights,
                                                                               const DecoderOptions& options) = 0;
};

// Null if the backend does not run language models.
[[nodiscard]] inline LanguageBackend* languageBackendOf(Backend& backend) {
    return dynamic_cast<LanguageBackend*>(&backend);
}

}  // namespace steelyard::compute
