// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/cpu_peak.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

constexpr double kBudgetSeconds = 0.1;
constexpr int kFewestRuns = 5;
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

}  // namespace steelyard::compute::cpu
