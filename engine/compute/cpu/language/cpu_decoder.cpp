// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/language/cpu_decoder.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/compute/cpu/compile/arena.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/language/weight_panels.h"
#include "engine/compute/cpu/spin_barrier.h"
#include "engine/compute/cpu/threads.h"
#include "engine/compute/cpu/work_sharing.h"
#include "engine/core/messages/compute.h"
#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute {
namespace {

using cpu::kActivationBlock;
using cpu::kPanelRows;
using cpu::PanelMatrix;
using Range = cpu::PanelRange;

constexpr std::int64_t kLine = 64;                 // bytes of a cache line
constexpr std::int64_t kReleasedBytes = 16 << 20;  // of repacked weights, after which the file's pages are released
constexpr std::int64_t kMostTokens = 128;          // per chunk, so that activations stay in the cache
constexpr std::int64_t kSharedTokens = 4;          // from which threads take pieces of each other's products
constexpr std::int64_t kAttentionTokens = 8;       // prompt tokens per attention block
constexpr std::int64_t kKeyBytesAhead = 8192;      // from reading keys to prefetching them, at least
// Heads times sequences per thread above which a thread takes whole ones. Single sequences are always split.
constexpr std::int64_t kUnitsPerThread = 8;
// Of readBandwidth(): a piece takes long compared with starting the threads, and a reading several milliseconds.
constexpr std::int64_t kReadBytes = 128 << 20;
constexpr double kReadSeconds = 0.03;
constexpr std::int64_t kPanelsPerBlock = kActivationBlock / kPanelRows;
// Limits of products divided by columns: each thread adds the sums of all threads, for all tokens.
constexpr int kMostPieces = 4;
constexpr std::int64_t kMostTokensInPieces = 16;

const std::vector<float> kNoBias;

constexpr std::int64_t roundedUp(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}
// Elements between rows of activations: not a power of two, whose rows would share a few sets of the cache.
constexpr std::int64_t paddedRow(std::int64_t columns) {
    return roundedUp(columns, kPanelRows) + kPanelRows;
}

// Storage of keys and values. Keys: panels of 16 positions. Values: a row per position.
struct CacheLayout {
    cpu::PanelFormat keys;
    cpu::RowFormat values;
    model::CacheType type;

    [[nodiscard]] bool inBlocks() const { return type == model::CacheType::Q8_0; }
    [[nodiscard]] std::int64_t bytesOf(std::int64_t elements) const {
        return inBlocks() ? elements / kActivationBlock * model::formatOf(model::TensorType::Q8_0).blockBytes
                          : elements * static_cast<std::int64_t>(model::bytesPerElement(type));
    }
};
CacheLayout layoutOf(model::CacheType type) {
    switch (type) {
        case model::CacheType::F32:
            return {cpu::PanelFormat::Float, cpu::RowFormat::Float, type};
        case model::CacheType::F16:
            return {cpu::PanelFormat::Half, cpu::RowFormat::Half, type};
        case model::CacheType::Q8_0:
            return {cpu::PanelFormat::Bytes, cpu::RowFormat::Blocks, type};
    }
    return {};
}

// A thread's index and barrier in a step that all threads execute.
struct Team {
    int index = 0, size = 1;
    cpu::SpinBarrier* barrier = nullptr;  // for several threads
    // Each thread multiplies its own columns of the output and down products, whose inputs it has computed itself.
    bool ownColumns = false;
    bool ownRows = false;              // one token, whose sums and norms each thread computes for itself
    cpu::WorkSharing* work = nullptr;  // null: each thread computes its own share

    [[nodiscard]] Range share(std::int64_t count, std::int64_t unit = 1) const {
        return cpu::shareOf(count, unit, index, size);
    }
    // Calls function(range) for a thread's share of a loop over `count` for some tokens, or for pieces of the shares of
    // all threads, multiples of `piece`.
    template <class Function>
    void forEach(std::int64_t count, std::int64_t unit, std::int64_t piece, std::int64_t tokens,
                 Function function) const {
        if (work == nullptr || ownColumns || tokens < kSharedTokens || size == 1) return function(share(count, unit));
        work->forEach(
            index, size, piece, [&](std::int64_t thread) { return cpu::shareOf(count, unit, thread, size); }, function);
    }
    void wait() const {
        if (size > 1) barrier->wait(index, size);
    }
};

// Parts of a step, in order.
enum Part {
    Embedding,
    InputProducts,
    Rotation,
    Attention,
    OutputProduct,
    Norms,
    Routing,
    GateAndUp,
    Gating,
    Down,
    Head
};
constexpr std::array<std::pair<std::string_view, std::string_view>, Head + 1> kParts{{
    {"embedding", "embedding"},
    {"query, key and value products", "product"},
    {"rotation, storing keys and values", "pointwise"},
    {"attention", "attention"},
    {"output product of attention", "product"},
    {"sums and norms", "pointwise"},
    {"choice of experts, gathering, scattering", "routing"},
    {"gate and up products", "product"},
    {"gating", "pointwise"},
    {"down product", "product"},
    {"head", "product"},
}};

struct PanelFeedForward {
    PanelMatrix gate, up, down;
};
struct PanelLayer {
    PanelMatrix query, key, value, output, router;
    PanelFeedForward feedForward, shared;
    // KV cache: position p is stored at p mod `positions`, a multiple of 16. With a sliding window, earlier positions
    // are overwritten.
    std::byte *keys = nullptr, *values = nullptr;
    std::int64_t positions = 0, keyBytes = 0, valueBytes = 0;  // bytes per KV head
};

// Operand of a product: float32, and in 8 bits or bfloat16 if a consumer needs it. The latter two are stored by pieces
// of the columns: [piece][token].
struct Activations {
    float* x = nullptr;  // [token][stride]
    std::int64_t stride = 0;
    cpu::QuantisedRows rows;
    std::byte* tiles = nullptr;  // null without tiled products, or if columns do not divide into blocks
    std::int64_t columns = 0, tokens = 0, pieces = 1;

    // The columns of a piece.
    [[nodiscard]] Activations piece(std::int64_t index) const {
        auto part = *this;
        part.columns = columns / pieces;
        part.pieces = 1;
        const auto before = index * part.columns;
        part.x += before;
        part.moveRows(before * tokens);
        if (tiles != nullptr) part.tiles += before * roundedUp(tokens, cpu::kTiledRows) * 2;
        return part;
    }
    // The rows from one on, without tiles.
    [[nodiscard]] Activations from(std::int64_t row) const {
        auto part = *this;
        part.x += row * stride;
        part.moveRows(row * columns);
        part.tiles = nullptr;
        return part;
    }

private:
    void moveRows(std::int64_t elements) {
        rows.q += elements;
        rows.steps += elements / kActivationBlock;
        rows.sums += elements / kActivationBlock;
        rows.halfSums += elements / 16;
        rows.compensations += elements / 16;
    }
};

// Of a thread.
struct Scratch {
    float *queries = nullptr, *scores = nullptr, *mixed = nullptr, *maxima = nullptr, *sums = nullptr;
    cpu::QuantisedRows quantised;     // queries, keys and values, for a cache in blocks
    std::uint16_t* halves = nullptr;  // a key and a value, or their scales
};

class CpuDecoder final : public LanguageDecoder {
public:
    CpuDecoder(DecoderWeights weights, const DecoderOptions& options, const cpu::LanguageKernels* kernels)
        : m_weights(std::move(weights)),
          m_spec(m_weights.spec),
          m_kernels(kernels != nullptr ? *kernels : cpu::kernels().language),
          m_context(options.context),
          m_positions(roundedUp(options.context, kPanelRows)),
          m_threads(std::max(1, options.threads)),
          m_cache(layoutOf(options.cache)),
          m_sequences(std::max<std::int64_t>(1, options.sequences)),
          m_tokens(std::max(std::min(mostTokens(), options.context * m_sequences), m_sequences)),
          m_pieces(dividesByThreads() ? m_threads : 1),
          m_barrier(m_threads),
          m_work(m_threads) {}

    Result<void> prepare() {
        TRY(checkCache());
        const cpu::ThreadScope scope(m_threads);
        TRY(repack());
        TRY(reserve());
        return {};
    }

