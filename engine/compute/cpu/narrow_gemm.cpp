// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/narrow_gemm.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/scratch_pieces.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPanel = 64;    // columns of B that a tile multiplies
constexpr std::int64_t kDepth = 1024;  // a panel of that depth takes 128 KiB

// Of A at once; their sums take 24 or 48 KiB for a panel.
std::int64_t blockRows() {
    return kernels().narrowProducts.blockRows;
}

std::int64_t blocks(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

// Along k, in twos; of an odd k the last is filled up with a zero where operands are packed.
std::int64_t pairs(const Product& p) {
    return blocks(p.k, 2);
}

// How C is divided among threads: pieces of its columns, for each of which B is packed anew, and of its rows too where
// the columns are too few.
struct Division {
    std::int64_t columns = 0, rows = 0;  // of a piece
    std::int64_t across = 0, down = 1;   // pieces

    explicit Division(const NarrowGemm& gemm) : columns(gemm.columns) {
        constexpr std::int64_t kPiecesPerThread = 3;
        const auto& p = gemm.product;
        const auto threads = gemm.threads;
        const auto wanted = threads == 1 ? 1 : kPiecesPerThread * threads;
        while (columns > kPanel && blocks(p.n, columns) < wanted) columns /= 2;
        across = blocks(p.n, columns);
        const auto most = std::min(blocks(wanted, across), blocks(p.m, blockRows()));
        rows = blocks(blocks(p.m, blockRows()), most) * blockRows();
        down = blocks(p.m, rows);
    }
};

struct Scratch {
    std::uint32_t* a = nullptr;  // of a transposed A: block of rows after block, each [k / 2, rows]
    std::uint32_t* b = nullptr;  // of each thread: panel after panel, each [k / 2, width]
    float* sums = nullptr;       // of each thread, [blockRows(), kPanel]
    std::int64_t bytes = 0;

    Scratch(const NarrowGemm& gemm, std::int64_t columns, void* memory) {
        const auto& p = gemm.product;
        ScratchPieces pieces(memory);
        if (p.transposeA) a = pieces.take<std::uint32_t>(p.m * pairs(p));
        if (!gemm.packed) b = pieces.take<std::uint32_t>(gemm.threads * columns * pairs(p));
        sums = pieces.take<float>(gemm.threads * blockRows() * kPanel);
        bytes = pieces.bytes();
    }
};

std::int64_t bytesOf(DataKind kind) {
    return static_cast<std::int64_t>(dnnl::memory::data_type_size(kind));
}

// Some columns of C, with B packed for them.
struct Piece {
    const Product& p;
    const BFloat16* a = nullptr;            // as it lies
    const std::uint32_t* aPairs = nullptr;  // transposed: packed
    const std::uint32_t* b = nullptr;
    std::int64_t depthPairs = 0;  // of a panel of B
    bool fullPanels = false;      // whose width is kPanel, however many columns there are
    std::int64_t columns = 0;
    std::byte* c = nullptr;  // the first of the columns

    // The panel at `panel` of the block of rows that begins at `first`, through all of k.
    void multiply(std::int64_t first, std::int64_t panel, float* sums) const {
        NarrowProduct tile;
        tile.m = std::min(blockRows(), p.m - first);
        tile.n = tile.leadingC = std::min(kPanel, columns - panel);
        tile.leadingB = fullPanels ? kPanel : tile.n;
        tile.c = sums;
        for (std::int64_t depth = 0; depth < p.k; depth += kDepth) {
            tile.k = std::min(kDepth, p.k - depth);
            tile.accumulate = depth > 0;
            if (p.transposeA) {
                tile.a = reinterpret_cast<const BFloat16*>(aPairs + first * pairs(p) + depth / 2 * tile.m);
                tile.rowStride = 2;
                tile.pairStride = 2 * tile.m;
            } else {
                tile.a = a + first * p.k + depth;
                tile.rowStride = p.k;
            }
            tile.b = b + panel * depthPairs + depth / 2 * tile.leadingB;
            fetchNextRows(tile, first, panel, depth);
            if (depth + kDepth >= p.k) {
                tile.targetElement = bytesOf(p.result);
                tile.targetStride = p.n * tile.targetElement;
                tile.target = c + first * tile.targetStride + panel * tile.targetElement;
            }
            kernels().narrowProducts.multiply(tile);
        }
    }

private:
    // Meanwhile, a share of the next block of A, whose rows lie one after the other.
    void fetchNextRows(NarrowProduct& tile, std::int64_t first, std::int64_t panel, std::int64_t depth) const {
        const auto next = first + blockRows();
        if (next >= p.m) return;
        const auto* rows = p.transposeA ? static_cast<const void*>(aPairs + next * pairs(p)) : a + next * p.k;
        const auto calls = blocks(columns, kPanel) * blocks(p.k, kDepth);
        const auto call = panel / kPanel * blocks(p.k, kDepth) + depth / kDepth;
        tile.aheadBytes = blocks(std::min(blockRows(), p.m - next) * p.k * 2, calls);
        tile.ahead = static_cast<const std::byte*>(rows) + call * tile.aheadBytes;
    }
};

void packColumns(const Product& p, const BFloat16* b, std::int64_t column, std::int64_t columns, std::uint32_t* words) {
    const auto& products = kernels().narrowProducts;
    for (std::int64_t panel = 0; panel < columns; panel += kPanel) {
        const auto width = std::min(kPanel, columns - panel);
        auto* target = words + panel * pairs(p);
        if (p.transposeB) {
            products.pairColumns(target, b + (column + panel) * p.k, width, p.k, p.k);
        } else {
            products.pairRows(target, b + column + panel, p.k, width, p.n);
        }
    }
}

// The sums of a panel of a block's rows, with what comes after them, to where they belong.
struct Finish {
    const NarrowGemm& gemm;
    const float* bias = nullptr;
    void* c = nullptr;

    void panel(float* sums, std::int64_t row, std::int64_t column, std::int64_t width) const {
        const auto& loops = kernels();
        const auto& p = gemm.product;
        const auto rows = std::min(blockRows(), p.m - row);
        const bool relu = gemm.activation == Activation::Relu;
        if (bias != nullptr) loops.f32.addBias(sums, bias + column, relu, rows, width);
        if (gemm.activation && (bias == nullptr || !relu)) loops.activate(*gemm.activation, sums, rows * width);
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto* line = sums + r * width;
            const auto at = (row + r) * p.n + column;
            if (p.result == DataKind::f32) {
                std::copy_n(line, width, static_cast<float*>(c) + at);
            } else {
                loops.rowsBf16.narrow(static_cast<BFloat16*>(c) + at, line, width);
            }
        }
    }
};

}  // namespace

