// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/packed_gemm.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/compile/scratch_pieces.h"
#include "engine/compute/cpu/gemm/gemm_packing.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/near_first.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPackedColumns = 64;  // columns of B per tile
constexpr std::int64_t kPackedDepth = 512;   // words; such a panel takes 128 KiB
constexpr std::int64_t kPiecesPerThread = 3;

// Rows of A per block; their sums take 24 or 48 KiB per panel. With packed weights few rows are one block, so that the
// weights are read once, if the columns are enough for all threads.
std::int64_t blockRows(const PackedGemm& gemm) {
    const auto& p = gemm.product;
    const auto rows = p.kind == DataKind::f32 ? kernels().f32Gemm.blockRows : kernels().bf16Gemm.blockRows;
    const bool isWide = blocks(p.n, kPackedColumns) >= kPiecesPerThread * gemm.threads;
    return gemm.packed && isWide && p.m < 3 * rows ? std::max(rows, p.m) : rows;
}

// Words along k; in packed operands an odd number of bfloat16 is zero-padded.
std::int64_t words(const Product& p) {
    return p.kind == DataKind::f32 ? p.k : blocks(p.k, 2);
}

// Division of C among threads: by columns, for each of which B is packed again, and also by rows if there are few
// columns.
struct Division {
    std::int64_t columns = 0, rows = 0;  // per piece
    std::int64_t across = 0, down = 1;   // number of pieces

    explicit Division(const PackedGemm& gemm) : columns(gemm.columns) {
        const auto& p = gemm.product;
        const auto threads = gemm.threads;
        const auto wanted = threads == 1 ? 1 : kPiecesPerThread * threads;
        while (columns > kPackedColumns && blocks(p.n, columns) < wanted) columns /= 2;
        across = blocks(p.n, columns);
        const auto most = std::min(blocks(wanted, across), blocks(p.m, blockRows(gemm)));
        rows = blocks(blocks(p.m, blockRows(gemm)), most) * blockRows(gemm);
        down = blocks(p.m, rows);
    }
};

struct Scratch {
    void* a = nullptr;      // transposed A: blocks of rows, words of [depth, rows]
    void* b = nullptr;      // per thread: panels, words of [depth, width]
    float* sums = nullptr;  // per thread, [up to blockRows(gemm), kPackedColumns]
    std::int64_t sumsStride = 0;
    std::int64_t bytes = 0;

    Scratch(const PackedGemm& gemm, std::int64_t columns, void* memory) {
        const auto& p = gemm.product;
        ScratchPieces pieces(memory);
        if (p.transposeA) a = pieces.take<std::uint32_t>(p.m * words(p));
        if (!gemm.packed) b = pieces.take<std::uint32_t>(gemm.threads * columns * words(p));
        sumsStride = std::min(blockRows(gemm), p.m) * kPackedColumns;
        sums = pieces.take<float>(gemm.threads * sumsStride);
        bytes = pieces.bytes();
    }
};

std::int64_t bytesOf(DataKind kind) {
    return static_cast<std::int64_t>(dnnl::memory::data_type_size(kind));
}

// A range of columns of C, with packed B; T is the type of the factors.
template <class T>
struct Piece {
    using Word = ProductWord<T>;

    const Product& p;
    std::int64_t rowsOfBlock = 0;
    const T* a = nullptr;          // as stored
    const Word* aWords = nullptr;  // transposed: packed
    const Word* b = nullptr;
    std::int64_t depth = 0;   // of a panel of B
    bool fullPanels = false;  // of width kPackedColumns, regardless of the number of columns
    std::int64_t columns = 0;
    std::byte* c = nullptr;           // first of the columns
    const Word* following = nullptr;  // packed: the panel to read after the last one, if known

