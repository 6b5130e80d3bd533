// SPDX-License-Identifier: Apache-2.0
// Matrix products and convolutions of bytes on tensor cores, as implicit products: rows of windows are gathered while
// they are copied to shared memory. Compiled twice: as C++ for the host twin, as CUDA for the device
// (execution_phases.h).
//
// A block computes a tile of rows and units, a warp 16 kDown rows by 32 units, in steps of 64 bytes of depth. Each
// thread loads the next step into registers while the current one is multiplied from shared memory. Sums do not depend
// on the order of the depth, so within a step a thread takes 16 neighbouring bytes of a row as its words of two
// instructions, in both operands. Likewise the columns of an instruction are assigned to units such that a thread has
// the sums of eight neighbours.
#include <type_traits>

#include "engine/compute/cuda/kernels/eight_bit/byte_values.h"
#include "engine/compute/cuda/kernels/execution/execution_phases.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kWarp = 32, kWords = 4;  // words of a chunk of 16 bytes
constexpr int kChunk = 16, kChunks = static_cast<int>(kByteDepth) / kChunk;
constexpr int kAcross = 4;  // instructions side by side, with 8 units each
constexpr int kWarpUnits = 8 * kAcross;
constexpr int kStoredUnits = 8;  // of a thread, neighbours

struct alignas(16) Chunk {
    std::uint32_t word[kWords];
};

struct UnitSums {
    std::int32_t at[kStoredUnits];
};
// Not inlined, since every tile calls it many times. packs: all units can be stored together.
STEELYARD_CALLED void storeUnits(const ByteResults& results, UnitSums sums, bool packs, int count, std::int64_t unit,
                                 std::int64_t at) {
    if (packs) return storeResults<kStoredUnits>(results, sums.at, unit, at);
    for (int i = 0; i < count; ++i) {
        const std::int32_t one[1] = {sums.at[i]};
        storeResults<1>(results, one, unit + i, at + i);
    }
}

template <int Down, int RowWarps, int UnitWarps>
struct Tile {
    static constexpr int kDown = Down, kUnitWarps = UnitWarps;
    static constexpr int kThreads = kWarp * RowWarps * UnitWarps;
    static constexpr int kRows = 16 * Down * RowWarps, kUnits = kWarpUnits * UnitWarps;
    // Chunks that a thread loads per step.
    static constexpr int kRowLoads = (kRows * kChunks + kThreads - 1) / kThreads;
    static constexpr int kUnitLoads = (kUnits * kChunks + kThreads - 1) / kThreads;
    static constexpr int kResident = kThreads > 128 ? 2 : 3;
};

// A row of windows: the image, and the position of the window in it.
struct Window {
    std::int64_t image;  // in bytes
    std::int32_t row, column;
};

template <typename Tile>
struct ProductState {
    std::int32_t sums[Tile::kDown][kAcross][4];
    Window windows[Tile::kRowLoads];
    Chunk rows[Tile::kRowLoads], units[Tile::kUnitLoads];  // of the next step
    Chunk a[2], b[kAcross];
    // Position in the window of this thread's chunks in the next step.
    std::int32_t kernelRow, kernelColumn, channel;
};
template <typename Tile>
struct ProductShared {
    Chunk rows[2][Tile::kRows][kChunks], units[2][Tile::kUnits][kChunks];
};

// Whole: chunks are within the channels of a pixel and aligned.
template <typename Tile, bool Signed, bool Whole>
struct Product {
    using State = ProductState<Tile>;
    using Shared = ProductShared<Tile>;

    ByteWindows w;
    const std::uint8_t* x;
    const std::int8_t* weights;
    std::int64_t unitsOfGroup, units, depth, pitchOfWeights;
    std::int64_t rowTiles, unitTiles;
    bool packs;  // whether eight units can be stored together
    ByteResults results;

    [[nodiscard]] std::int64_t blocks() const { return rowTiles * unitTiles * w.groups; }