    Result<DecoderMemory> memory() {
        TRY(checkCache());
        const auto sizes = countPanels();
        auto memory = layOut(nullptr);
        memory.weights = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
        return memory;
    }

    std::int64_t vocabulary() const override { return m_spec.vocabulary; }
    std::int64_t context() const override { return m_context; }
    std::int64_t sequences() const override { return m_sequences; }

    bool countTimes() override {
        m_counts = true;
        m_seconds.fill(0);
        return true;
    }
    std::vector<DecoderTime> times() const override {
        std::vector<DecoderTime> list;
        for (std::size_t i = 0; i < kParts.size(); ++i)
            if (m_seconds[i] > 0) list.push_back({kParts[i].first, kParts[i].second, m_seconds[i]});
        return list;
    }

    // Pieces of whole matrices, in the order of a step.
    std::optional<double> readBandwidth() override {
        const cpu::ThreadScope scope(m_threads);
        std::vector<const PanelMatrix*> matrices;
        eachMatrix([&](const model::StoredMatrix&, const PanelMatrix& matrix, const cpu::PanelDivision&) {
            if (matrix.count > 0) matrices.push_back(&matrix);
        });
        double bytes = 0, seconds = 0;
        while (seconds < kReadSeconds) {
            const auto first = m_nextRead;
            std::int64_t piece = 0;
            for (; piece < kReadBytes; ++m_nextRead) piece += matrices[m_nextRead % matrices.size()]->bytes();
            const auto start = std::chrono::steady_clock::now();
            std::uint64_t sum = 0;
#pragma omp parallel num_threads(m_threads) reduction(+ : sum)
            for (auto i = first; i < m_nextRead; ++i)
                sum += read({omp_get_thread_num(), omp_get_num_threads()}, *matrices[i % matrices.size()]);
            seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            bytes += static_cast<double>(piece);
            m_readSum = sum;
            m_nextRead %= matrices.size();
        }
        return bytes / seconds;
    }

protected:
    Result<std::span<const float>> process(std::span<const std::int32_t> tokens) override {
        const cpu::ThreadScope scope(m_threads);
        const auto perSequence = static_cast<std::int64_t>(tokens.size()) / m_sequences;
        // As many sequences as fit in a chunk, or a part of one.
        m_run = std::min(perSequence, m_tokens);
        const auto together = m_tokens / m_run;
        for (std::int64_t sequence = 0; sequence < m_sequences; sequence += together) {
            const auto count = std::min(together, m_sequences - sequence);
            for (std::int64_t done = 0; done < perSequence; done += m_run) {
                m_run = std::min({perSequence - done, perSequence, m_tokens});
                m_sequence = sequence;
                m_first = position() + done;
                m_count = count * m_run;
                m_input = tokens.data() + sequence * perSequence + done;
                m_last = done + m_run == perSequence;
                m_rounds = m_count >= cpu::kTiledPairTokens;
                m_quantises = m_count < cpu::kTiledTokens || m_spec.experts > 0;
                if (m_counts) m_mark = std::chrono::steady_clock::now();
                prepareRotation();
                m_barrier.reset();
                m_work.reset();
#pragma omp parallel num_threads(m_threads)
                step(teamOf(omp_get_thread_num(), omp_get_num_threads()));
                if (m_last) ended(Team{}, Head);
            }
        }
        const auto words = m_spec.vocabulary;
        for (std::int64_t i = 1; i < m_sequences && words != m_head.paddedRows(); ++i)
            std::copy_n(m_logits + i * m_head.paddedRows(), words, m_logits + i * words);
        return std::span<const float>(m_logits, static_cast<std::size_t>(m_sequences * words));
    }

    Result<void> repeat(std::int64_t positions) override {
        for (const auto& layer : m_layers) {
            const auto end = std::min(roundedUp(positions, kPanelRows), layer.positions);
            const auto copy = [&](std::byte* data, std::int64_t positionBytes) {
                for (auto at = position(); at < end; at += position())
                    std::memcpy(data + at * positionBytes, data,
                                static_cast<std::size_t>(std::min(position(), end - at) * positionBytes));
            };
            for (std::int64_t h = 0; h < m_sequences * m_spec.kvHeads; ++h) {
                copy(layer.keys + h * layer.keyBytes, m_cache.bytesOf(m_spec.headDimension));
                copy(layer.values + h * layer.valueBytes, m_cache.bytesOf(m_headPadded));
            }
        }
        return {};
    }

private:
    [[nodiscard]] Result<void> checkCache() const {
        if (!m_cache.inBlocks() || m_spec.headDimension % kActivationBlock == 0) return {};
        return fail(ErrorKind::Unsupported, m_spec.id,
                    messages::cacheNeedsBlocks(toString(m_cache.type), kActivationBlock, m_spec.headDimension));
    }

    // The first thread records the time of a part.
    void ended(const Team& team, Part part) const {
        if (!m_counts || team.index != 0) return;
        const auto now = std::chrono::steady_clock::now();
        m_seconds[part] += std::chrono::duration<double>(now - m_mark).count();
        m_mark = now;
    }

    // Every thread can compute the inputs of its piece of the output and down products itself.
    [[nodiscard]] bool dividesByThreads() const {
        if (m_threads == 1 || m_threads > kMostPieces || m_spec.experts > 0) return false;
        return std::all_of(m_weights.layers.begin(), m_weights.layers.end(), [&](const LayerWeights& layer) {
            return dividesByHeads(m_threads, layer) && cpu::dividesInto(layer.output, m_threads) &&
                   cpu::dividesInto(layer.feedForward.down, m_threads);
        });
    }

    // Calls a function for every matrix of the model, its destination and its division, in the order of a step.
    template <class Function>
    void eachMatrix(Function&& function) {
        const cpu::PanelDivision rows{m_threads, 1}, blocks{m_threads, kPanelsPerBlock};
        const cpu::PanelDivision columns{m_threads, 1, m_pieces > 1};
        m_layers.resize(m_weights.layers.size());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            auto& to = m_layers[i];
            const auto& from = m_weights.layers[i];
            function(from.query, to.query, rows);
            function(from.key, to.key, rows);
            function(from.value, to.value, rows);
            function(from.output, to.output, columns);
            function(from.router, to.router, rows);
            function(from.feedForward.gate, to.feedForward.gate, blocks);
            function(from.feedForward.up, to.feedForward.up, blocks);
            function(from.feedForward.down, to.feedForward.down, columns);
            function(from.shared.gate, to.shared.gate, blocks);
            function(from.shared.up, to.shared.up, blocks);
            function(from.shared.down, to.shared.down, rows);
        }
        function(m_weights.head, m_head, rows);
    }

    // Tokens per chunk. Tiled products convert the weights once per chunk. With a sliding window the cache holds a
    // chunk more than the window.
    [[nodiscard]] std::int64_t mostTokens() const {
        return m_kernels.tiledProduct != nullptr && m_spec.window == 0 ? cpu::kMostTiledTokens : kMostTokens;
    }

    // Computes the sizes of the repacked matrices; returns the bytes of each thread's parts of them.
    std::vector<std::int64_t> countPanels() {
        std::vector<std::int64_t> bytes(static_cast<std::size_t>(m_threads));
        eachMatrix([&](const model::StoredMatrix& from, PanelMatrix& to, const cpu::PanelDivision& division) {
            to = cpu::panelsOf(from, division);
            for (int part = 0; part < m_threads; ++part)
                bytes[static_cast<std::size_t>(part)] += roundedUp(to.partBytes(part), kLine);
        });
        for (auto& value : bytes) value = roundedUp(value, 4096);
        return bytes;
    }