    // Multiplies the panel at `panel` with the block of rows from `first`, over all of k. `isNew`: it was not read yet.
    void multiply(std::int64_t first, std::int64_t panel, bool isNew, float* sums) const {
        constexpr auto kElements = kElementsOfAWord<T>;
        PanelProduct<T> tile;
        tile.m = std::min(rowsOfBlock, p.m - first);
        tile.n = tile.leadingC = std::min(kPackedColumns, columns - panel);
        tile.leadingB = fullPanels ? kPackedColumns : tile.n;
        tile.c = sums;
        for (std::int64_t word = 0; word < words(p); word += kPackedDepth) {
            tile.k = std::min(kPackedDepth * kElements, p.k - word * kElements);
            tile.accumulate = word > 0;
            if (p.transposeA) {
                tile.a = reinterpret_cast<const T*>(aWords + first * words(p) + word * tile.m);
                tile.rowStride = kElements;
                tile.wordStride = kElements * tile.m;
            } else {
                tile.a = a + first * p.k + word * kElements;
                tile.rowStride = p.k;
            }
            tile.b = b + panel * depth + word * tile.leadingB;
            const auto* nextPanel = panel + kPackedColumns < columns ? b + (panel + kPackedColumns) * depth : following;
            if (isNew && fullPanels && nextPanel != nullptr) {
                fetchPanel(tile, nextPanel, word);
            } else {
                fetchNextRows(tile, first, panel, word);
            }
            if (word + kPackedDepth >= words(p)) {
                tile.targetElement = bytesOf(p.result);
                tile.targetStride = p.n * tile.targetElement;
                tile.target = c + first * tile.targetStride + panel * tile.targetElement;
            }
            kernels().products<T>().multiply(tile);
        }
    }

private:
    // Prefetches the same words of another panel. Packed weights come from memory, which the first tile of rows would
    // wait for.
    void fetchPanel(PanelProduct<T>& tile, const Word* panel, std::int64_t word) const {
        tile.ahead = panel + word * kPackedColumns;
        tile.aheadBytes =
            std::min(kPackedDepth, words(p) - word) * kPackedColumns * static_cast<std::int64_t>(sizeof(Word));
    }

    // Prefetches a part of the next block of A, whose rows are contiguous.
    void fetchNextRows(PanelProduct<T>& tile, std::int64_t first, std::int64_t panel, std::int64_t word) const {
        const auto next = first + rowsOfBlock;
        if (next >= p.m) return;
        const auto* rows = p.transposeA ? static_cast<const void*>(aWords + next * words(p)) : a + next * p.k;
        const auto calls = blocks(columns, kPackedColumns) * blocks(words(p), kPackedDepth);
        const auto call = panel / kPackedColumns * blocks(words(p), kPackedDepth) + word / kPackedDepth;
        const auto bytes = std::min(rowsOfBlock, p.m - next) * p.k * static_cast<std::int64_t>(sizeof(T));
        tile.aheadBytes = blocks(bytes, calls);
        tile.ahead = static_cast<const std::byte*>(rows) + call * tile.aheadBytes;
    }
};

template <class T>
void packPanels(const Product& p, const T* b, std::int64_t column, std::int64_t columns, ProductWord<T>* packed) {
    for (std::int64_t panel = 0; panel < columns; panel += kPackedColumns) {
        const auto width = std::min(kPackedColumns, columns - panel);
        auto* target = packed + panel * words(p);
        if (p.transposeB) {
            packColumns(target, b + (column + panel) * p.k, width, p.k, p.k);
        } else {
            packRows(target, b + column + panel, p.k, width, p.n);
        }
    }
}

// Writes the sums of a panel to C, with bias, accumulation and activation.
struct Finish {
    const PackedGemm& gemm;
    const float* bias = nullptr;
    void* c = nullptr;

    void panel(float* sums, std::int64_t row, std::int64_t column, std::int64_t width) const {
        const auto& loops = kernels();
        const auto& p = gemm.product;
        const auto rows = std::min(blockRows(gemm), p.m - row);
        const bool relu =
            gemm.activation == ActivationKind::Relu && bias != nullptr && !gemm.adds;  // fused with the bias
        if (bias != nullptr) loops.f32.addBias(sums, bias + column, relu, rows, width);
        if (gemm.adds) add(sums, row, column, rows, width);
        if (gemm.activation && !relu) loops.activate(*gemm.activation, sums, rows * width);
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto* line = sums + r * width;
            const auto at = (row + r) * p.n + column;
            if (p.result == DataKind::f32) {
                std::copy_n(line, width, static_cast<float*>(c) + at);
            } else {
                loops.rowsBf16.fromF32(static_cast<BFloat16*>(c) + at, line, width);
            }
        }
    }

private:
    void add(float* sums, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t width) const {
        withElementType(gemm.product.result, [&]<class T>(T) {
            const auto* lines = static_cast<const T*>(c) + row * gemm.product.n + column;
            for (std::int64_t r = 0; r < rows; ++r)
                kernels().rows<T>().addTo(sums + r * width, lines + r * gemm.product.n, width);
        });
    }
};

