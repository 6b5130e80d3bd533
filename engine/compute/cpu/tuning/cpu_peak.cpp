// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/cpu_peak.h"

#include <algorithm>
#include <chrono>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/peak.h"
#include "engine/compute/cpu/threads.h"

namespace steelyard::compute::cpu {
namespace {

constexpr double kBudgetSeconds = 0.1;
constexpr int kFewestRuns = 5;
constexpr std::int64_t kRounds = 100'000;  // one to two milliseconds

}  // namespace

PeakKernels peakKernels() {
    PeakKernels table;
    const auto instructionSet = kernels().instructionSet;
    if (instructionSet == "avx512")
        avx512::fillPeak(table);
    else if (instructionSet == "avx2")
        avx2::fillPeak(table);
    else
        baseline::fillPeak(table);
    if (kernels().bf16Gemm.multiply != nullptr) avx512_bf16::fillPeak(table);
    return table;
}

Result<double> multiplyAddPeak(plan::Precision precision, int threads) {
    const auto table = peakKernels();
    const bool narrow = precision == plan::Precision::Bf16;
    const auto kernel = narrow ? table.bf16 : table.fp32;
    if (kernel == nullptr || (narrow && hasAmxTiles())  // which these chains of vectors say nothing about
        || (!narrow && precision != plan::Precision::Fp32))
        return fail(ErrorKind::Unsupported, "the peak of multiply-adds", std::string(toString(precision)));
    const ThreadScope scope(threads);
    using Clock = std::chrono::steady_clock;
    double best = 0, spent = 0;
    for (int run = 0; run < kFewestRuns || spent < kBudgetSeconds; ++run) {
        double operations = 0;
        const auto start = Clock::now();
#pragma omp parallel reduction(+ : operations)
        {
            float value = 1;
            operations += kernel(kRounds, &value);
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        spent += seconds;
        if (run > 0 && seconds > 0) best = std::max(best, operations / seconds);
    }
    return best;
}

}  // namespace steelyard::compute::cpu