    // All parts of a thread are stored one after the other, and written by this thread.
    Result<void> repack() {
        const auto sizes = countPanels();
        ASSIGN(m_panels, cpu::Arena::allocate(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
        std::vector<std::byte*> next(sizes.size(), m_panels.data());
        for (std::size_t i = 1; i < next.size(); ++i) next[i] = next[i - 1] + sizes[i - 1];
        std::int64_t kept = 0;
        eachMatrix([&](const model::StoredMatrix& from, PanelMatrix& to, const cpu::PanelDivision&) {
            to.parts = next;
            std::int64_t longest = 0;
            for (int part = 0; part < m_threads; ++part) {
                next[static_cast<std::size_t>(part)] += roundedUp(to.partBytes(part), kLine);
                longest = std::max(longest, to.partPanels(part));
            }
            // In pieces, so that both forms of all weights, or of a large head, are never in memory at once.
            const auto atOnce = std::max<std::int64_t>(1, to.panelBytes * m_threads);
            const auto most = std::max<std::int64_t>(1, kReleasedBytes / atOnce);
            for (std::int64_t first = 0; first < longest; first += most) {
#pragma omp parallel num_threads(m_threads)
                for (int part = omp_get_thread_num(); part < m_threads; part += omp_get_num_threads())
                    cpu::writePanels(from, to, part, first, std::min(first + most, to.partPanels(part)));
                kept += std::min(most, longest - first) * atOnce;
                if (kept < kReleasedBytes) continue;
                m_weights.file->releasePages();
                kept = 0;
            }
        });
        m_weights.file->releasePages();
        return {};
    }

    // The arena is laid out twice: once to compute sizes (without a base), once to assign pointers.
    DecoderMemory layOut(std::byte* base) {
        DecoderMemory memory;
        std::int64_t bytes = 0;
        const auto take = [&]<class T>(T*& target, std::int64_t count) {
            target = base == nullptr ? nullptr : reinterpret_cast<T*>(base + bytes);
            bytes += roundedUp(count * static_cast<std::int64_t>(sizeof(T)), 64);
        };
        const auto takeRows = [&](cpu::QuantisedRows& rows, std::int64_t tokens, std::int64_t columns) {
            take(rows.q, tokens * columns);
            take(rows.steps, tokens * (columns / kActivationBlock));
            take(rows.sums, tokens * (columns / kActivationBlock));
            take(rows.halfSums, tokens * (columns / 16));
            take(rows.compensations, tokens * (columns / 16));
        };
        const auto takeActivations = [&](Activations& target, std::int64_t columns, std::int64_t pieces = 1) {
            target.stride = paddedRow(columns);
            target.columns = columns;
            target.tokens = m_tokens;
            target.pieces = pieces;
            take(target.x, m_tokens * target.stride);
            takeRows(target.rows, m_tokens, columns);
            if (m_kernels.tiledProduct != nullptr && columns % kActivationBlock == 0)
                take(target.tiles, roundedUp(m_tokens, cpu::kTiledRows) * columns * 2);
        };
        const auto head = m_spec.headDimension;
        m_group = m_spec.heads / m_spec.kvHeads;
        m_headPadded = roundedUp(head, kPanelRows);
        const auto width = m_spec.width;
        std::int64_t inner = m_spec.feedForward;
        for (const auto part : {m_spec.expertWidth, m_spec.sharedExpertWidth}) inner = std::max(inner, part);
        const auto pairs = static_cast<std::int64_t>(m_weights.rotary.frequencies.size());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            auto& layer = m_layers[i];
            // Enough for a chunk that is stored before its attention, and for rewind().
            const auto window = m_weights.layers[i].window;
            layer.positions =
                window > 0 ? std::min(m_positions, roundedUp(window + std::max(m_tokens, kMostRewound), kPanelRows))
                           : m_positions;
            layer.keyBytes = layer.positions * m_cache.bytesOf(head);
            layer.valueBytes = layer.positions * m_cache.bytesOf(m_headPadded);
            take(layer.keys, m_sequences * m_spec.kvHeads * layer.keyBytes);
            take(layer.values, m_sequences * m_spec.kvHeads * layer.valueBytes);
        }
        memory.cache = bytes;
        takeActivations(m_normed, width);
        takeActivations(m_mixed, m_spec.heads * head, m_pieces);
        takeActivations(m_gate, inner, m_pieces);
        takeActivations(m_gathered, width);
        m_widthPadded = paddedRow(width);
        m_innerPadded = paddedRow(inner);
        take(m_x, m_tokens * m_widthPadded);
        take(m_part, m_tokens * m_widthPadded);
        take(m_expertPart, m_tokens * m_widthPadded);
        for (auto** sums : {&m_attentionSums, &m_feedForwardSums})
            take(*sums, m_pieces > 1 ? m_pieces * kMostTokensInPieces * m_widthPadded : 0);
        take(m_up, m_tokens * m_innerPadded);
        m_queryStride = paddedRow(m_spec.heads * head);
        m_keyStride = paddedRow(m_spec.kvHeads * head);
        take(m_queries, m_tokens * m_queryStride);
        take(m_newKeys, m_tokens * m_keyStride);
        take(m_newValues, m_tokens * m_keyStride);
        take(m_logits, m_sequences * roundedUp(m_spec.vocabulary, kPanelRows));
        for (auto* rotation : {&m_rotation, &m_localRotation}) take(*rotation, 2 * m_tokens * pairs);
        const auto rows = kAttentionTokens * m_group;
        m_scratch.resize(static_cast<std::size_t>(m_threads));
        for (auto& scratch : m_scratch) {
            take(scratch.queries, rows * head);
            if (m_cache.inBlocks()) takeRows(scratch.quantised, rows, head);
            if (m_cache.type != model::CacheType::F32) take(scratch.halves, 2 * head);
            take(scratch.scores, rows * m_positions);
            take(scratch.mixed, std::max(rows, m_spec.heads) * m_headPadded);
            take(scratch.maxima, std::max(rows, m_spec.heads));
            take(scratch.sums, std::max(rows, m_spec.heads));
        }
        m_voteStride = roundedUp(m_spec.experts, kPanelRows);
        take(m_votes, m_tokens * m_voteStride);
        take(m_chosen, m_tokens * m_spec.activeExperts);
        take(m_shares, m_tokens * m_spec.activeExperts);
        take(m_order, m_spec.experts);
        take(m_expertTokens, m_tokens);
        take(m_expertShares, m_tokens);
        memory.buffers = bytes - memory.cache;
        return memory;
    }

    Result<void> reserve() {
        ASSIGN(m_arena, cpu::Arena::allocate(layOut(nullptr).total()));
        layOut(m_arena.data());
        return {};
    }

    // For a token of the chunk: its position in the sequence, and the location of its keys and values.
    [[nodiscard]] std::int64_t positionOf(std::int64_t token) const {
        return m_first + token % m_run;
    }
    [[nodiscard]] std::byte* keysOf(const PanelLayer& panels, std::int64_t token, std::int64_t kvHead) const {
        return panels.keys + ((m_sequence + token / m_run) * m_spec.kvHeads + kvHead) * panels.keyBytes;
    }
    [[nodiscard]] std::byte* valuesOf(const PanelLayer& panels, std::int64_t token, std::int64_t kvHead) const {
        return panels.values + ((m_sequence + token / m_run) * m_spec.kvHeads + kvHead) * panels.valueBytes;
    }

    [[nodiscard]] const std::byte* keysFrom(const PanelLayer& panels, std::int64_t token, std::int64_t kvHead,
                                            std::int64_t position) const {
        return keysOf(panels, token, kvHead) + position % panels.positions * m_cache.bytesOf(m_spec.headDimension);
    }

    // Cosines and sines of the chunk's positions: [token][2][pair].
    void prepareRotation() {
        const auto fill = [&](const Rotary& rotary, float* target) {
            const auto pairs = rotary.frequencies.size();
            for (std::int64_t t = 0; t < m_count; ++t, target += 2 * pairs)
                for (std::size_t i = 0; i < pairs; ++i) {
                    const double angle = static_cast<double>(positionOf(t)) * rotary.frequencies[i];
                    target[i] = static_cast<float>(std::cos(angle) * rotary.magnitude);
                    target[pairs + i] = static_cast<float>(std::sin(angle) * rotary.magnitude);
                }
        };
        fill(m_weights.rotary, m_rotation);
        if (!m_weights.localRotary.frequencies.empty()) fill(m_weights.localRotary, m_localRotation);
    }

    [[nodiscard]] Team teamOf(int index, int size) {
        return {index,
                size,
                &m_barrier,
                m_pieces > 1 && size == m_pieces && m_run == 1 && m_count <= kMostTokensInPieces,
                m_count == 1 && m_spec.experts == 0 && size <= m_tokens,
                &m_work};
    }

    // Some panels of a matrix: a part, unless the team is smaller than the number of parts.
    void multiply(const PanelMatrix& matrix, std::int64_t which, const Range& panels, const Activations& in,
                  std::int64_t tokens, float* y, std::int64_t leading, bool accumulates = false,
                  const Range& steps = {0, -1}) const {
        for (auto panel = panels.begin; panel < panels.end;) {
            const auto stored = matrix.from(which, panel);
            cpu::WeightProduct product;
            product.format = matrix.format;
            product.panels = stored.data;
            product.panelBytes = matrix.panelBytes;
            product.count = std::min(stored.count, panels.end - panel);
            product.columns = matrix.columns;
            product.rows = in.rows;
            product.x = in.x;
            product.stride = in.stride;
            product.tiles = in.tiles;
            product.tokens = tokens;
            product.y = y + panel * kPanelRows;
            product.leading = leading;
            product.accumulates = accumulates;
            product.pattern = m_pattern;
            product.firstStep = steps.begin;
            product.lastStep = steps.end;
            const bool tiled = in.tiles != nullptr && m_kernels.usesTiles(matrix.format, tokens);
            (tiled ? m_kernels.tiledProduct : m_kernels.product)(product);
            panel += product.count;
        }
    }
    // A thread's share of the rows.
    void multiply(const Team& team, const PanelMatrix& matrix, const Activations& in, std::int64_t tokens, float* y,
                  std::int64_t leading) const {
        team.forEach(matrix.panels, 1, kPanelsPerBlock, tokens,
                     [&](const Range& panels) { multiply(matrix, 0, panels, in, tokens, y, leading); });
    }

    // A product divided into ranges of panels, panelsOf(t) of thread t, whose inputs thread t has computed: a thread
    // that has finished takes steps (cpu::productSteps()) of the others. function(owner, panels, steps)
    template <class Panels, class Function>
    static void forEachStep(const Team& team, Panels panelsOf, Function function) {
        team.work->forEachOfOwn(
            team.index, team.size,
            [&](std::int64_t owner) {
                const Range panels = panelsOf(owner);
                return Range{0, panels.begin < panels.end ? cpu::productSteps(panels.end - panels.begin) : 0};
            },
            [&](std::int64_t owner, const Range& steps) { function(owner, panelsOf(owner), steps); });
    }
    // Some steps of a product of contiguous panels.
    void multiplySteps(const PanelMatrix& matrix, std::int64_t which, const Range& panels, const Range& steps,
                       const Activations& in, std::int64_t tokens, float* y, std::int64_t leading) const {
        if (tokens == 1) return multiply(matrix, which, panels, in, 1, y, leading, false, steps);
        const bool last = steps.end == cpu::productSteps(panels.end - panels.begin);
        multiply(
            matrix, which,
            {panels.begin + steps.begin * cpu::kStrides, last ? panels.end : panels.begin + steps.end * cpu::kStrides},
            in, tokens, y, leading);
    }

    // A result [token][m_widthPadded] as the sum of some arrays.
    struct Summands {
        const float* first;
        std::int64_t count, stride;
    };
    // Product with activations of which each thread has computed its columns: with these columns alone, to `sums` (a
    // thread that has finished takes steps of those that have computed their columns, too), or,
    // when all are computed, its share of the rows, to y. All have finished when it returns.
    Summands multiplyComputed(const Team& team, const PanelMatrix& matrix, const Activations& in, std::int64_t tokens,
                              float* y, float* sums, Part before, Part part, std::int64_t which = 0) const {
        const auto stride = kMostTokensInPieces * m_widthPadded;
        if (!team.ownColumns) team.wait();
        ended(team, before);
        if (team.ownColumns)
            forEachStep(
                team,
                [&](std::int64_t) {
                    return Range{0, matrix.panels};
                },
                [&](std::int64_t owner, const Range& panels, const Range& steps) {
                    multiplySteps(matrix, owner, panels, steps, in.piece(owner), tokens, sums + owner * stride,
                                  m_widthPadded);
                });
        else
            team.forEach(matrix.panels, 1, kPanelsPerBlock, tokens, [&](const Range& panels) {
                for (std::int64_t i = 0; i < in.pieces; ++i)
                    multiply(matrix, which + i, panels, in.piece(i), tokens, y, m_widthPadded, i > 0);
            });
        team.wait();
        ended(team, part);
        return team.ownColumns ? Summands{sums, m_pieces, stride} : Summands{y, 1, 0};
    }

    // Where a thread begins to read the matrix.
    static const std::byte* firstRead(const Team& team, const PanelMatrix& matrix) {
        return team.ownColumns ? matrix.from(team.index, 0).data : matrix.from(0, team.share(matrix.panels).begin).data;
    }

    // Sum of the words of a thread's parts.
    [[nodiscard]] std::uint64_t read(const Team& team, const PanelMatrix& matrix) const {
        std::uint64_t sum = 0;
        for (std::int64_t part = team.index; part < matrix.division.parts; part += team.size)
            sum += cpu::kernels().peak.sum(
                reinterpret_cast<const std::uint64_t*>(matrix.parts[static_cast<std::size_t>(part)]),
                matrix.partBytes(part) / static_cast<std::int64_t>(sizeof(std::uint64_t)), m_pattern);
        return sum;
    }

    // Rounds columns [begin, end), multiples of 32, of a token's row for the products that read them.
    void quantise(const Activations& in, std::int64_t columns, std::int64_t token, std::int64_t begin,
                  std::int64_t end) const {
        if (in.pieces == 1) return quantisePiece(in, columns, token, begin, end);
        const auto each = columns / in.pieces;
        for (auto i = begin / each; i * each < end; ++i)
            quantisePiece(in.piece(i), each, token, std::max(begin - i * each, std::int64_t{0}),
                          std::min(end - i * each, each));
    }
    void quantisePiece(const Activations& in, std::int64_t columns, std::int64_t token, std::int64_t begin,
                       std::int64_t end) const {
        const auto* x = in.x + token * in.stride + begin;
        if (m_rounds && in.tiles != nullptr) m_kernels.toTiles(in.tiles, columns, token, x, begin, end);
        // The head multiplies one token of each sequence, usually too few for tiles.
        if (!m_quantises && in.tiles != nullptr && &in != &m_gathered) return;
        const auto first = token * columns + begin;
        m_kernels.quantise({in.rows.q + first, in.rows.steps + first / 32, in.rows.sums + first / 32,
                            in.rows.halfSums + first / 16, in.rows.compensations + first / 16},
                           x, end - begin);
    }
    void quantise(const Activations& in, std::int64_t columns, std::int64_t token) const {
        if (columns % kActivationBlock == 0) quantise(in, columns, token, 0, columns);
    }

    void step(const Team& team) {
        // The tokens whose sums and norms a thread computes, and their first row in m_x and m_normed.
        const auto [firstToken, lastToken] = team.ownRows ? Range{0, 1} : team.share(m_count);
        const std::int64_t row = team.ownRows ? team.index : 0;
        const auto normalised = [&] {
            if (!team.ownRows) team.wait();
        };
        const auto in = team.ownRows ? m_normed.from(row) : m_normed;
        for (auto t = firstToken; t < lastToken; ++t) {
            auto* x = m_x + (row + t) * m_widthPadded;
            model::dequantise(m_weights.embedding.type, m_weights.embedding.row(m_input[t]),
                              {x, static_cast<std::size_t>(m_spec.width)});
            const auto scale = static_cast<float>(m_weights.embeddingScale);
            for (std::int64_t i = 0; i < m_spec.width; ++i) x[i] *= scale;
            if (!m_layers.empty()) normalise(row + t, m_weights.layers.front().attentionNorm);
        }
        normalised();
        ended(team, Embedding);
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            const auto& layer = m_weights.layers[i];
            const auto mixed = attention(team, m_layers[i], layer, in);
            for (auto t = firstToken; t < lastToken; ++t) {
                add(row + t, t, mixed, layer.outputBias, layer.attentionPostNorm);
                normalise(row + t, layer.feedForwardNorm);
            }
            normalised();
            ended(team, Norms);
            const bool isDense = m_layers[i].router.count == 0;
            const auto sums = isDense ? feedForward(team, m_layers[i].feedForward, layer.feedForward, in, m_count,
                                                    m_part, m_feedForwardSums, 0)
                                      : experts(team, m_layers[i], layer);
            for (auto t = firstToken; t < lastToken; ++t) {
                add(row + t, t, sums, isDense ? layer.feedForward.downBias : kNoBias, layer.feedForwardPostNorm);
                if (i + 1 < m_layers.size())
                    normalise(row + t, m_weights.layers[i + 1].attentionNorm);
                else if (m_last && (t + 1) % m_run == 0)
                    normalise(row + t, m_weights.outputNorm, m_gathered, row + t / m_run);
            }
            normalised();
            ended(team, Norms);
        }
        if (m_last) head(team, team.ownRows ? m_gathered.from(row) : m_gathered);
    }