    struct Place {
        std::int64_t firstRow, firstUnit, group;  // the unit in its group
    };
    STEELYARD_HD_MEMBER Place placeOf(std::int64_t block) const {
        const auto [rest, unitTile] = split(block, unitTiles);
        const auto [group, rowTile] = split(rest, rowTiles);
        return {rowTile * Tile::kRows, unitTile * Tile::kUnits, group};
    }

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const Place p = placeOf(block);
        const auto steps = static_cast<int>(pitchOfWeights / kByteDepth);
        phases.run([&](int thread, State& mine, Shared& all) {
            begin(p, thread, mine);
            load(p, 0, thread, mine);
            keep(0, thread, mine, all);
        });
        for (int step = 0; step < steps; ++step) {
            const bool more = step + 1 < steps;
            phases.runFreely([&](int thread, State& mine, Shared& all) {
                if (more) load(p, step + 1, thread, mine);
                const auto lane = laneOf(thread);
                STEELYARD_UNROLL
                for (int n = 0; n < kAcross; ++n)
                    mine.b[n] = all.units[step % 2][lane.units + kStoredUnits * (lane.group / 2) + 2 * n +
                                                    lane.group % 2][lane.quarter];
            });
            STEELYARD_UNROLL
            for (int m = 0; m < Tile::kDown; ++m) {
                phases.runFreely([&](int thread, State& mine, Shared& all) {
                    const auto lane = laneOf(thread);
                    STEELYARD_UNROLL
                    for (int half = 0; half < 2; ++half)
                        mine.a[half] = all.rows[step % 2][lane.rows + 16 * m + 8 * half + lane.group][lane.quarter];
                });
                STEELYARD_UNROLL
                for (int n = 0; n < kAcross; ++n) STEELYARD_UNROLL
                for (int k = 0; k < kWords; k += 2)
                    phases.template multiplyBytes<Signed>([&](State& mine) {
                        return ByteFragments{
                            mine.sums[m][n],
                            {mine.a[0].word[k], mine.a[1].word[k], mine.a[0].word[k + 1], mine.a[1].word[k + 1]},
                            {mine.b[n].word[k], mine.b[n].word[k + 1]}};
                    });
            }
            // The other half of the shared memory: its last readers were before the previous barrier.
            phases.run([&](int thread, State& mine, Shared& all) {
                if (more) keep((step + 1) % 2, thread, mine, all);
            });
        }
        phases.runFreely([&](int thread, State& mine, Shared&) { finish(p, thread, mine); });
    }