bool NarrowGemm::runsHere() const {
    return kernels().narrowProducts.multiply != nullptr && product.kind == DataKind::bf16 &&
           (!packed || product.transposeB) &&
           (product.transposeA || product.k % 2 == 0);  // as it lies, A has no zero behind a row
}

std::int64_t NarrowGemm::scratchBytes() const {
    return Scratch(*this, Division(*this).columns, nullptr).bytes;
}

// Panels of 64 columns, pair after pair; the library's own kernels read such weights too, hence it has a name.
Desc NarrowGemm::packedDesc() const {
    return {Dims{product.n, product.k}, DataKind::bf16, Tag::AB16b64a2b};
}

void NarrowGemm::run(const void* a, const void* b, const float* bias, void* c, void* memory) const {
    const auto& p = product;
    const Division division(*this);
    const Scratch scratch(*this, division.columns, memory);
    const auto* narrowA = static_cast<const BFloat16*>(a);
    const Finish finish{*this, bias, c};
    constexpr std::int64_t kPackedPairs = 16;  // a panel's depth is a multiple
    const auto depthPairs = packed ? blocks(pairs(p), kPackedPairs) * kPackedPairs : pairs(p);
    const auto packedBlocks = p.transposeA ? blocks(p.m, blockRows()) : 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic)
        for (std::int64_t block = 0; block < packedBlocks; ++block) {
            const auto row = block * blockRows();
            kernels().narrowProducts.pairRows(scratch.a + row * pairs(p), narrowA + row, p.k,
                                              std::min(blockRows(), p.m - row), p.m);
        }
        auto* panels = packed ? nullptr : scratch.b + omp_get_thread_num() * division.columns * pairs(p);
        auto* sums = scratch.sums + omp_get_thread_num() * blockRows() * kPanel;
#pragma omp for schedule(dynamic)
        for (std::int64_t index = 0; index < division.across * division.down; ++index) {
            const auto column = index % division.across * division.columns;
            const auto width = std::min(division.columns, p.n - column);
            const auto begin = index / division.across * division.rows;
            const auto end = std::min(p.m, begin + division.rows);
            if (!packed) packColumns(p, static_cast<const BFloat16*>(b), column, width, panels);
            const auto* packedPanels = packed ? static_cast<const std::uint32_t*>(b) + column * depthPairs : panels;
            const Piece piece{p,          narrowA, scratch.a, packedPanels,
                              depthPairs, packed,  width,     static_cast<std::byte*>(c) + column * bytesOf(p.result)};
            for (std::int64_t row = begin; row < end; row += blockRows()) {
                for (std::int64_t panel = 0; panel < width; panel += kPanel) {
                    piece.multiply(row, panel, sums);
                    finish.panel(sums, row, column + panel, std::min(kPanel, width - panel));
                }
            }
        }
    }
}

TrialMaker NarrowGemm::trial(const dnnl::engine& engine) const {
    return [gemm = *this, engine]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto& p = gemm.product;
        const auto weights = gemm.packed ? gemm.packedDesc() : plainDesc(Dims{p.k * p.n}, p.kind);
        return [gemm, a = memory(p.m * p.k, p.kind), b = trialMemory(weights, engine), c = memory(p.m * p.n, p.result),
                scratch = memory(gemm.scratchBytes(), DataKind::u8)] {
            gemm.run(a.get_data_handle(), b.get_data_handle(), nullptr, c.get_data_handle(), scratch.get_data_handle());
        };
    };
}

NarrowGemm fitting(const Compiler& compiler, NarrowGemm gemm) {
    while (gemm.columns > kPanel && !compiler.affords(gemm.scratchBytes())) gemm.columns /= 2;
    return gemm;
}

void emitNarrowGemm(Compiler& compiler, const NarrowGemm& gemm, const Value& a, const Value& b, const Value& bias,
                    const Value& c) {
    const auto scratch = compiler.scratch(gemm.scratchBytes());
    compiler.task("own:gemm", {a, b, bias, c, scratch}, [=](const StepState&) {
        gemm.run(a.as<void>(), b.as<void>(), bias ? bias.as<float>() : nullptr, c.as<void>(), scratch.as<void>());
    });
}

}  // namespace steelyard::compute::cpu