    // `in`: the last token of each sequence of the chunk.
    void head(const Team& team, const Activations& in) const {
        const auto count = m_count / m_run;
        auto* logits = m_logits + m_sequence * m_head.paddedRows();
        const auto panelsOf = [&](std::int64_t thread) { return cpu::shareOf(m_head.panels, 1, thread, team.size); };
        if (team.size == m_head.division.parts && team.size > 1)
            forEachStep(team, panelsOf, [&](std::int64_t /*owner*/, const Range& panels, const Range& steps) {
                multiplySteps(m_head, 0, panels, steps, in, count, logits, m_head.paddedRows());
            });
        else
            multiply(team, m_head, in, count, logits, m_head.paddedRows());
        if (m_spec.logitSoftCap <= 0) return;
        team.wait();
        const auto [begin, end] = team.share(count * m_head.paddedRows());
        m_kernels.softCap(logits + begin, static_cast<float>(m_spec.logitSoftCap), end - begin);
    }

    // Rows of m_x and m_normed.
    void normalise(std::int64_t row, const std::vector<float>& scale) const {
        normalise(row, scale, m_normed, row);
    }
    void normalise(std::int64_t row, const std::vector<float>& scale, const Activations& out,
                   std::int64_t outRow) const {
        const auto* x = m_x + row * m_widthPadded;
        auto* y = out.x + outRow * out.stride;
        if (scale.empty())
            std::copy_n(x, m_spec.width, y);
        else
            m_kernels.rmsNorm(y, x, scale.data(), static_cast<float>(m_spec.normEpsilon), m_spec.width);
        quantise(out, m_spec.width, outRow);
    }

