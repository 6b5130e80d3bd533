// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/cpu_peak.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

constexpr double kBudgetSeconds = 0.1;
constexpr int kFewestRuns = 5;
// Words, as far as the products with weights: without it, reading takes a third longer than such a product.
constexpr std::size_t kFetchedAhead = 4096 / sizeof(std::uint64_t);
constexpr std::int64_t kPeakRounds = 100'000;  // one to two milliseconds

}  // namespace

Result<double> multiplyAddPeak(plan::Precision precision, int threads) {
    const bool isBf16 = precision == plan::Precision::Bf16;
    const auto kernel = isBf16 ? kernels().peak.bf16 : kernels().peak.f32;
    // With AMX, bfloat16 products run in tiles, which these vector chains do not measure.
    if (kernel == nullptr || (isBf16 && hasAmxTiles()) || (!isBf16 && precision != plan::Precision::Fp32))
        return fail(ErrorKind::Unsupported, {}, messages::noPeakKernel(toString(precision)));
    const ThreadScope scope(threads);
    using Clock = std::chrono::steady_clock;
    double best = 0, spent = 0;
    for (int run = 0; run < kFewestRuns || spent < kBudgetSeconds; ++run) {
        double operations = 0;
        const auto start = Clock::now();
#pragma omp parallel reduction(+ : operations)
        {
            float value = 1;
            operations += kernel(kPeakRounds, &value);
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        spent += seconds;
        if (run > 0 && seconds > 0) best = std::max(best, operations / seconds);
    }
    return best;
}

std::uint64_t sumOf(const std::uint64_t* values, std::size_t count) {
    constexpr std::size_t kLine = 8;
    std::uint64_t sums[kLine]{};
    std::size_t i = 0;
    for (; i + kLine <= count; i += kLine) {
        __builtin_prefetch(values + i + kFetchedAhead);
        for (std::size_t j = 0; j < kLine; ++j) sums[j] += values[i + j];
    }
    for (; i < count; ++i) sums[0] += values[i];
    return std::accumulate(std::begin(sums), std::end(sums), std::uint64_t{0});
}

}  // namespace steelyard::compute::cpu
