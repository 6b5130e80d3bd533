// SPDX-License-Identifier: Apache-2.0
// A case of a language model: weights (random, or from a GGUF file), decoder and steps. A step is a prompt (prefill),
// one token after a context (decode), or a prompt followed by single tokens (generate), for `batch` sequences at once,
// which differ, share the weights and have separate KV caches. For a long context the cache repeats keys and values of
// a short prompt, since their values do not affect the time of a step. One thread.
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
    // Does not read weights yet. Errors: Unsupported for training and for unsupported devices, families or formats;
    // NotFound for an unknown model; those of the file readers.
    [[nodiscard]] static Result<std::unique_ptr<LanguageCase>> open(const Case& spec, compute::Backend& backend,
                                                                    const model::DecoderTable* table, int threads);

    // Memory to be allocated, including random weights. `weights`: these plus the repacked ones; `activations`: the KV
    // cache.
    [[nodiscard]] compute::MemoryFigures plannedMemory() const;
    // FLOPs per step: 2 per weight and token, 4 per key/value element and token that attends to it.
    [[nodiscard]] double flops() const;
    // Bytes read per decoding step: the weights once, and the KV cache of each sequence. Unset for prompts, during
    // which weights pass through the processor's caches several times.
    [[nodiscard]] std::optional<double> bytes() const;
    [[nodiscard]] LanguageUse use() const;

    // Generates the random weights. Call before verify() and prepare().
    void draw(std::uint64_t seed);
    // Compares the backend's decoder with the exact one, for a prompt and one token after it, both with as many of the
    // first layers as the exact one computes in a few seconds, and the head; with several sequences, the first and last
    // one. Relative RMS error of the logits.
    [[nodiscard]] Verification verify(std::uint64_t seed);
    // Creates the decoder and fills its cache.
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<void> step(const Clock& clock);
    // LanguageDecoder::readBandwidth(). Call after prepare(), not while a step runs.
    [[nodiscard]] std::optional<double> readBandwidth() { return m_decoder->readBandwidth(); }
    // Starts recording token times; earlier ones are discarded.
    void beginSampling();

    // Time per operation, as bench::profileStep() for a plan, using the decoder that was timed. Call after sampling.
    [[nodiscard]] Result<StepProfile> profile(const Clock& clock, const std::function<bool()>& cancelled,
                                              const ProfileLimits& limits);

    [[nodiscard]] std::int64_t checkedLayers() const { return m_checkedLayers; }

private:
    LanguageCase(model::LanguageName name, compute::LanguageBackend& backend)
        : m_name(std::move(name)), m_backend(backend) {}
    [[nodiscard]] std::int32_t token(std::int64_t index) const;
    // `count` tokens per sequence, one sequence after the other.
    [[nodiscard]] std::vector<std::int32_t> tokens(std::int64_t count) const;
    [[nodiscard]] double weightBytesOfStep() const;
    [[nodiscard]] double cacheBytesBehind(std::int64_t tokens) const;
    [[nodiscard]] std::int64_t affordableLayers() const;

    model::LanguageName m_name;
    compute::LanguageBackend& m_backend;
    std::shared_ptr<model::GgufWeightFile> m_drawn;  // random weights
    compute::DecoderWeights m_weights;               // released by prepare()
    model::DecoderSpec m_spec;
    model::WeightBytes m_weightBytes;
    std::string m_format;
    compute::DecoderOptions m_options;
    compute::DecoderMemory m_memory;
    std::unique_ptr<compute::LanguageDecoder> m_decoder;
    std::vector<std::int32_t> m_tokens;  // the prompts
    std::vector<std::int32_t> m_next;    // one token per sequence
    std::int64_t m_steps = 0;
    std::int64_t m_checkedLayers = 0;
    std::vector<double> m_firstToken, m_tokenSeconds;
};

}  // namespace steelyard::bench