    // Adds a token's summands and bias, normalised if `postNorm` is not empty, to a row of m_x.
    void add(std::int64_t row, std::int64_t token, const Summands& summands, const std::vector<float>& bias,
             const std::vector<float>& postNorm) const {
        const auto addTo = [&](float* target) {
            for (std::int64_t i = 0; i < summands.count; ++i)
                m_kernels.addScaled(target, summands.first + i * summands.stride + token * m_widthPadded, 1,
                                    m_spec.width);
            if (!bias.empty()) m_kernels.addScaled(target, bias.data(), 1, m_spec.width);
        };
        auto* x = m_x + row * m_widthPadded;
        if (postNorm.empty()) return addTo(x);
        auto* sum = m_normed.x + row * m_normed.stride;  // is written by the norm that follows
        std::fill_n(sum, m_spec.width, 0.0F);
        addTo(sum);
        m_kernels.rmsNorm(sum, sum, postNorm.data(), static_cast<float>(m_spec.normEpsilon), m_spec.width);
        m_kernels.addScaled(x, sum, 1, m_spec.width);
    }

    // Output of attention, without the bias.
    Summands attention(const Team& team, const PanelLayer& panels, const LayerWeights& layer, const Activations& in) {
        const auto head = m_spec.headDimension, kvHeads = m_spec.kvHeads;
        const bool ownHeads = splitsByHeads(team, layer);
        auto dividing = team;
        if (ownHeads) dividing.work = nullptr;
        multiply(dividing, panels.query, in, m_count, m_queries, m_queryStride);
        multiply(dividing, panels.key, in, m_count, m_newKeys, m_keyStride);
        multiply(dividing, panels.value, in, m_count, m_newValues, m_keyStride);
        if (ownHeads) {
            ended(team, InputProducts);
            attendWithOwnHeads(team, panels, layer);
            return multiplyComputed(team, panels.output, m_mixed, m_count, m_part, m_attentionSums, Attention,
                                    OutputProduct);
        }
        team.wait();
        ended(team, InputProducts);
        if (normalisesAllHeads(layer)) {
            const auto [begin, end] = team.share(m_count);
            for (auto t = begin; t < end; ++t) {
                normaliseAllHeads(m_queries + t * m_queryStride, layer.queryNorm);
                normaliseAllHeads(m_newKeys + t * m_keyStride, layer.keyNorm);
            }
            team.wait();
        }
        const auto perToken = m_spec.heads + kvHeads;
        const auto [first, last] = team.share(m_count * perToken);
        for (auto i = first; i < last; ++i) {
            const auto token = i / perToken, which = i % perToken;
            if (which < m_spec.heads) {
                auto* query = m_queries + token * m_queryStride + which * head;
                turn(layer, query, layer.queryBias, which, layer.queryNorm, token);
            } else {
                storeKeyAndValue(team, panels, layer, token, which - m_spec.heads);
            }
        }
        team.wait();
        ended(team, Rotation);
        const auto count = m_count / m_run;  // sequences
        if (m_run == 1 && count * kvHeads < kUnitsPerThread * team.size) {
            for (std::int64_t t = 0; t < count; ++t) attendInParts(team, panels, layer, t);
        } else {
            const auto blocks = (m_run + kAttentionTokens - 1) / kAttentionTokens;
            team.forEach(blocks * count * kvHeads, 1, 1, m_count, [&](const Range& units) {
                for (auto unit = units.begin; unit < units.end; ++unit) {
                    const auto sequence = unit / kvHeads % count, block = unit / kvHeads / count;
                    attendBlock(team, panels, layer, unit % kvHeads, sequence * m_run + block * kAttentionTokens,
                                std::min(kAttentionTokens, m_run - block * kAttentionTokens));
                }
            });
            team.wait();
            const auto [begin, end] = team.share(m_count);
            for (auto t = begin; t < end; ++t) quantise(m_mixed, m_spec.heads * head, t);
        }
        return multiplyComputed(team, panels.output, m_mixed, m_count, m_part, m_attentionSums, Attention,
                                OutputProduct);
    }

    // One token of each sequence, and a thread's shares of the products are whole heads: until the output product it
    // needs nothing of other threads.
    [[nodiscard]] bool splitsByHeads(const Team& team, const LayerWeights& layer) const {
        return m_run == 1 && dividesByHeads(team.size, layer);
    }
    [[nodiscard]] bool dividesByHeads(int threads, const LayerWeights& layer) const {
        return m_spec.kvHeads % threads == 0 && m_spec.headDimension % kActivationBlock == 0 &&
               !normalisesAllHeads(layer);
    }
    void attendWithOwnHeads(const Team& team, const PanelLayer& panels, const LayerWeights& layer) {
        const auto head = m_spec.headDimension;
        const auto [first, last] = team.share(m_spec.kvHeads);
        fetch(keysFrom(panels, 0, first, firstSeen(layer, 0)));
        for (std::int64_t t = 0; t < m_count; ++t) {
            for (auto h = first * m_group; h < last * m_group; ++h)
                turn(layer, m_queries + t * m_queryStride + h * head, layer.queryBias, h, layer.queryNorm, t);
            for (auto kvHead = first; kvHead < last; ++kvHead) storeKeyAndValue(team, panels, layer, t, kvHead);
        }
        ended(team, Rotation);
        for (std::int64_t t = 0; t < m_count; ++t) {
            for (auto kvHead = first; kvHead < last; ++kvHead) {
                const auto* next = kvHead + 1 < last ? keysFrom(panels, t, kvHead + 1, firstSeen(layer, t))
                                   : t + 1 < m_count ? keysFrom(panels, t + 1, first, firstSeen(layer, t + 1))
                                                     : firstRead(team, panels.output);
                attendBlock(team, panels, layer, kvHead, t, 1, next);
            }
            quantise(m_mixed, m_spec.heads * head, t, first * m_group * head, last * m_group * head);
        }
    }