private:
    struct Lane {
        int rows, units;     // first ones of the warp in the tile
        int group, quarter;  // lane / 4 and lane % 4
    };
    STEELYARD_HD_MEMBER static Lane laneOf(int thread) {
        const int warp = thread / kWarp, lane = thread % kWarp;
        return {warp / Tile::kUnitWarps * 16 * Tile::kDown, warp % Tile::kUnitWarps * kWarpUnits, lane / 4, lane % 4};
    }

    STEELYARD_HD_MEMBER void begin(const Place& p, int thread, State& mine) const {
        STEELYARD_UNROLL
        for (int m = 0; m < Tile::kDown; ++m)
            for (int n = 0; n < kAcross; ++n)
                for (int i = 0; i < 4; ++i) mine.sums[m][n][i] = 0;
        STEELYARD_UNROLL
        for (int i = 0; i < Tile::kRowLoads; ++i) {
            const std::int64_t inTile = (thread + i * Tile::kThreads) / kChunks, row = p.firstRow + inTile;
            auto& window = mine.windows[i];
            window = {-1, 0, 0};
            if (inTile >= Tile::kRows || row >= w.rows()) continue;
            const auto [line, column] = split(row, w.outWidth);
            const auto [image, outRow] = split(line, w.outHeight);
            window.image = image * w.height * w.width * w.pitch + p.group * w.channels;
            window.row = static_cast<std::int32_t>(outRow * w.strideHeight - w.top);
            window.column = static_cast<std::int32_t>(column * w.strideWidth - w.left);
        }
        mine.kernelRow = 0;
        mine.kernelColumn = 0;
        mine.channel = thread % kChunks * kChunk;
        moveOn(mine, 0);
    }

    // Advances the position in the window by `count` bytes.
    STEELYARD_HD_MEMBER void moveOn(State& mine, int count) const {
        if constexpr (!Whole) return;
        mine.channel += count;
        while (mine.channel >= w.channels) {
            mine.channel -= static_cast<std::int32_t>(w.channels);
            if (++mine.kernelColumn < w.kernelWidth) continue;
            mine.kernelColumn = 0;
            ++mine.kernelRow;
        }
    }

    // The pixel of a window; null outside the image.
    STEELYARD_HD_MEMBER const std::uint8_t* pixelOf(const Window& window, std::int32_t kernelRow,
                                                    std::int32_t kernelColumn) const {
        const std::int64_t row = window.row + kernelRow, column = window.column + kernelColumn;
        if (window.image < 0 || row < 0 || row >= w.height || column < 0 || column >= w.width) return nullptr;
        return x + window.image + (row * w.width + column) * w.pitch;
    }

    STEELYARD_HD_MEMBER void load(const Place& p, int step, int thread, State& mine) const {
        STEELYARD_UNROLL
        for (int i = 0; i < Tile::kRowLoads; ++i) {
            const int first = step * static_cast<int>(kByteDepth) + thread % kChunks * kChunk;
            mine.rows[i] = Whole ? wholeChunk(mine, mine.windows[i]) : chunkOfParts(mine.windows[i], first);
        }
        moveOn(mine, static_cast<int>(kByteDepth));
        STEELYARD_UNROLL
        for (int i = 0; i < Tile::kUnitLoads; ++i) {
            const int inTile = (thread + i * Tile::kThreads) / kChunks;
            const std::int64_t unit = p.firstUnit + inTile;
            mine.units[i] = {};
            if (inTile < Tile::kUnits && unit < unitsOfGroup)
                mine.units[i] =
                    *reinterpret_cast<const Chunk*>(weights + (p.group * unitsOfGroup + unit) * pitchOfWeights +
                                                    step * kByteDepth + thread % kChunks * kChunk);
        }
    }

    STEELYARD_HD_MEMBER Chunk wholeChunk(const State& mine, const Window& window) const {
        const auto* pixel =
            mine.kernelRow < w.kernelHeight ? pixelOf(window, mine.kernelRow, mine.kernelColumn) : nullptr;
        return pixel == nullptr ? Chunk{} : *reinterpret_cast<const Chunk*>(pixel + mine.channel);
    }

    // Words if pixels consist of whole words, otherwise bytes.
    STEELYARD_HD_MEMBER Chunk chunkOfParts(const Window& window, int first) const {
        Chunk chunk{};
        const bool words = w.channels % kWords == 0 && w.pitch % kWords == 0;
        for (int at = 0; at < kChunk; at += words ? kWords : 1) {
            if (first + at >= depth) break;
            const auto [position, channel] = split(first + at, w.channels);
            const auto [row, column] = split(position, w.kernelWidth);
            const auto* pixel = pixelOf(window, static_cast<std::int32_t>(row), static_cast<std::int32_t>(column));
            if (pixel == nullptr) continue;
            if (words)
                chunk.word[at / kWords] = *reinterpret_cast<const std::uint32_t*>(pixel + channel);
            else
                chunk.word[at / kWords] |= static_cast<std::uint32_t>(pixel[channel]) << (8 * (at % kWords));
        }
        return chunk;
    }

    STEELYARD_HD_MEMBER static void keep(int half, int thread, const State& mine, Shared& all) {
        STEELYARD_UNROLL
        for (int i = 0; i < Tile::kRowLoads; ++i) {
            const int row = (thread + i * Tile::kThreads) / kChunks;
            if (row < Tile::kRows) all.rows[half][row][thread % kChunks] = mine.rows[i];
        }
        STEELYARD_UNROLL
        for (int i = 0; i < Tile::kUnitLoads; ++i) {
            const int unit = (thread + i * Tile::kThreads) / kChunks;
            if (unit < Tile::kUnits) all.units[half][unit][thread % kChunks] = mine.units[i];
        }
    }

    STEELYARD_HD_MEMBER void finish(const Place& p, int thread, const State& mine) const {
        const auto lane = laneOf(thread);
        const std::int64_t unit = p.firstUnit + lane.units + kStoredUnits * lane.quarter;
        const auto count = unitsOfGroup - unit < kStoredUnits ? static_cast<int>(unitsOfGroup - unit) : kStoredUnits;
        const std::int64_t whole = p.group * unitsOfGroup + unit;
        STEELYARD_UNROLL
        for (int m = 0; m < Tile::kDown; ++m) STEELYARD_UNROLL
        for (int half = 0; half < 2; ++half) {
            const std::int64_t row = p.firstRow + lane.rows + 16 * m + 8 * half + lane.group;
            if (row >= w.rows() || count <= 0) continue;
            UnitSums sums;
            STEELYARD_UNROLL
            for (int i = 0; i < kStoredUnits; ++i) sums.at[i] = mine.sums[m][i / 2][2 * half + i % 2];
            storeUnits(results, sums, packs, count, whole, row * units + whole);
        }
    }
};

