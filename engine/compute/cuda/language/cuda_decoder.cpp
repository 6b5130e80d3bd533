// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/language/cuda_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "engine/compute/cuda/compile/tuning.h"
#include "engine/compute/cuda/kernels/language/cached_attention.h"
#include "engine/compute/cuda/kernels/language/fused_products.h"
#include "engine/compute/cuda/language/weight_upload.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

using kernels::kMostFewTokens;
using kernels::kWeightBlock;
using kernels::RowOutputs;
using kernels::RowProduct;
using kernels::StoredWeights;
using kernels::TokenRows;

constexpr std::int64_t kAlignment = 256;
constexpr std::int64_t kMostTokens = 512;                     // per chunk of a prompt
constexpr std::int64_t kSlotUnit = 64;                        // slots of the cache are a multiple
constexpr std::int64_t kScoreBytes = std::int64_t{64} << 20;  // of the scores of a prompt, at least one KV head's
constexpr std::int64_t kWorkspaceBytes = std::int64_t{32} << 20;
constexpr std::int64_t kMostSplits = 64;
constexpr int kFirstBfloat16 = 80;  // compute capability x 10

constexpr std::int64_t roundedUp(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

kernels::GateFunction gateOf(GateKind kind) {
    switch (kind) {
        case GateKind::Silu:
            return kernels::GateFunction::Silu;
        case GateKind::GeluTanh:
            return kernels::GateFunction::GeluTanh;
        case GateKind::ClampedSilu:
            return kernels::GateFunction::ClampedSilu;
    }
    return kernels::GateFunction::Silu;
}

// Hands out aligned parts of one allocation; without a base it only counts.
class Layout {
public:
    explicit Layout(std::byte* base) : m_base(base) {}
    template <typename T>
    void take(T*& target, std::int64_t count) {
        target = m_base == nullptr ? nullptr : reinterpret_cast<T*>(m_base + m_bytes);
        m_bytes += roundedUp(count * static_cast<std::int64_t>(sizeof(T)), kAlignment);
    }
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    std::byte* m_base;
    std::int64_t m_bytes = 0;
};

struct DeviceFeedForward {
    StoredWeights gate, up, down;
    float *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr;
};
struct DeviceLayer {
    StoredWeights query, key, value, output, router;
    float *attentionNorm = nullptr, *feedForwardNorm = nullptr;
    float *attentionPostNorm = nullptr, *feedForwardPostNorm = nullptr;
    float *queryBias = nullptr, *keyBias = nullptr, *valueBias = nullptr, *outputBias = nullptr;
    float *queryNorm = nullptr, *keyNorm = nullptr, *sinks = nullptr;
    float *routerBias = nullptr, *sharedGate = nullptr;
    DeviceFeedForward feedForward, shared;
    kernels::KvCache cache;
};

// Rows of tokens in the forms that products take.
struct Rows {
    float* values = nullptr;
    std::byte* typed = nullptr;
    std::int8_t* q = nullptr;
    kernels::ActivationScale* scales = nullptr;
    std::int64_t columns = 0;
    std::optional<ElementType> holds;  // of `typed`

    [[nodiscard]] TokenRows from(std::int64_t row) const {
        return {values + row * columns, columns, q + row * columns, scales + row * (columns / kWeightBlock)};
    }
};

struct PreparedProduct {
    std::unique_ptr<LibraryCall> call;
    std::size_t candidate = 0;
};

class CudaDecoder final : public LanguageDecoder {
public:
    CudaDecoder(DecoderWeights weights, const DecoderOptions& options, const DeviceFacts& facts)
        : m_weights(std::move(weights)),
          m_spec(m_weights.spec),
          m_facts(facts),
          m_context(options.context),
          m_sequences(std::max<std::int64_t>(1, options.sequences)),
          m_tokens(std::max(std::min(kMostTokens, options.context * m_sequences), m_sequences)),
          m_cacheType(options.cache == model::CacheType::F32 ? ElementType::F32 : ElementType::F16) {}

    Result<void> prepare(std::shared_ptr<DeviceSet> device) {
        m_device = std::move(device);
        if (!m_device->matrices && !kernels::canSplit(cacheOf(0)))
            return fail(ErrorKind::Unsupported, m_spec.id, messages::libraryMissing("cuBLAS", m_device->whyNoMatrices));
        const auto planned = layOut(nullptr);
        ASSIGN(m_memory, DeviceMemory::allocate(runtime(), planned.total()));
        layOut(m_memory.data());
        TRY(runtime().fill(m_memory.data() + planned.weights, 0, planned.cache, stream()));
        TRY(runtime().fill(m_parts.arrived, 0, m_tokens * m_spec.heads * static_cast<std::int64_t>(sizeof(unsigned)),
                           stream()));
        TRY(upload());
        ASSIGN(m_control, DeviceMemory::allocatePinned(runtime(), controlBytes()));
        ASSIGN(m_hostLogits, DeviceMemory::allocatePinned(runtime(), m_sequences * m_spec.vocabulary * 4));
        return {};
    }
    DecoderMemory memory() { return layOut(nullptr); }

    std::int64_t vocabulary() const override { return m_spec.vocabulary; }
    std::int64_t context() const override { return m_context; }
    std::int64_t sequences() const override { return m_sequences; }

protected:
    Result<std::span<const float>> process(std::span<const std::int32_t> tokens) override {
        TRY(runtime().makeCurrent());
        const auto perSequence = static_cast<std::int64_t>(tokens.size()) / m_sequences;
        if (static_cast<std::int64_t>(tokens.size()) <= kMostFewTokens) {
            beginChunk({0, m_sequences, perSequence, position()}, tokens.data());
            TRY(fewTokens());
        } else {
            // As many sequences as fit in a chunk, or a part of one.
            const auto run = std::min(perSequence, m_tokens), together = m_tokens / run;
            for (std::int64_t sequence = 0; sequence < m_sequences; sequence += together)
                for (std::int64_t done = 0; done < perSequence; done += run) {
                    const auto count = std::min(together, m_sequences - sequence);
                    const auto length = std::min(run, perSequence - done);
                    beginChunk({sequence, count, length, position() + done},
                               tokens.data() + sequence * perSequence + done);
                    TRY(step(done + length == perSequence));
                    TRY(runtime().synchronize(stream()));
                }
        }
        return std::span(reinterpret_cast<const float*>(m_hostLogits.data()),
                         static_cast<std::size_t>(m_sequences * m_spec.vocabulary));
    }

    Result<void> repeat(std::int64_t positions) override {
        TRY(runtime().makeCurrent());
        for (const auto& layer : m_layers)
            TRY(launch(
                [=, this] { return kernels::repeatCache(stream(), layer.cache, m_sequences, position(), positions); }));
        return runtime().synchronize(stream());
    }

private:
    // Some tokens of some sequences that are processed together: `run` each, from position `first` on.
    struct ChunkOfTokens {
        std::int64_t sequence = 0, sequences = 1, run = 1, first = 0;
        [[nodiscard]] std::int64_t tokens() const { return sequences * run; }
    };

    [[nodiscard]] DeviceRuntime& runtime() const { return *m_device->runtime; }
    [[nodiscard]] Stream stream() const { return runtime().stream(); }
    // `f` may run later, up to the next synchronisation: it must hold what it uses by value.
    template <typename F>
    Result<void> launch(const F& f) const {
        return runtime().launch(stream(), f);
    }
    [[nodiscard]] std::int64_t group() const { return m_spec.heads / m_spec.kvHeads; }
    [[nodiscard]] std::int64_t mixedColumns() const { return m_spec.heads * m_spec.headDimension; }
    [[nodiscard]] std::int64_t controlBytes() const { return 8 + m_tokens * 4; }
    // That run at a time, about.
    [[nodiscard]] std::int64_t blocks() const { return 2 * std::max(1, m_facts.multiprocessors); }
    [[nodiscard]] float epsilon() const { return static_cast<float>(m_spec.normEpsilon); }

    // Type in which the matrix library multiplies a matrix.
    [[nodiscard]] ElementType operandType(const StoredWeights& weights) const {
        const bool bfloat16 = m_facts.major * 10 + m_facts.minor >= kFirstBfloat16;
        switch (weights.format) {
            case kernels::WeightFormat::F32:
                return ElementType::F32;
            case kernels::WeightFormat::F16:
                return ElementType::F16;
            case kernels::WeightFormat::Bf16:
                return bfloat16 ? ElementType::Bf16 : ElementType::F32;
            default:
                return bfloat16 ? ElementType::Bf16 : ElementType::F16;
        }
    }
    [[nodiscard]] bool isStoredAs(const StoredWeights& weights, ElementType type) const {
        return (weights.format == kernels::WeightFormat::F32 && type == ElementType::F32) ||
               (weights.format == kernels::WeightFormat::F16 && type == ElementType::F16) ||
               (weights.format == kernels::WeightFormat::Bf16 && type == ElementType::Bf16);
    }

    [[nodiscard]] kernels::KvCache cacheOf(std::size_t layer) const {
        const auto window = m_weights.layers.empty() ? 0 : m_weights.layers[layer].window;
        const auto all = roundedUp(m_context, kSlotUnit);
        // Enough for a chunk that is stored before its attention, and for rewind().
        const auto slots =
            window > 0 ? std::min(all, roundedUp(window + std::max(m_tokens, kMostRewound), kSlotUnit)) : all;
        return {nullptr, nullptr, m_cacheType, m_spec.kvHeads, slots, m_spec.headDimension};
    }
    // Blocks of attention for some tokens: enough for the device's multiprocessors.
    [[nodiscard]] std::int64_t splitsFor(std::int64_t tokens) const {
        const auto wanted = 2 * std::max(1, m_facts.multiprocessors) / (tokens * m_spec.kvHeads);
        return std::clamp<std::int64_t>(wanted, 1, kMostSplits);
    }
    // KV heads of a prompt of `run` tokens whose scores are computed together.
    [[nodiscard]] std::int64_t headsTogether(std::int64_t run, std::int64_t columns) const {
        return std::clamp<std::int64_t>(kScoreBytes / scoreBytes(run, columns), 1, m_spec.kvHeads);
    }
    [[nodiscard]] std::int64_t scoreBytes(std::int64_t run, std::int64_t columns) const {
        return group() * run * columns * (4 + bytesOf(m_cacheType));
    }

    template <typename Matrix>
    static void eachMatrix(const LayerWeights& from, DeviceLayer& to, const Matrix& matrix) {
        matrix(from.query, to.query);
        matrix(from.key, to.key);
        matrix(from.value, to.value);
        matrix(from.output, to.output);
        matrix(from.router, to.router);
        for (const auto& [a, b] : {std::pair{&from.feedForward, &to.feedForward}, {&from.shared, &to.shared}}) {
            matrix(a->gate, b->gate);
            matrix(a->up, b->up);
            matrix(a->down, b->down);
        }
    }
    template <typename Vector>
    static void eachVector(const LayerWeights& from, DeviceLayer& to, const Vector& vector) {
        vector(from.attentionNorm, to.attentionNorm);
        vector(from.feedForwardNorm, to.feedForwardNorm);
        vector(from.attentionPostNorm, to.attentionPostNorm);
        vector(from.feedForwardPostNorm, to.feedForwardPostNorm);
        vector(from.queryBias, to.queryBias);
        vector(from.keyBias, to.keyBias);
        vector(from.valueBias, to.valueBias);
        vector(from.outputBias, to.outputBias);
        vector(from.queryNorm, to.queryNorm);
        vector(from.keyNorm, to.keyNorm);
        vector(from.sinks, to.sinks);
        vector(from.routerBias, to.routerBias);
        vector(from.sharedGate, to.sharedGate);
        for (const auto& [a, b] : {std::pair{&from.feedForward, &to.feedForward}, {&from.shared, &to.shared}}) {
            vector(a->gateBias, b->gateBias);
            vector(a->upBias, b->upBias);
            vector(a->downBias, b->downBias);
        }
    }

    struct DeviceRotary {
        double* frequencies = nullptr;
        float* table = nullptr;
    };
    [[nodiscard]] std::array<std::pair<const Rotary*, DeviceRotary*>, 2> rotaries() {
        return {{{&m_weights.rotary, &m_rotary}, {&m_weights.localRotary, &m_localRotary}}};
    }

    // Sizes without a base, pointers with one. Weights, then the cache, then buffers.
    DecoderMemory layOut(std::byte* base) {
        Layout layout(base);
        std::int64_t dequantised = 0;
        const auto takeMatrix = [&](const model::StoredMatrix& from, StoredWeights& to) {
            to = kernels::storedAs(from);
            if (to) layout.take(to.data, to.bytes());
        };
        const auto takeLayerMatrix = [&](const model::StoredMatrix& from, StoredWeights& to) {
            takeMatrix(from, to);
            if (to && to.count == 1 && !isStoredAs(to, operandType(to)))
                dequantised = std::max(dequantised, to.rows * to.columns * bytesOf(operandType(to)));
        };
        const auto takeVector = [&](const std::vector<float>& from, float*& to) {
            to = nullptr;
            if (!from.empty()) layout.take(to, static_cast<std::int64_t>(from.size()));
        };
        m_layers.resize(m_weights.layers.size());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            eachMatrix(m_weights.layers[i], m_layers[i], takeLayerMatrix);
            eachVector(m_weights.layers[i], m_layers[i], takeVector);
        }
        takeMatrix(m_weights.embedding, m_embedding);
        if (isTied())
            m_head = m_embedding;
        else
            takeMatrix(m_weights.head, m_head);
        takeVector(m_weights.outputNorm, m_outputNorm);
        for (const auto& [from, rotary] : rotaries()) {
            layout.take(rotary->frequencies, static_cast<std::int64_t>(from->frequencies.size()));
        }
        DecoderMemory memory;
        memory.weights = layout.bytes();
        std::int64_t mostSlots = 0;
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            auto& cache = m_layers[i].cache;
            cache = cacheOf(i);
            mostSlots = std::max(mostSlots, cache.slots);
            const auto bytes = m_sequences * cache.heads * cache.slots * cache.headDimension * bytesOf(m_cacheType);
            for (auto** part : {&cache.keys, &cache.values}) {
                std::byte* data = nullptr;
                layout.take(data, bytes);
                *part = data;
            }
        }
        memory.cache = layout.bytes() - memory.weights;
        layOutBuffers(layout, dequantised, mostSlots);
        memory.buffers = layout.bytes() - memory.weights - memory.cache;
        return memory;
    }

    void layOutBuffers(Layout& layout, std::int64_t dequantised, std::int64_t mostSlots) {
        const auto takeRows = [&](Rows& rows, std::int64_t count, std::int64_t columns) {
            rows.columns = columns;
            layout.take(rows.values, count * columns);
            layout.take(rows.typed, count * columns * 2);
            layout.take(rows.q, count * columns);
            layout.take(rows.scales, count * (columns / kWeightBlock));
        };
        const auto width = m_spec.width, slots = m_tokens * std::max<std::int64_t>(1, m_spec.activeExperts);
        const auto kvColumns = m_spec.kvHeads * m_spec.headDimension;
        layout.take(m_deviceControl, controlBytes());
        layout.take(m_x, m_tokens * width);
        layout.take(m_part, m_tokens * width);
        takeRows(m_normed, m_tokens, width);
        takeRows(m_last, m_sequences, width);
        takeRows(m_mixed, m_tokens, mixedColumns());
        const auto takeInner = [&](Inner& inner, std::int64_t count, std::int64_t columns) {
            if (columns == 0) return;
            takeRows(inner.gated, count, columns);
            layout.take(inner.gate, count * columns);
            layout.take(inner.up, count * columns);
        };
        takeInner(m_dense, m_tokens, std::max(m_spec.feedForward, m_spec.sharedExpertWidth));
        if (m_spec.hasExperts()) {
            takeInner(m_routed, slots, m_spec.expertWidth);
            layout.take(m_expertParts, slots * width);
            layout.take(m_votes, m_tokens * m_spec.experts);
            layout.take(m_shares, slots);
            layout.take(m_chosen, slots);
            layout.take(m_sharedShares, m_tokens);
        }
        layout.take(m_queries, m_tokens * mixedColumns());
        layout.take(m_newKeys, m_tokens * kvColumns);
        layout.take(m_newValues, m_tokens * kvColumns);
        for (const auto& [from, rotary] : rotaries()) {
            layout.take(rotary->table, 2 * m_tokens * static_cast<std::int64_t>(from->frequencies.size()));
        }
        std::int64_t parts = 0;
        for (std::int64_t t = 1; t <= m_tokens; ++t) parts = std::max(parts, t * splitsFor(t));
        layout.take(m_parts.mixed, parts * mixedColumns());
        layout.take(m_parts.maxima, parts * m_spec.heads);
        layout.take(m_parts.sums, parts * m_spec.heads);
        layout.take(m_parts.arrived, m_tokens * m_spec.heads);
        const auto run = std::min(m_tokens, m_context);
        layout.take(m_typedQueries, m_tokens * mixedColumns() * bytesOf(m_cacheType));
        layout.take(m_headMixed, m_tokens * mixedColumns());
        const auto scores = headsTogether(run, mostSlots) * group() * run * mostSlots;
        layout.take(m_scores, scores);
        layout.take(m_scoreWeights, scores * bytesOf(m_cacheType));
        layout.take(m_dequantised, dequantised);
        layout.take(m_workspace, kWorkspaceBytes);
        layout.take(m_logits, m_sequences * m_spec.vocabulary);
    }
    // Drawn matrices of one format share their memory, so the addresses do not tell.
    [[nodiscard]] bool isTied() const { return !m_weights.file->has("output.weight"); }

    Result<void> upload() {
        ASSIGN(auto upload, WeightUpload::make(runtime()));
        Result<void> status;
        const auto matrix = [&](const model::StoredMatrix& from, const StoredWeights& to) {
            if (!to || !status) return;
            status = upload.copy(from, to);
            m_weights.file->releasePages();
        };
        const auto bytes = [&](const void* from, void* to, std::size_t count) {
            if (count == 0 || !status) return;
            status = runtime().copyToDevice(to, from, static_cast<std::int64_t>(count), stream());
        };
        const auto vector = [&](const std::vector<float>& from, float* to) {
            bytes(from.data(), to, from.size() * sizeof(float));
        };
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            eachMatrix(m_weights.layers[i], m_layers[i], matrix);
            eachVector(m_weights.layers[i], m_layers[i], vector);
        }
        matrix(m_weights.embedding, m_embedding);
        if (!isTied()) matrix(m_weights.head, m_head);
        vector(m_weights.outputNorm, m_outputNorm);
        for (const auto& [from, rotary] : rotaries()) {
            bytes(from->frequencies.data(), rotary->frequencies, from->frequencies.size() * sizeof(double));
        }
        TRY(status);
        return runtime().synchronize(stream());
    }

    void beginChunk(const ChunkOfTokens& chunk, const std::int32_t* tokens) {
        m_chunk = chunk;
        auto* control = m_control.data();
        std::memcpy(control, &chunk.first, 8);
        // The tokens of a sequence follow one another, those of the next one after the whole sequence.
        std::memcpy(control + 8, tokens, static_cast<std::size_t>(chunk.tokens()) * 4);
    }

    // A step of few tokens is the same work for each position: run once, then captured, then replayed. Products of the
    // matrix library would depend on the position.
    Result<void> fewTokens() {
        auto& graph = m_graphs[m_chunk.tokens()];
        if (kernels::canSplit(cacheOf(0)) && graph.runs++ == 1) {
            TRY(runtime().beginCapture(stream()));
            const auto enqueued = step(true);
            auto captured = runtime().endCapture(stream());
            if (enqueued && captured) graph.graph = std::move(*captured);
        }
        TRY(graph.graph ? graph.graph->launch(stream()) : step(true));
        return runtime().synchronize(stream());
    }

    [[nodiscard]] const std::int64_t* firstPosition() const {
        return reinterpret_cast<const std::int64_t*>(m_deviceControl);
    }
    [[nodiscard]] kernels::TokenPositions positions() const {
        return {firstPosition(), m_chunk.tokens(), m_chunk.run, m_chunk.sequence};
    }

    // Enqueues the chunk; `last`: with the head.
    Result<void> step(bool last) {
        const auto tokens = m_chunk.tokens();
        TRY(runtime().copyToDevice(m_deviceControl, m_control.data(), controlBytes(), stream()));
        TRY(launch([=, this] {
            return kernels::embedTokens(stream(), m_embedding,
                                        reinterpret_cast<const std::int32_t*>(m_deviceControl + 8), tokens,
                                        static_cast<float>(m_weights.embeddingScale), m_x);
        }));
        for (const auto& [from, rotary] : rotaries()) {
            const auto pairs = static_cast<std::int64_t>(from->frequencies.size());
            const auto magnitude = static_cast<float>(from->magnitude);
            const DeviceRotary to = *rotary;
            TRY(launch([=, this] {
                return kernels::rotationTable(stream(), firstPosition(), tokens, m_chunk.run, to.frequencies, pairs,
                                              magnitude, to.table);
            }));
        }
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            TRY(attention(m_weights.layers[i], m_layers[i]));
            TRY(feedForwardPart(m_layers[i]));
        }
        return last ? head() : Result<void>{};
    }

    // The logits of the last token of each sequence.
    Result<void> head() {
        const auto count = m_chunk.sequences, words = m_spec.vocabulary;
        auto* logits = m_logits + m_chunk.sequence * words;
        const std::array head{RowProduct{m_head, nullptr, logits, words}};
        if (canFuse(head, count)) {
            TRY(multiplyFused(head, {m_x, m_outputNorm, epsilon(), count, m_spec.width, m_chunk.run - 1, m_chunk.run},
                              false));
        } else {
            TRY(normalise(m_outputNorm, m_last, count, m_chunk.run - 1, m_chunk.run, std::nullopt));
            TRY(multiplyFew(head, m_last, count, false));
        }
        if (m_spec.logitSoftCap > 0)
            TRY(launch([=, this] {
                return kernels::softCap(stream(), logits, count * words, static_cast<float>(m_spec.logitSoftCap));
            }));
        return runtime().copyToHost(m_hostLogits.data() + m_chunk.sequence * words * 4, logits, count * words * 4,
                                    stream());
    }

    [[nodiscard]] bool usesLibrary(std::int64_t tokens) const {
        return m_device->matrices != nullptr && tokens > kMostFewTokens;
    }
    // The forms of a row that its products take: Float32 always, 8 bits for few tokens or experts, the type of a matrix
    // for the library.
    RowOutputs outputsOf(Rows& rows, std::int64_t count, std::optional<ElementType> type, bool inBytes) const {
        RowOutputs to;
        to.values = rows.values;
        if ((inBytes || !usesLibrary(count)) && rows.columns % kWeightBlock == 0) {
            to.q = rows.q;
            to.scales = rows.scales;
        }
        rows.holds.reset();
        if (usesLibrary(count) && type && *type != ElementType::F32) {
            to.typed = rows.typed;
            to.type = *type;
            rows.holds = type;
        }
        return to;
    }

    // Rows first, first + step, ... of m_x.
    Result<void> normalise(const float* scale, Rows& rows, std::int64_t count, std::int64_t first, std::int64_t step,
                           std::optional<ElementType> type, bool inBytes = false) {
        const auto to = outputsOf(rows, count, type, inBytes);
        return launch([=, this] {
            return kernels::normaliseRows(stream(), {m_x, scale, epsilon(), count, m_spec.width, first, step}, to);
        });
    }

    // By groups of few tokens; matrices of one format in one launch.
    Result<void> multiplyFew(std::span<const RowProduct> products, const Rows& rows, std::int64_t tokens,
                             bool accumulate) const {
        return eachGroup(products, [&](std::vector<RowProduct> group) -> Result<void> {
            for (std::int64_t t = 0; t < tokens; t += kMostFewTokens) {
                const auto count = static_cast<int>(std::min<std::int64_t>(kMostFewTokens, tokens - t));
                TRY(launch(
                    [=, this] { return kernels::multiplyRows(stream(), group, rows.from(t), count, accumulate); }));
                for (auto& product : group) product.y += kMostFewTokens * product.stride;
            }
            return {};
        });
    }

    [[nodiscard]] static bool canFuse(std::span<const RowProduct> products, std::int64_t tokens) {
        return std::ranges::all_of(
            products, [&](const RowProduct& product) { return kernels::canFuse(product.weights, tokens); });
    }
    // Of few tokens, whose rows the kernels prepare themselves.
    Result<void> multiplyFused(std::span<const RowProduct> products, const kernels::RmsRows& rows,
                               bool accumulate) const {
        return eachGroup(products, [&](std::vector<RowProduct> group) {
            return launch([=, this] { return kernels::fusedRows(stream(), group, rows, accumulate, blocks()); });
        });
    }
    // Calls f with the products of one format that follow one another.
    template <typename F>
    static Result<void> eachGroup(std::span<const RowProduct> products, const F& f) {
        for (std::size_t first = 0; first < products.size();) {
            std::size_t end = first + 1;
            while (end < products.size() && products[end].weights.format == products[first].weights.format) ++end;
            const auto group = products.subspan(first, end - first);
            TRY(f(std::vector<RowProduct>(group.begin(), group.end())));
            first = end;
        }
        return {};
    }

    Result<void> multiply(std::span<const RowProduct> products, Rows& rows, std::int64_t tokens,
                          bool accumulate = false) {
        if (!usesLibrary(tokens)) return multiplyFew(products, rows, tokens, accumulate);
        for (const auto& product : products) {
            TRY(multiplyByLibrary(product, rows, tokens, accumulate));
            if (product.bias == nullptr) continue;
            TRY(launch([=, this] {
                return kernels::addBias(stream(), product.bias, tokens, product.weights.rows, product.y);
            }));
        }
        return {};
    }

    Result<void> multiplyByLibrary(const RowProduct& product, Rows& rows, std::int64_t tokens, bool accumulate) {
        const auto& weights = product.weights;
        const auto type = operandType(weights);
        if (type != ElementType::F32 && rows.holds != type) {
            TRY(launch([=, this] {
                RowOutputs to;
                to.typed = rows.typed;
                to.type = type;
                return kernels::convertRows(stream(), rows.values, tokens, rows.columns, to);
            }));
            rows.holds = type;
        }
        void* matrix = weights.data;
        if (!isStoredAs(weights, type)) {
            TRY(launch([=, this] { return kernels::dequantise(stream(), weights, 0, type, m_dequantised); }));
            matrix = m_dequantised;
        }
        MatrixProduct call;
        call.rows = tokens;
        call.columns = weights.rows;
        call.depth = call.aStride = call.bStride = weights.columns;
        call.cStride = product.stride;
        call.transposeB = true;
        call.operandType = type;
        call.accumulate = accumulate;
        void* operand = type == ElementType::F32 ? static_cast<void*>(rows.values) : rows.typed;
        return run(call, {operand, matrix, product.y}, true);
    }

    // `tunes`: times the library's candidates for a shape that comes again.
    Result<void> run(const MatrixProduct& product, const std::array<void*, 3>& operands, bool tunes) {
        const auto key = keyOf(product);
        auto found = m_products.find(key);
        if (found == m_products.end()) {
            ASSIGN(auto call, m_device->matrices->prepare(product, kWorkspaceBytes));
            std::size_t candidate = 0;
            if (tunes) {
                const std::array bytes{product.rows * product.depth * bytesOf(product.operandType),
                                       product.columns * product.depth * bytesOf(product.operandType),
                                       product.rows * product.columns * bytesOf(product.resultType)};
                ASSIGN(candidate, m_tuner.choose(runtime(), *call, key, bytes, kWorkspaceBytes));
            }
            found = m_products.emplace(key, PreparedProduct{std::move(call), candidate}).first;
        }
        return found->second.call->run(found->second.candidate, operands, m_workspace, stream());
    }

    Result<void> attention(const LayerWeights& weights, const DeviceLayer& layer) {
        const auto tokens = m_chunk.tokens();
        const auto kvColumns = m_spec.kvHeads * m_spec.headDimension;
        const std::array products{RowProduct{layer.query, layer.queryBias, m_queries, mixedColumns()},
                                  RowProduct{layer.key, layer.keyBias, m_newKeys, kvColumns},
                                  RowProduct{layer.value, layer.valueBias, m_newValues, kvColumns}};
        if (canFuse(products, tokens)) {
            TRY(multiplyFused(products, rowsOf(layer.attentionNorm), false));
        } else {
            TRY(normalise(layer.attentionNorm, m_normed, tokens, 0, 1, operandType(layer.query)));
            TRY(multiply(products, m_normed, tokens));
        }
        const auto perHead = [&](const std::vector<float>& norm) {
            return static_cast<std::int64_t>(norm.size()) == m_spec.headDimension;
        };
        const auto overAllHeads = [&](const std::vector<float>& norm, const float* scale, float* x,
                                      std::int64_t columns) -> Result<void> {
            if (norm.empty() || perHead(norm)) return {};
            RowOutputs to;
            to.values = x;
            return launch([=, this] {
                return kernels::normaliseRows(stream(), {x, scale, epsilon(), tokens, columns, 0, 1}, to);
            });
        };
        TRY(overAllHeads(weights.queryNorm, layer.queryNorm, m_queries, mixedColumns()));
        TRY(overAllHeads(weights.keyNorm, layer.keyNorm, m_newKeys, kvColumns));

        const bool byProducts =
            m_device->matrices != nullptr && (m_chunk.run > kMostFewTokens || !kernels::canSplit(layer.cache));
        const auto& rotary = weights.localRotary ? m_localRotary : m_rotary;
        const auto& shape = weights.localRotary ? m_weights.localRotary : m_weights.rotary;
        kernels::HeadRows rows;
        rows.queries = m_queries;
        rows.keys = m_newKeys;
        rows.values = m_newValues;
        rows.typed = byProducts ? m_typedQueries : nullptr;
        rows.heads = m_spec.heads;
        rows.queryNorm = perHead(weights.queryNorm) ? layer.queryNorm : nullptr;
        rows.keyNorm = perHead(weights.keyNorm) ? layer.keyNorm : nullptr;
        rows.epsilon = epsilon();
        rows.table = weights.rotates ? rotary.table : nullptr;
        rows.pairs = static_cast<std::int64_t>(shape.frequencies.size());
        rows.neighbours = shape.neighbours;
        // The attention of one token per sequence does this itself.
        const bool separately = byProducts || m_chunk.run > 1;
        if (separately)
            TRY(launch([=, this] { return kernels::rotateAndStore(stream(), rows, positions(), layer.cache); }));

        const kernels::AttentionForm form{m_spec.heads, static_cast<float>(m_weights.attentionScale),
                                          static_cast<float>(m_spec.attentionSoftCap), weights.window, layer.sinks};
        TRY(byProducts ? attendByProducts(layer, form)
                       : attendInSplits(layer, form, separately ? kernels::HeadRows{} : rows));
        return addProduct(RowProduct{layer.output, layer.outputBias}, m_mixed, layer.attentionPostNorm);
    }

    // `own`: with queries, if the attention rotates and stores them itself. Writes the Float32 form of m_mixed.
    Result<void> attendInSplits(const DeviceLayer& layer, const kernels::AttentionForm& form,
                                const kernels::HeadRows& own) {
        auto parts = m_parts;
        parts.splits = splitsFor(m_chunk.tokens());
        m_mixed.holds.reset();
        return launch([=, this] {
            return kernels::splitAttention(stream(), m_queries, positions(), layer.cache, form, parts, own,
                                           m_mixed.values);
        });
    }

    Result<void> quantise(const Rows& rows, std::int64_t count) const {
        if (rows.columns % kWeightBlock != 0) return {};
        return launch([=, this] {
            RowOutputs to;
            to.q = rows.q;
            to.scales = rows.scales;
            return kernels::convertRows(stream(), rows.values, count, rows.columns, to);
        });
    }

    Result<void> attendByProducts(const DeviceLayer& layer, const kernels::AttentionForm& form) {
        const auto& cache = layer.cache;
        const auto run = m_chunk.run, dimension = m_spec.headDimension, rows = group() * run;
        const auto bytes = bytesOf(m_cacheType);
        const auto columns = std::min(cache.slots, roundedUp(m_chunk.first + run, kSlotUnit));
        const auto alignment = dimension * bytes % 16 == 0 ? std::int64_t{16} : bytes;
        MatrixProduct scores;
        scores.rows = rows;
        scores.columns = scores.cStride = columns;
        scores.depth = scores.aStride = scores.bStride = dimension;
        scores.transposeB = true;
        scores.aBatchStride = rows * dimension;
        scores.bBatchStride = cache.slots * dimension;
        scores.cBatchStride = rows * columns;
        scores.aAlignment = scores.bAlignment = alignment;
        scores.operandType = m_cacheType;
        MatrixProduct mixed;
        mixed.rows = rows;
        mixed.columns = mixed.bStride = mixed.cStride = dimension;
        mixed.depth = mixed.aStride = columns;
        mixed.aBatchStride = rows * columns;
        mixed.bBatchStride = cache.slots * dimension;
        mixed.cBatchStride = rows * dimension;
        mixed.bAlignment = alignment;
        mixed.cAlignment = dimension % 4 == 0 ? 16 : 4;
        mixed.operandType = m_cacheType;
        for (std::int64_t s = 0; s < m_chunk.sequences; ++s) {
            for (std::int64_t head = 0; head < cache.heads; head += scores.batch) {
                scores.batch = mixed.batch = std::min(headsTogether(run, columns), cache.heads - head);
                const auto own = (s * cache.heads + head) * rows * dimension;
                const auto stored = ((m_chunk.sequence + s) * cache.heads + head) * cache.slots * dimension * bytes;
                TRY(this->run(scores,
                              {m_typedQueries + own * bytes, static_cast<std::byte*>(cache.keys) + stored, m_scores},
                              false));
                const kernels::ScoreRows softmax{m_scores,       m_scoreWeights,         m_cacheType,
                                                 head * group(), scores.batch * group(), columns,
                                                 cache.slots};
                TRY(launch([=, this] { return kernels::maskedSoftmax(stream(), softmax, positions(), form); }));
                TRY(this->run(
                    mixed, {m_scoreWeights, static_cast<std::byte*>(cache.values) + stored, m_headMixed + own}, false));
            }
            const auto first = s * run * mixedColumns();
            TRY(launch([=, this] {
                return kernels::gatherHeads(stream(), m_headMixed + first, run, m_spec.heads, dimension,
                                            m_mixed.values + first);
            }));
        }
        m_mixed.holds.reset();
        return {};
    }

    // m_x += norm of (W rows + bias); without a norm directly. Takes the Float32 form of the rows.
    Result<void> addProduct(RowProduct product, Rows& rows, const float* postNorm) {
        const auto tokens = m_chunk.tokens();
        product.y = postNorm != nullptr ? m_part : m_x;
        product.stride = m_spec.width;
        const std::array products{product};
        if (canFuse(products, tokens)) {
            TRY(multiplyFused(products, {rows.values, nullptr, 0, tokens, rows.columns, 0, 1}, postNorm == nullptr));
        } else {
            if (!usesLibrary(tokens)) TRY(quantise(rows, tokens));
            TRY(multiply(products, rows, tokens, postNorm == nullptr));
        }
        return addNormalised(postNorm);
    }
    // The tokens' rows of m_x, to be normalised.
    [[nodiscard]] kernels::RmsRows rowsOf(const float* norm) const {
        return {m_x, norm, epsilon(), m_chunk.tokens(), m_spec.width, 0, 1};
    }
    Result<void> addNormalised(const float* postNorm) const {
        if (postNorm == nullptr) return {};
        return launch([=, this] {
            return kernels::addNormalisedRows(stream(),
                                              {m_part, postNorm, epsilon(), m_chunk.tokens(), m_spec.width, 0, 1}, m_x);
        });
    }

    Result<void> feedForwardPart(const DeviceLayer& layer) {
        const auto tokens = m_chunk.tokens();
        const auto& dense = layer.feedForward;
        const bool routed = static_cast<bool>(layer.router);
        if (!routed && fusesGate(dense, tokens)) {
            TRY(gateFused(dense, rowsOf(layer.feedForwardNorm)));
        } else {
            TRY(normalise(layer.feedForwardNorm, m_normed, tokens, 0, 1,
                          operandType(routed ? layer.router : dense.gate), routed));
            if (routed) return experts(layer);
            TRY(gate(dense, tokens));
        }
        return addProduct(RowProduct{dense.down, dense.downBias}, m_dense.gated, layer.feedForwardPostNorm);
    }
    [[nodiscard]] static bool fusesGate(const DeviceFeedForward& weights, std::int64_t tokens) {
        return weights.gate.format == weights.up.format && kernels::canFuse(weights.gate, tokens);
    }
    Result<void> gateFused(const DeviceFeedForward& weights, const kernels::RmsRows& rows) {
        auto& gated = m_dense.gated;
        gated.columns = weights.gate.rows;
        gated.holds.reset();
        const auto function = gateOf(m_weights.gate);
        return launch([=, this] {
            return kernels::fusedGated(stream(), {weights.gate, weights.gateBias},
                                       {weights.up, weights.upBias, m_dense.gated.values, weights.gate.rows}, function,
                                       rows, blocks());
        });
    }

    // Activations between the products of a feed-forward part.
    struct Inner {
        Rows gated;
        float *gate = nullptr, *up = nullptr;
    };

    // m_dense.gated = f(gate, up) of m_normed, for a dense layer or the shared expert.
    Result<void> gate(const DeviceFeedForward& weights, std::int64_t tokens) {
        auto& inner = m_dense;
        const auto columns = inner.gated.columns = weights.gate.rows;
        const auto function = gateOf(m_weights.gate);
        if (!usesLibrary(tokens) && weights.gate.format == weights.up.format) {
            for (std::int64_t t = 0; t < tokens; t += kMostFewTokens) {
                const auto count = static_cast<int>(std::min<std::int64_t>(kMostFewTokens, tokens - t));
                TRY(launch([=, this] {
                    return kernels::multiplyGated(
                        stream(), {weights.gate, weights.gateBias},
                        {weights.up, weights.upBias, inner.gated.values + t * columns, columns}, function,
                        m_normed.from(t), count);
                }));
            }
            return {};
        }
        TRY(multiply({{RowProduct{weights.gate, weights.gateBias, inner.gate, columns},
                       RowProduct{weights.up, weights.upBias, inner.up, columns}}},
                     m_normed, tokens));
        const auto to = outputsOf(inner.gated, tokens, operandType(weights.down), false);
        return launch(
            [=, this] { return kernels::gateRows(stream(), inner.gate, inner.up, function, tokens, columns, to); });
    }

    // Each token with its experts, one row product for all of them.
    Result<void> experts(const DeviceLayer& layer) {
        const auto tokens = m_chunk.tokens(), active = m_spec.activeExperts, slots = tokens * active;
        const auto& part = layer.feedForward;
        TRY(multiply({{RowProduct{layer.router, nullptr, m_votes, m_spec.experts}}}, m_normed, tokens));
        TRY(launch([=, this] {
            return kernels::chooseExperts(stream(), {m_votes, layer.routerBias, tokens, m_spec.experts, active,
                                                     m_weights.normalisesExperts, m_chosen, m_shares});
        }));
        auto& inner = m_routed;
        const auto columns = part.gate.rows;
        const auto function = gateOf(m_weights.gate);
        const kernels::ExpertChoice ofTokens{m_chosen, slots, active}, ofSlots{m_chosen, slots, 1};
        if (part.gate.format == part.up.format) {
            TRY(launch([=, this] {
                return kernels::multiplyGated(stream(), {part.gate, part.gateBias},
                                              {part.up, part.upBias, inner.gated.values, columns}, function,
                                              m_normed.from(0), 1, ofTokens);
            }));
        } else {
            for (const auto product : {RowProduct{part.gate, part.gateBias, inner.gate, columns},
                                       RowProduct{part.up, part.upBias, inner.up, columns}})
                TRY(launch([=, this] {
                    return kernels::multiplyRows(stream(), {{product}}, m_normed.from(0), 1, false, ofTokens);
                }));
            RowOutputs to;
            to.values = inner.gated.values;
            TRY(launch(
                [=, this] { return kernels::gateRows(stream(), inner.gate, inner.up, function, slots, columns, to); }));
        }
        TRY(quantise(inner.gated, slots));
        TRY(launch([=, this] {
            const RowProduct down{part.down, part.downBias, m_expertParts, m_spec.width};
            return kernels::multiplyRows(stream(), {{down}}, inner.gated.from(0), 1, false, ofSlots);
        }));
        const bool direct = layer.feedForwardPostNorm == nullptr;
        auto* sum = direct ? m_x : m_part;
        // The shared expert reads m_normed, which does not change.
        TRY(launch([=, this] {
            return kernels::addShares(stream(), m_expertParts, m_shares, tokens, active, m_spec.width, direct, sum);
        }));
        if (layer.shared.gate) {
            TRY(launch([=, this] {
                return kernels::sharedShares(stream(), layer.sharedGate, m_normed.values, tokens, m_spec.width,
                                             m_sharedShares);
            }));
            TRY(gate(layer.shared, tokens));
            if (!usesLibrary(tokens)) TRY(quantise(m_dense.gated, tokens));
            TRY(multiply({{RowProduct{layer.shared.down, layer.shared.downBias, m_expertParts, m_spec.width}}},
                         m_dense.gated, tokens));
            TRY(launch([=, this] {
                return kernels::addShares(stream(), m_expertParts, m_sharedShares, tokens, 1, m_spec.width, true, sum);
            }));
        }
        return addNormalised(layer.feedForwardPostNorm);
    }

    DecoderWeights m_weights;
    const model::DecoderSpec& m_spec;
    DeviceFacts m_facts;
    std::int64_t m_context, m_sequences;
    std::int64_t m_tokens;  // per chunk
    ElementType m_cacheType;

    std::shared_ptr<DeviceSet> m_device;
    DeviceMemory m_memory, m_control, m_hostLogits;
    std::vector<DeviceLayer> m_layers;
    StoredWeights m_embedding, m_head;
    float* m_outputNorm = nullptr;
    DeviceRotary m_rotary, m_localRotary;

    // Buffers of a chunk.
    std::byte* m_deviceControl = nullptr;  // the first position (8 bytes), then the tokens
    float *m_x = nullptr, *m_part = nullptr;
    Rows m_normed, m_last, m_mixed;
    Inner m_dense, m_routed;
    float *m_expertParts = nullptr, *m_votes = nullptr, *m_shares = nullptr, *m_sharedShares = nullptr;
    std::int32_t* m_chosen = nullptr;
    float *m_queries = nullptr, *m_newKeys = nullptr, *m_newValues = nullptr;
    kernels::AttentionParts m_parts;
    std::byte* m_typedQueries = nullptr;
    float *m_headMixed = nullptr, *m_scores = nullptr, *m_logits = nullptr;
    std::byte *m_scoreWeights = nullptr, *m_dequantised = nullptr, *m_workspace = nullptr;

    ChunkOfTokens m_chunk;
    Tuner m_tuner;
    std::map<TuningKey, PreparedProduct> m_products;
    struct RepeatedStep {
        int runs = 0;
        std::unique_ptr<DeviceGraph> graph;
    };
    std::map<std::int64_t, RepeatedStep> m_graphs;  // by the number of tokens
};

Result<void> checkCache(const DecoderWeights& weights, const DecoderOptions& options) {
    if (options.cache != model::CacheType::Q8_0) return {};
    return fail(ErrorKind::Unsupported, weights.spec.id, messages::noCacheType("cuda", toString(options.cache)));
}

}  // namespace

Result<DecoderMemory> cudaDecoderMemory(const DecoderWeights& weights, const DecoderOptions& options,
                                        const DeviceFacts& facts) {
    TRY(checkCache(weights, options));
    return CudaDecoder(weights, options, facts).memory();
}

Result<std::unique_ptr<LanguageDecoder>> makeCudaDecoder(DecoderWeights weights, const DecoderOptions& options,
                                                         std::shared_ptr<DeviceSet> device) {
    TRY(checkCache(weights, options));
    const auto facts = device->runtime->facts();
    auto decoder = std::make_unique<CudaDecoder>(std::move(weights), options, facts);
    TRY(decoder->prepare(std::move(device)));
    return decoder;
}

}  // namespace steelyard::compute::cuda