    [[nodiscard]] bool normalisesAllHeads(const LayerWeights& layer) const {
        return static_cast<std::int64_t>(layer.queryNorm.size()) > m_spec.headDimension;
    }
    void normaliseAllHeads(float* x, const std::vector<float>& scale) const {
        if (scale.empty()) return;
        m_kernels.rmsNorm(x, x, scale.data(), static_cast<float>(m_spec.normEpsilon),
                          static_cast<std::int64_t>(scale.size()));
    }

    // Bias, norm of a head, and rotation.
    void turn(const LayerWeights& layer, float* x, const std::vector<float>& bias, std::int64_t which,
              const std::vector<float>& norm, std::int64_t token) const {
        const auto head = m_spec.headDimension;
        if (!bias.empty())
            for (std::int64_t i = 0; i < head; ++i) x[i] += bias[static_cast<std::size_t>(which * head + i)];
        if (!norm.empty() && !normalisesAllHeads(layer))
            m_kernels.rmsNorm(x, x, norm.data(), static_cast<float>(m_spec.normEpsilon), head);
        if (!layer.rotates) return;
        const auto& rotary = layer.localRotary ? m_weights.localRotary : m_weights.rotary;
        const auto pairs = static_cast<std::int64_t>(rotary.frequencies.size());
        const auto* angles = (layer.localRotary ? m_localRotation : m_rotation) + token * pairs * 2;
        m_kernels.rotate(x, angles, angles + pairs, pairs, rotary.neighbours);
    }

    void storeKeyAndValue(const Team& team, const PanelLayer& panels, const LayerWeights& layer, std::int64_t token,
                          std::int64_t kvHead) const {
        const auto head = m_spec.headDimension, position = positionOf(token) % panels.positions;
        auto* key = m_newKeys + token * m_keyStride + kvHead * head;
        turn(layer, key, layer.keyBias, kvHead, layer.keyNorm, token);
        auto* value = m_newValues + token * m_keyStride + kvHead * head;
        if (!layer.valueBias.empty())
            for (std::int64_t i = 0; i < head; ++i)
                value[i] += layer.valueBias[static_cast<std::size_t>(kvHead * head + i)];
        const auto& scratch = m_scratch[static_cast<std::size_t>(team.index)];
        if (m_cache.inBlocks()) return storeBlocks(scratch, panels, token, kvHead, key, value, position);
        if (m_cache.type == model::CacheType::F32) return storeElements(panels, token, kvHead, key, value, position);
        auto* halves = scratch.halves;
        m_kernels.toHalf(halves, key, head);
        m_kernels.toHalf(halves + head, value, head);
        storeElements(panels, token, kvHead, halves, halves + head, position);
    }

    // In the formats Half and Float.
    template <class Element>
    void storeElements(const PanelLayer& panels, std::int64_t token, std::int64_t kvHead, const Element* key,
                       const Element* value, std::int64_t position) const {
        const auto head = m_spec.headDimension;
        auto* keys = reinterpret_cast<Element*>(keysOf(panels, token, kvHead)) +
                     position / kPanelRows * head * kPanelRows + position % kPanelRows;
        for (std::int64_t i = 0; i < head; ++i) keys[i * kPanelRows] = key[i];
        std::copy_n(value, head, reinterpret_cast<Element*>(valuesOf(panels, token, kvHead)) + position * m_headPadded);
    }

    // In the formats Bytes and Blocks (kernels/language_kernels.h).
    void storeBlocks(const Scratch& scratch, const PanelLayer& panels, std::int64_t token, std::int64_t kvHead,
                     const float* key, const float* value, std::int64_t position) const {
        const auto head = m_spec.headDimension, blocks = head / kActivationBlock, row = position % kPanelRows;
        const auto& rows = scratch.quantised;
        m_kernels.quantise(rows, key, head);
        m_kernels.toHalf(scratch.halves, rows.steps, blocks);
        auto* keys = keysOf(panels, token, kvHead) + position / kPanelRows * kPanelRows * m_cache.bytesOf(head);
        for (std::int64_t i = 0; i < blocks; ++i) {
            auto* unit = keys + i * kPanelRows * m_cache.bytesOf(kActivationBlock);
            std::memcpy(unit + 2 * row, scratch.halves + i, 2);
            for (std::int64_t j = 0; j < kActivationBlock; ++j)
                unit[32 + j / 4 * 64 + row * 4 + j % 4] =
                    static_cast<std::byte>(rows.q[i * kActivationBlock + j]) ^ std::byte{0x80};
        }
        m_kernels.quantise(rows, value, head);
        m_kernels.toHalf(scratch.halves, rows.steps, blocks);
        auto* block = valuesOf(panels, token, kvHead) + position * m_cache.bytesOf(head);
        for (std::int64_t i = 0; i < blocks; ++i, block += m_cache.bytesOf(kActivationBlock)) {
            std::memcpy(block, scratch.halves + i, 2);
            std::memcpy(block + 2, rows.q + i * kActivationBlock, kActivationBlock);
        }
    }

    // Prefetches the beginning of what is read next; kernels prefetch the rest.
    static void fetch(const std::byte* data) {
        for (std::int64_t byte = 0; byte < cpu::kBytesAhead; byte += kLine) __builtin_prefetch(data + byte);
    }

