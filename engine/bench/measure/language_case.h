// SPDX-License-Identifier: Apache-2.0
// What a case of a language model measures: its weights (drawn, or of a GGUF file), the decoder and its steps. A step
// is a prompt (prefill), a token behind a context (decode), or a prompt and tokens one by one (generate), of as many
// sequences at once as the batch says, which differ and share the weights but not the cache. Behind a long
// context the cache repeats the keys and values of a short prompt: what a step costs does not depend on their values.
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/bench/measure/step_profile.h"
#include "engine/bench/record/record.h"
#include "engine/compute/language/language_backend.h"
#include "engine/core/clock.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/gguf_weights.h"
#include "engine/model/decoder/language_workload.h"

namespace steelyard::bench {

class LanguageCase {
public:
    // Reads no weights yet. Unsupported: training, a device or a family that is not computed, a
    // format that is not read. NotFound: no such model. Others of the file's readers.
    [[nodiscard]] static Result<std::unique_ptr<LanguageCase>> open(const Case& spec, compute::Backend& backend,
                                                                    const model::DecoderTable* table, int threads);

    // What will be allocated, the drawn weights included; weights are those and the repacked ones, activations the
    // cache.
    [[nodiscard]] compute::MemoryFigures plannedMemory() const;
    // FLOPs of a step: 2 for each weight and token, 4 for each element of keys and token that sees it.
    [[nodiscard]] double flops() const;
    // Bytes that a decoding step reads: the weights once, and the cache of each sequence. Of a prompt, whose weights
    // pass through the caches of the processor several times, unset.
    [[nodiscard]] std::optional<double> bytes() const;
    [[nodiscard]] LanguageUse use() const;

    // Draws the weights. Before verify() and prepare().
    void draw(std::uint64_t seed);
    // The backend's decoder against the exact one, a prompt and a token behind it, both with as many of the model's
    // first layers as can be computed exactly in a few seconds, and the head; of several sequences the first and the
    // last. Relative RMS error of the logits.
    [[nodiscard]] Verification verify(std::uint64_t seed);
    // Makes the decoder and fills its cache.
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<void> step(const Clock& clock);
    // Times of tokens are kept from here on; those before are dropped.
    void beginSampling();

    // Where the time of steps goes, as bench::profileStep() tells of a plan, with the decoder that was timed. After
    // sampling.
    [[nodiscard]] Result<StepProfile> profile(const Clock& clock, const std::function<bool()>& cancelled,
                                              const ProfileLimits& limits);

    [[nodiscard]] std::int64_t checkedLayers() const { return m_checkedLayers; }

private:
    LanguageCase(model::LanguageName name, compute::LanguageBackend& backend)
        : m_name(std::move(name)), m_backend(backend) {}
    [[nodiscard]] std::int32_t token(std::int64_t index) const;
    // So many of each sequence, one sequence after the other.
    [[nodiscard]] std::vector<std::int32_t> tokens(std::int64_t count) const;
    [[nodiscard]] double weightBytesOfStep() const;
    [[nodiscard]] double cacheBytesBehind(std::int64_t tokens) const;
    [[nodiscard]] std::int64_t affordableLayers() const;

    model::LanguageName m_name;
    compute::LanguageBackend& m_backend;
    std::shared_ptr<model::GgufWeightFile> m_drawn;  // of drawn weights
    compute::DecoderWeights m_weights;               // until prepare()
    model::DecoderSpec m_spec;
    model::WeightBytes m_weightBytes;
    std::string m_format;
    compute::DecoderOptions m_options;
    compute::DecoderMemory m_memory;
    std::unique_ptr<compute::LanguageDecoder> m_decoder;
    std::vector<std::int32_t> m_tokens;  // the prompts
    std::vector<std::int32_t> m_next;    // a token of each sequence
    std::int64_t m_steps = 0;
    std::int64_t m_checkedLayers = 0;
    std::vector<double> m_firstToken, m_tokenSeconds;
};

}  // namespace steelyard::bench