template <typename Tile, bool Signed, bool Whole>
Status product(Stream stream, const ByteWindows& w, const void* x, const std::int8_t* weights, std::int64_t units,
               const ByteResults& results) {
    const std::int64_t unitsOfGroup = units / w.groups;
    const Product<Tile, Signed, Whole> work{
        w,
        static_cast<const std::uint8_t*>(x),
        weights,
        unitsOfGroup,
        units,
        w.depth(),
        weightPitch(w.depth()),
        ceilDivided(w.rows(), Tile::kRows),
        ceilDivided(unitsOfGroup, Tile::kUnits),
        resultsFit<kStoredUnits>(results, units) && unitsOfGroup % kStoredUnits == 0,
        results};
    return phased<Tile::kThreads, ProductState<Tile>, ProductShared<Tile>, Tile::kResident>(stream, work.blocks(),
                                                                                            work);
}

using LargeTile = Tile<4, 2, 4>;
using SmallTile = Tile<2, 2, 2>;
using FewRowsTile = Tile<1, 1, 4>;

template <typename Tile>
Status productOf(Stream stream, const ByteWindows& w, StoredAs source, const void* x, const std::int8_t* weights,
                 std::int64_t units, const ByteResults& results) {
    const bool whole = w.channels % kChunk == 0 && w.pitch % kChunk == 0 && areAligned(x);
    const bool isSigned = source == StoredAs::Signed;
    if (whole && isSigned) return product<Tile, true, true>(stream, w, x, weights, units, results);
    if (whole) return product<Tile, false, true>(stream, w, x, weights, units, results);
    using Parts = std::conditional_t<(Tile::kRows > SmallTile::kRows), SmallTile, Tile>;
    if (isSigned) return product<Parts, true, false>(stream, w, x, weights, units, results);
    return product<Parts, false, false>(stream, w, x, weights, units, results);
}

}  // namespace

Status byteProduct(Stream stream, ByteTile tile, const ByteWindows& w, StoredAs source, const void* x,
                   const std::int8_t* weights, std::int64_t units, const ByteResults& results) {
    if (!areValid(w) || source == StoredAs::Float || units < 0 || units % w.groups != 0 || !areAligned(x, weights))
        return kInvalidValue;
    switch (tile) {
        case ByteTile::Large:
            return productOf<LargeTile>(stream, w, source, x, weights, units, results);
        case ByteTile::Small:
            return productOf<SmallTile>(stream, w, source, x, weights, units, results);
        case ByteTile::FewRows:
            return productOf<FewRowsTile>(stream, w, source, x, weights, units, results);
    }
    return kInvalidValue;
}

}  // namespace steelyard::compute::cuda::kernels