template <class T>
void runAs(const PackedGemm& gemm, const T* a, const void* b, const Finish& finish, void* memory) {
    using Word = ProductWord<T>;
    const auto& p = gemm.product;
    const Division division(gemm);
    const auto rowsOfBlock = blockRows(gemm);
    const Scratch scratch(gemm, division.columns, memory);
    auto* aWords = static_cast<Word*>(scratch.a);
    constexpr std::int64_t kPackedWords = 16;  // panel depths are multiples
    const auto depth = gemm.packed ? blocks(words(p), kPackedWords) * kPackedWords : words(p);
    const auto packedBlocks = p.transposeA ? blocks(p.m, rowsOfBlock) : 0;
    NearFirst pieces(division.across * division.down, gemm.threads);
#pragma omp parallel num_threads(gemm.threads)
    {
#pragma omp for schedule(dynamic)
        for (std::int64_t block = 0; block < packedBlocks; ++block) {
            const auto row = block * rowsOfBlock;
            packRows(aWords + row * words(p), a + row, p.k, std::min(rowsOfBlock, p.m - row), p.m);
        }
        const auto thread = omp_get_thread_num();
        auto* panels = gemm.packed ? nullptr : static_cast<Word*>(scratch.b) + thread * division.columns * words(p);
        auto* sums = scratch.sums + thread * scratch.sumsStride;
        for (auto index = pieces.next(thread); index >= 0; index = pieces.next(thread)) {
            const auto column = index % division.across * division.columns;
            const auto width = std::min(division.columns, p.n - column);
            const auto begin = index / division.across * division.rows;
            const auto end = std::min(p.m, begin + division.rows);
            if (!gemm.packed) packPanels(p, static_cast<const T*>(b), column, width, panels);
            const auto* packedPanels = gemm.packed ? static_cast<const Word*>(b) + column * depth : panels;
            Piece<T> piece{p,           rowsOfBlock,  a,
                           aWords,      packedPanels, depth,
                           gemm.packed, width,        static_cast<std::byte*>(finish.c) + column * bytesOf(p.result)};
            const auto nextColumn = column + division.columns;  // a piece of one block is read once
            if (gemm.packed && end - begin <= rowsOfBlock && nextColumn < p.n)
                piece.following = static_cast<const Word*>(b) + nextColumn * depth;
            for (std::int64_t row = begin; row < end; row += rowsOfBlock) {
                for (std::int64_t panel = 0; panel < width; panel += kPackedColumns) {
                    piece.multiply(row, panel, row == begin, sums);
                    finish.panel(sums, row, column + panel, std::min(kPackedColumns, width - panel));
                }
            }
        }
    }
}

}  // namespace

bool PackedGemm::runsHere() const {
    if (packed && !product.transposeB) return false;
    if (product.kind == DataKind::f32) return kernels().f32Gemm.multiply != nullptr;
    return kernels().bf16Gemm.multiply != nullptr && product.kind == DataKind::bf16 &&
           (product.transposeA || product.k % 2 == 0);  // unpacked A has no zero after a row
}

std::int64_t PackedGemm::scratchBytes() const {
    return Scratch(*this, Division(*this).columns, nullptr).bytes;
}

// Panels of 64 columns, word by word. oneDNN has a format tag for it, since its kernels use the same layout.
Desc PackedGemm::packedDesc() const {
    const bool isF32 = product.kind == DataKind::f32;
    return {Dims{product.n, product.k}, product.kind, isF32 ? Tag::AB16b64a : Tag::AB16b64a2b};
}

void PackedGemm::run(const void* a, const void* b, const float* bias, void* c, void* memory) const {
    const Finish finish{*this, bias, c};
    if (product.kind == DataKind::f32) {
        runAs(*this, static_cast<const float*>(a), b, finish, memory);
    } else {
        runAs(*this, static_cast<const BFloat16*>(a), b, finish, memory);
    }
}

TrialMaker PackedGemm::trial(const dnnl::engine& engine, bool coldB) const {
    return [gemm = *this, engine, coldB]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto& p = gemm.product;
        const auto weights = gemm.packed ? gemm.packedDesc() : plainDesc(Dims{p.k * p.n}, p.kind);
        const auto b = trialMemory(weights, engine), c = memory(p.m * p.n, p.result);
        std::vector<dnnl::memory> cold;
        if (gemm.adds) cold.push_back(c);
        if (coldB) cold.push_back(b);
        return {[gemm, a = memory(p.m * p.k, p.kind), b, c, scratch = memory(gemm.scratchBytes(), DataKind::u8)] {
                    gemm.run(a.get_data_handle(), b.get_data_handle(), nullptr, c.get_data_handle(),
                             scratch.get_data_handle());
                },
                std::move(cold)};
    };
}

PackedGemm fitting(const Compiler& compiler, PackedGemm gemm) {
    while (gemm.columns > kPackedColumns && !compiler.affords(gemm.scratchBytes())) gemm.columns /= 2;
    return gemm;
}

void emitPackedGemm(Compiler& compiler, const PackedGemm& gemm, const Value& a, const Value& b, const Value& bias,
                    const Value& c) {
    const auto scratch = compiler.scratch(gemm.scratchBytes());
    compiler.task("native:packed_gemm", {a, b, bias, c, scratch}, [=](const StepState&) {
        gemm.run(a.as<void>(), b.as<void>(), bias ? bias.as<float>() : nullptr, c.as<void>(), scratch.as<void>());
    });
}

}  // namespace steelyard::compute::cpu
