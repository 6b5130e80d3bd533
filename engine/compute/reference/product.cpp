// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/product.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

// The inner loop is compiled for several instruction sets and the right one is picked when the program is loaded.
// Sanitizers do not get along with that.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STEELYARD_EVERY_MACHINE __attribute__((target_clones("avx512f", "fma", "default"), optimize("O3")))
#else
#define STEELYARD_EVERY_MACHINE
#endif

namespace steelyard::compute::reference {
namespace {

constexpr std::int64_t kRows = 4;
constexpr std::int64_t kColumns = 64;
constexpr double kWorkOfThread = 4e6;  // multiply-accumulates that are worth starting a thread for

using Sums = double[kRows][kColumns];

// sums[r][j] = sum over k of a[r][k] panel[k][j], for four rows of a and up to 64 columns of b, which stand side by
// side. The sums stay in the first-level cache.
STEELYARD_EVERY_MACHINE void multiply(const float* const (&a)[kRows], const Product& p, const float* panel,
                                      std::int64_t width, Sums& sums) {
    for (auto& row : sums)
        for (auto& sum : row) sum = 0;
    for (std::int64_t k = 0; k < p.depth; ++k) {
        const float* row = panel + k * width;
        for (std::int64_t r = 0; r < kRows; ++r) {
            const double factor = a[r][k * p.aColumn];
            for (std::int64_t j = 0; j < width; ++j) sums[r][j] += factor * static_cast<double>(row[j]);
        }
    }
}

// The columns from `first` on, 64 or what is left of them.
void addColumns(const Product& p, std::int64_t first) {
    const auto width = std::min(kColumns, p.columns - first);
    std::vector<float> panel(static_cast<std::size_t>(p.depth * width));
    for (std::int64_t k = 0; k < p.depth; ++k)
        for (std::int64_t j = 0; j < width; ++j)
            panel[static_cast<std::size_t>(k * width + j)] = p.b[k * p.bRow + (first + j) * p.bColumn];
    Sums sums;
    for (std::int64_t i = 0; i < p.rows; i += kRows) {
        const auto height = std::min(kRows, p.rows - i);
        const float* a[kRows];
        for (std::int64_t r = 0; r < kRows; ++r) a[r] = p.a + (i + std::min(r, height - 1)) * p.aRow;
        multiply(a, p, panel.data(), width, sums);
        for (std::int64_t r = 0; r < height; ++r)
            for (std::int64_t j = 0; j < width; ++j) {
                auto& c = p.c[(i + r) * p.cRow + first + j];
                c = static_cast<float>(static_cast<double>(c) + sums[r][j]);
            }
    }
}

}  // namespace

void addProduct(const Product& p, int threads) {
    std::atomic<std::int64_t> next = 0;
    const auto work = [&] {
        for (auto first = next.fetch_add(kColumns); first < p.columns; first = next.fetch_add(kColumns))
            addColumns(p, first);
    };
    const double total = static_cast<double>(p.rows) * static_cast<double>(p.columns) * static_cast<double>(p.depth);
    const auto useful =
        std::min((p.columns + kColumns - 1) / kColumns, static_cast<std::int64_t>(total / kWorkOfThread));
    std::vector<std::jthread> helpers;
    for (std::int64_t i = 1; i < std::min<std::int64_t>(threads, useful); ++i) helpers.emplace_back(work);
    work();
}

}  // namespace steelyard::compute::reference