    // Attention of the queries of `tokens` tokens that share a KV head, over positions [begin, end); begin is a
    // multiple of 16. Returns, for each of tokens x group rows, the maximum logit, the sum of exponentials and the
    // unnormalised weighted sum of values. Prefetches `next`, if not null, which is read afterwards.
    void attend(const Scratch& scratch, const PanelLayer& panels, const LayerWeights& layer, std::int64_t kvHead,
                std::int64_t token, std::int64_t tokens, std::int64_t begin, std::int64_t end, const std::byte* next,
                float* maxima, float* sums, float* mixed) const {
        const auto head = m_spec.headDimension, rows = tokens * m_group, span = roundedUp(end - begin, kPanelRows);
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto* query =
                m_queries + (token + r / m_group) * m_queryStride + (kvHead * m_group + r % m_group) * head;
            m_kernels.scale(scratch.queries + r * head, query, static_cast<float>(m_weights.attentionScale), head);
        }
        if (m_cache.inBlocks()) m_kernels.quantise(scratch.quantised, scratch.queries, rows * head);
        // Positions that are stored one after the other: all, or two parts if they pass the end of the cache.
        const auto part = std::min(span, panels.positions - begin % panels.positions);
        const auto valuesFrom = [&](std::int64_t position) {
            return valuesOf(panels, token, kvHead) + position % panels.positions * m_cache.bytesOf(m_headPadded);
        };
        cpu::WeightProduct product;
        product.format = m_cache.keys;
        product.panelBytes = kPanelRows * m_cache.bytesOf(head);
        product.panelsAhead = (kKeyBytesAhead + product.panelBytes - 1) / product.panelBytes;
        product.next = valuesFrom(begin);
        if (m_cache.inBlocks()) fetch(product.next);  // for their keys, products ignore `next`
        product.columns = head;
        product.rows = scratch.quantised;
        product.x = scratch.queries;
        product.stride = head;
        product.tokens = rows;
        product.leading = span;
        product.pattern = m_pattern;
        for (std::int64_t first = 0, count = part; first < span; first += count, count = span - first) {
            product.panels = keysFrom(panels, token, kvHead, begin + first);
            product.count = count / kPanelRows;
            product.y = scratch.scores + first;
            m_kernels.product(product);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto here = positionOf(token) + r / m_group;
            const auto seen = layer.window > 0 ? std::max<std::int64_t>(0, here - layer.window + 1) : 0;
            const auto low = std::max(begin, seen) - begin, high = std::min(end, here + 1) - begin;
            auto* scores = scratch.scores + r * span;
            maxima[r] = -std::numeric_limits<float>::infinity();
            sums[r] = 0;
            if (low >= high) {
                std::fill(scores, scores + span, 0.0F);
                continue;
            }
            std::fill(scores, scores + low, 0.0F);
            std::fill(scores + high, scores + span, 0.0F);
            if (m_spec.attentionSoftCap > 0)
                m_kernels.softCap(scores + low, static_cast<float>(m_spec.attentionSoftCap), high - low);
            sums[r] = m_kernels.exponentials(scores + low, &maxima[r], high - low);
        }
        cpu::WeightedSum sum;
        sum.format = m_cache.values;
        sum.elements = m_headPadded;
        sum.next = next;
        sum.stride = span;
        sum.tokens = rows;
        sum.y = mixed;
        sum.leading = m_headPadded;
        sum.pattern = m_pattern;
        for (std::int64_t first = 0, count = part; first < end - begin; first += count, count = span - first) {
            sum.rows = valuesFrom(begin + first);
            sum.count = std::min(count, end - begin - first);
            sum.x = scratch.scores + first;
            sum.accumulates = first > 0;
            m_kernels.weightedSum(sum);
        }
    }

    [[nodiscard]] std::int64_t firstSeen(const LayerWeights& layer, std::int64_t token) const {
        const auto first = layer.window > 0 ? std::max<std::int64_t>(0, positionOf(token) - layer.window + 1) : 0;
        return first / kPanelRows * kPanelRows;
    }

    // Some tokens of a sequence; writes m_mixed of their heads.
    void attendBlock(const Team& team, const PanelLayer& panels, const LayerWeights& layer, std::int64_t kvHead,
                     std::int64_t token, std::int64_t tokens, const std::byte* next = nullptr) const {
        const auto& scratch = m_scratch[static_cast<std::size_t>(team.index)];
        attend(scratch, panels, layer, kvHead, token, tokens, firstSeen(layer, token), positionOf(token) + tokens, next,
               scratch.maxima, scratch.sums, scratch.mixed);
        for (std::int64_t r = 0; r < tokens * m_group; ++r) {
            const auto h = kvHead * m_group + r % m_group;
            float sum = scratch.sums[r];
            if (!layer.sinks.empty()) sum += std::exp(layer.sinks[static_cast<std::size_t>(h)] - scratch.maxima[r]);
            auto* target = m_mixed.x + (token + r / m_group) * m_mixed.stride + h * m_spec.headDimension;
            m_kernels.scale(target, scratch.mixed + r * m_headPadded, 1 / sum, m_spec.headDimension);
        }
    }

    // A single token: each thread processes part of the positions, and the partial results are combined.
    void attendInParts(const Team& team, const PanelLayer& panels, const LayerWeights& layer,
                       std::int64_t token) const {
        const auto start = firstSeen(layer, token), end = positionOf(token) + 1;
        const auto [first, last] = team.share((end - start + kPanelRows - 1) / kPanelRows);
        const auto from = start + first * kPanelRows, to = std::min(end, start + last * kPanelRows);
        const auto& own = m_scratch[static_cast<std::size_t>(team.index)];
        for (std::int64_t kvHead = 0; kvHead < m_spec.kvHeads; ++kvHead) {
            const auto row = kvHead * m_group;
            if (from < to) {
                const auto* next = kvHead + 1 < m_spec.kvHeads ? keysFrom(panels, token, kvHead + 1, from) : nullptr;
                attend(own, panels, layer, kvHead, token, 1, from, to, next, own.maxima + row, own.sums + row,
                       own.mixed + row * m_headPadded);
            } else {
                std::fill(own.maxima + row, own.maxima + row + m_group, -std::numeric_limits<float>::infinity());
            }
        }
        team.wait();
        const auto head = m_spec.headDimension;
        const auto [firstHead, lastHead] = team.share(m_spec.heads);
        for (auto h = firstHead; h < lastHead; ++h) {
            const auto* sink = layer.sinks.empty() ? nullptr : &layer.sinks[static_cast<std::size_t>(h)];
            float highest = sink != nullptr ? *sink : -std::numeric_limits<float>::infinity();
            for (int p = 0; p < team.size; ++p)
                highest = std::max(highest, m_scratch[static_cast<std::size_t>(p)].maxima[h]);
            float sum = sink != nullptr ? std::exp(*sink - highest) : 0;
            auto* target = m_mixed.x + token * m_mixed.stride + h * head;
            std::fill(target, target + head, 0.0F);
            for (int p = 0; p < team.size; ++p) {
                const auto& part = m_scratch[static_cast<std::size_t>(p)];
                if (part.maxima[h] == -std::numeric_limits<float>::infinity()) continue;
                const float factor = std::exp(part.maxima[h] - highest);
                sum += factor * part.sums[h];
                m_kernels.addScaled(target, part.mixed + h * m_headPadded, factor, head);
            }
            m_kernels.scale(target, target, 1 / sum, head);
        }
        team.wait();
        const auto columns = m_spec.heads * head;
        if (columns % kActivationBlock != 0) return;
        const auto [firstBlock, lastBlock] = team.share(columns / kActivationBlock);
        if (firstBlock < lastBlock)
            quantise(m_mixed, columns, token, firstBlock * kActivationBlock, lastBlock * kActivationBlock);
    }

    // down(f(gate(in), up(in))), without the bias of `down`; one expert or the dense layer.
    Summands feedForward(const Team& team, const PanelFeedForward& panels, const FeedForwardWeights& weights,
                         const Activations& in, std::int64_t tokens, float* y, float* sums, std::int64_t which) const {
        const auto inner = panels.gate.rows;
        team.forEach(panels.gate.panels, kPanelsPerBlock, kPanelsPerBlock, tokens, [&](const Range& own) {
            multiply(panels.gate, which, own, in, tokens, m_gate.x, m_gate.stride);
            multiply(panels.up, which, own, in, tokens, m_up, m_innerPadded);
            ended(team, GateAndUp);
            // A thread continues with the columns that it has computed.
            const auto begin = std::min(own.begin * kPanelRows, inner), end = std::min(own.end * kPanelRows, inner);
            for (std::int64_t t = 0; t < tokens && begin < end; ++t) {
                activate(weights, which, t, begin, end);
                if (inner % kActivationBlock == 0) quantise(m_gate, inner, t, begin, end);
            }
            ended(team, Gating);
        });
        return multiplyComputed(team, panels.down, m_gate, tokens, y, sums, Gating, Down, which);
    }
    // To m_expertPart, with the bias.
    void expertOutput(const Team& team, const PanelFeedForward& panels, const FeedForwardWeights& weights,
                      const Activations& in, std::int64_t tokens, std::int64_t which) const {
        feedForward(team, panels, weights, in, tokens, m_expertPart, nullptr, which);
        if (weights.downBias.empty()) return;
        const auto [first, last] = team.share(tokens);
        for (auto t = first; t < last; ++t)
            m_kernels.addScaled(m_expertPart + t * m_widthPadded, weights.downBias.data() + which * m_spec.width, 1,
                                m_spec.width);
    }

    void activate(const FeedForwardWeights& weights, std::int64_t which, std::int64_t token, std::int64_t begin,
                  std::int64_t end) const {
        auto* gate = m_gate.x + token * m_gate.stride + begin;
        auto* up = m_up + token * m_innerPadded + begin;
        const auto inner = weights.gate.rows;
        if (!weights.gateBias.empty())
            m_kernels.addScaled(gate, weights.gateBias.data() + which * inner + begin, 1, end - begin);
        if (!weights.upBias.empty())
            m_kernels.addScaled(up, weights.upBias.data() + which * inner + begin, 1, end - begin);
        switch (m_weights.gate) {
            case GateKind::Silu:
                return m_kernels.gateSilu(gate, up, end - begin);
            case GateKind::GeluTanh:
                return m_kernels.gateGelu(gate, up, end - begin);
            case GateKind::ClampedSilu:
                return m_kernels.gateClamped(gate, up, end - begin);
        }
    }

    // Expert by expert, each for all tokens that selected it.
    Summands experts(const Team& team, const PanelLayer& panels, const LayerWeights& layer) const {
        multiply(team, panels.router, m_normed, m_count, m_votes, m_voteStride);
        team.wait();
        const auto [first, last] = team.share(m_count);
        for (auto t = first; t < last; ++t) std::fill_n(m_part + t * m_widthPadded, m_spec.width, 0.0F);
        if (team.index == 0)
            for (std::int64_t t = 0; t < m_count; ++t) choose(layer, t);
        team.wait();
        const auto active = m_spec.activeExperts;
        for (std::int64_t expert = 0; expert < m_spec.experts; ++expert) {
            // Every thread counts; the first one writes the list.
            std::int64_t tokens = 0;
            for (std::int64_t i = 0; i < m_count * active; ++i) {
                if (m_chosen[i] != expert) continue;
                if (team.index == 0) {
                    m_expertTokens[tokens] = static_cast<std::int32_t>(i / active);
                    m_expertShares[tokens] = m_shares[i];
                }
                ++tokens;
            }
            if (tokens == 0) continue;
            team.wait();
            gather(team, tokens);
            team.wait();
            ended(team, Routing);
            expertOutput(team, panels.feedForward, layer.feedForward, m_gathered, tokens, expert);
            scatter(team, tokens);
            team.wait();
            ended(team, Routing);
        }
        const Summands sums{m_part, 1, 0};
        if (panels.shared.gate.count == 0) return sums;
        if (team.index == 0)
            for (std::int64_t t = 0; t < m_count; ++t) {
                m_expertTokens[t] = static_cast<std::int32_t>(t);
                m_expertShares[t] = sharedShare(layer, t);
            }
        expertOutput(team, panels.shared, layer.shared, m_normed, m_count, 0);
        scatter(team, m_count);
        team.wait();
        ended(team, Routing);
        return sums;
    }

    [[nodiscard]] float sharedShare(const LayerWeights& layer, std::int64_t token) const {
        if (layer.sharedGate.empty()) return 1;
        double sum = 0;
        for (std::int64_t i = 0; i < m_spec.width; ++i)
            sum += static_cast<double>(m_normed.x[token * m_normed.stride + i]) *
                   static_cast<double>(layer.sharedGate[static_cast<std::size_t>(i)]);
        return static_cast<float>(1 / (1 + std::exp(-sum)));
    }

    void choose(const LayerWeights& layer, std::int64_t token) const {
        auto* votes = m_votes + token * m_voteStride;
        const auto experts = m_spec.experts, active = m_spec.activeExperts;
        for (std::int64_t e = 0; e < experts; ++e) {
            if (!layer.routerBias.empty()) votes[e] += layer.routerBias[static_cast<std::size_t>(e)];
            m_order[e] = static_cast<std::int32_t>(e);
        }
        std::partial_sort(m_order, m_order + active, m_order + experts, [&](std::int32_t a, std::int32_t b) {
            return votes[a] != votes[b] ? votes[a] > votes[b] : a < b;
        });
        const float highest = votes[m_order[0]];
        double all = 0, chosen = 0;
        for (std::int64_t e = 0; e < experts; ++e) all += std::exp(static_cast<double>(votes[e] - highest));
        for (std::int64_t i = 0; i < active; ++i) chosen += std::exp(static_cast<double>(votes[m_order[i]] - highest));
        for (std::int64_t i = 0; i < active; ++i) {
            m_chosen[token * active + i] = m_order[i];
            m_shares[token * active + i] =
                static_cast<float>(std::exp(static_cast<double>(votes[m_order[i]] - highest)) /
                                   (m_weights.normalisesExperts ? chosen : all));
        }
    }

    void gather(const Team& team, std::int64_t tokens) const {
        const auto width = m_spec.width;
        const auto [first, last] = team.share(tokens);
        for (auto i = first; i < last; ++i) {
            const auto t = static_cast<std::int64_t>(m_expertTokens[i]);
            const auto &from = m_normed, &to = m_gathered;
            std::copy_n(from.x + t * from.stride, width, to.x + i * to.stride);
            if (m_rounds && to.tiles != nullptr) m_kernels.toTiles(to.tiles, width, i, to.x + i * to.stride, 0, width);
            std::copy_n(from.rows.q + t * width, width, to.rows.q + i * width);
            std::copy_n(from.rows.steps + t * (width / 32), width / 32, to.rows.steps + i * (width / 32));
            std::copy_n(from.rows.sums + t * (width / 32), width / 32, to.rows.sums + i * (width / 32));
            std::copy_n(from.rows.halfSums + t * (width / 16), width / 16, to.rows.halfSums + i * (width / 16));
            std::copy_n(from.rows.compensations + t * (width / 16), width / 16,
                        to.rows.compensations + i * (width / 16));
        }
    }

    void scatter(const Team& team, std::int64_t tokens) const {
        const auto [first, last] = team.share(tokens);
        for (auto i = first; i < last; ++i)
            m_kernels.addScaled(m_part + m_expertTokens[i] * m_widthPadded, m_expertPart + i * m_widthPadded,
                                m_expertShares[i], m_spec.width);
    }

    DecoderWeights m_weights;
    const model::DecoderSpec& m_spec;
    const cpu::LanguageKernels& m_kernels;
    cpu::ReadPattern m_pattern = cpu::preferredReadPattern();
    std::int64_t m_context, m_positions;
    int m_threads;
    CacheLayout m_cache;
    std::int64_t m_sequences;
    std::int64_t m_tokens;  // per chunk
    int m_pieces;           // of the output and down matrices: one per thread, or 1
    cpu::SpinBarrier m_barrier;
    cpu::WorkSharing m_work;

    cpu::Arena m_panels, m_arena;
    std::vector<PanelLayer> m_layers;
    PanelMatrix m_head;
    std::vector<Scratch> m_scratch;  // per thread
    std::int64_t m_group = 1, m_headPadded = 0;
    std::int64_t m_widthPadded = 0, m_innerPadded = 0, m_queryStride = 0, m_keyStride = 0, m_voteStride = 0;
    Activations m_normed, m_mixed, m_gate, m_gathered;
    float *m_x = nullptr, *m_part = nullptr, *m_expertPart = nullptr, *m_up = nullptr;
    // [piece][token][m_widthPadded]; two, so that the next product may begin while other threads read the sums.
    float *m_attentionSums = nullptr, *m_feedForwardSums = nullptr;
    float *m_queries = nullptr, *m_newKeys = nullptr, *m_newValues = nullptr, *m_logits = nullptr;
    float *m_rotation = nullptr, *m_localRotation = nullptr;
    float *m_votes = nullptr, *m_shares = nullptr, *m_expertShares = nullptr;
    std::int32_t *m_chosen = nullptr, *m_order = nullptr, *m_expertTokens = nullptr;

    // The current chunk: m_run tokens from m_first on, for each of some sequences from m_sequence on.
    std::int64_t m_sequence = 0, m_first = 0, m_run = 1, m_count = 0;
    const std::int32_t* m_input = nullptr;
    bool m_last = false;
    bool m_rounds = false, m_quantises = true;  // consumers of the chunk's activations read bfloat16, or 8 bits

    std::size_t m_nextRead = 0;            // matrix
    volatile std::uint64_t m_readSum = 0;  // keeps the compiler from removing reads

    bool m_counts = false;
    mutable std::chrono::steady_clock::time_point m_mark;  // first thread
    mutable std::array<double, kParts.size()> m_seconds{};
};

}  // namespace

Result<DecoderMemory> cpuDecoderMemory(const DecoderWeights& weights, const DecoderOptions& options) {
    return CpuDecoder(weights, options, nullptr).memory();
}

Result<std::unique_ptr<LanguageDecoder>> makeCpuDecoder(DecoderWeights weights, const DecoderOptions& options,
                                                        const cpu::LanguageKernels* kernels) {
    auto decoder = std::make_unique<CpuDecoder>(std::move(weights), options, kernels);
    TRY(decoder->prepare());
    return decoder;
}

}  // namespace steelyard::compute
