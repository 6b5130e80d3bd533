// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/product.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/core/every_machine.h"

namespace steelyard::compute::reference {
namespace {

constexpr std::int64_t kRows = 8;
constexpr std::int64_t kStrip = 16;  // columns whose sums are computed at once
constexpr std::int64_t kStrips = 4;
constexpr std::int64_t kColumns = kStrip * kStrips;  // columns per packing of rows of a
constexpr double kWorkOfThread = 4e6;                // multiply-accumulates that justify a thread

using Sums = double[kRows][kStrip];

using Vector4 = double __attribute__((vector_size(4 * sizeof(double))));
using Vector8 = double __attribute__((vector_size(8 * sizeof(double))));

// sums[r][j] = sum over k of a[k][r] b[k][j], both packed, for Rows rows and some vectors of columns, whose sums must
// fit in registers.
template <int Rows, typename Vector, int Vectors>
[[gnu::always_inline]] inline void multiplyBlock(const double* a, const double* b, std::int64_t depth, Sums& sums,
                                                 std::int64_t firstRow, std::int64_t firstColumn) {
    constexpr int kLanes = sizeof(Vector) / sizeof(double);
    Vector own[Rows][Vectors] = {};
    for (std::int64_t k = 0; k < depth; ++k)
        for (int v = 0; v < Vectors; ++v) {
            Vector row;
            std::memcpy(&row, b + k * kStrip + firstColumn + v * kLanes, sizeof row);
            for (int r = 0; r < Rows; ++r) own[r][v] += a[k * kRows + firstRow + r] * row;
        }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v)
            for (int j = 0; j < kLanes; ++j) sums[firstRow + r][firstColumn + v * kLanes + j] = own[r][v][j];
}

// 16 registers of 256 bits: eight chains of sums hide the latency of a multiply-add.
STEELYARD_EVERY_MACHINE void multiplyNarrow(const double* a, const double* b, std::int64_t depth, Sums& sums) {
    for (std::int64_t row = 0; row < kRows; row += 4)
        for (std::int64_t column = 0; column < kStrip; column += 8)
            multiplyBlock<4, Vector4, 2>(a, b, depth, sums, row, column);
}

// With 32 registers of 512 bits.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void multiplyWide(const double* a, const double* b, std::int64_t depth, Sums& sums) {
    multiplyBlock<kRows, Vector8, 2>(a, b, depth, sums, 0, 0);
}
#endif

using Multiply = void (*)(const double*, const double*, std::int64_t, Sums&);
Multiply multiplyOfMachine() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) return multiplyWide;
#endif
    return multiplyNarrow;
}

// Packed columns of b and rows of a; incomplete strips and rows are zero-padded.
struct Packed {
    std::vector<double> columns;  // [kStrips][depth][kStrip]
    std::vector<double> rows;     // [depth][kRows]
};

void packColumns(const Product& p, std::int64_t first, std::int64_t width, Packed& packed) {
    packed.columns.resize(static_cast<std::size_t>(p.depth * kColumns));
    if (width < kColumns) std::fill(packed.columns.begin(), packed.columns.end(), 0.0);
    for (std::int64_t k = 0; k < p.depth; ++k)
        for (std::int64_t j = 0; j < width; ++j)
            packed.columns[static_cast<std::size_t>((j / kStrip * p.depth + k) * kStrip + j % kStrip)] =
                static_cast<double>(p.b[k * p.bRow + (first + j) * p.bColumn]);
}

void packRows(const Product& p, std::int64_t first, std::int64_t height, Packed& packed) {
    packed.rows.resize(static_cast<std::size_t>(p.depth * kRows));
    if (height < kRows) std::fill(packed.rows.begin(), packed.rows.end(), 0.0);
    const float* a = p.a + first * p.aRow;
    for (std::int64_t k = 0; k < p.depth; ++k)
        for (std::int64_t r = 0; r < height; ++r)
            packed.rows[static_cast<std::size_t>(k * kRows + r)] = static_cast<double>(a[r * p.aRow + k * p.aColumn]);
}

struct Range {
    std::int64_t first = 0, end = 0;
};

// kColumns columns from `first` on, or the remaining ones, of some rows.
void addColumns(const Product& p, std::int64_t first, const Range& rows, Packed& packed) {
    const auto width = std::min(kColumns, p.columns - first);
    packColumns(p, first, width, packed);
    static const Multiply multiply = multiplyOfMachine();
    Sums sums;
    for (std::int64_t i = rows.first; i < rows.end; i += kRows) {
        const auto height = std::min(kRows, rows.end - i);
        packRows(p, i, height, packed);
        for (std::int64_t strip = 0; strip * kStrip < width; ++strip) {
            multiply(packed.rows.data(), packed.columns.data() + strip * p.depth * kStrip, p.depth, sums);
            for (std::int64_t r = 0; r < height; ++r)
                for (std::int64_t j = 0; j < std::min(kStrip, width - strip * kStrip); ++j) {
                    auto& c = p.c[(i + r) * p.cRow + first + strip * kStrip + j];
                    c = static_cast<float>(static_cast<double>(c) + sums[r][j]);
                }
        }
    }
}

}  // namespace

void addProduct(const Product& p, int threads) {
    if (p.rows <= 0 || p.columns <= 0) return;
    const double total = static_cast<double>(p.rows) * static_cast<double>(p.columns) * static_cast<double>(p.depth);
    const auto workers = std::clamp<std::int64_t>(
        threads, 1, std::max<std::int64_t>(1, static_cast<std::int64_t>(total / kWorkOfThread)));
    // Blocks of columns are distributed over threads; if there are few, also the rows of each.
    const auto blocks = (p.columns + kColumns - 1) / kColumns;
    const auto parts = (workers + blocks - 1) / blocks;
    const auto height = (p.rows + parts * kRows - 1) / (parts * kRows) * kRows;
    std::atomic<std::int64_t> next = 0;
    const auto work = [&] {
        Packed packed;
        for (auto i = next.fetch_add(1); i < blocks * parts; i = next.fetch_add(1)) {
            const auto row = i % parts * height;
            if (row < p.rows) addColumns(p, i / parts * kColumns, {row, std::min(p.rows, row + height)}, packed);
        }
    };
    std::vector<std::jthread> helpers;
    for (std::int64_t i = 1; i < std::min(workers, blocks * parts); ++i) helpers.emplace_back(work);
    work();
}

}  // namespace steelyard::compute::reference
