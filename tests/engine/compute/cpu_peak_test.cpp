// SPDX-License-Identifier: Apache-2.0
// The peak of multiply-adds: the chains perform the operations they count, and availability by precision.
#include "engine/compute/cpu/tuning/cpu_peak.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/compute/arithmetic_peak.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/reference/reference_backend.h"

namespace steelyard::compute {
namespace {

TEST(CpuPeak, CountsWhatTheChainsDo) {
    const auto& table = cpu::kernels().peak;
    // Every round halves the distance from one, in every lane of every chain.
    for (const int rounds : {0, 1, 5}) {
        float value = 3;
        const double operations = table.f32(rounds, &value);
        EXPECT_FLOAT_EQ(value, 1 + 2 * std::ldexp(1.0F, -rounds));
        const double lanes = cpu::kernels().instructionSet == "avx512" ? 16
                             : cpu::kernels().instructionSet == "avx2" ? 8
                                                                       : 4;
        EXPECT_EQ(std::fmod(operations, 2 * lanes), 0);
        EXPECT_GE(operations, 2 * lanes * 8 * rounds);  // enough chains to hide the latency
    }
    EXPECT_EQ(table.bf16 != nullptr, cpu::kernels().bf16Gemm.multiply != nullptr);
    if (table.bf16 == nullptr) return;
    float value = 0.5F;
    const double operations = table.bf16(8, &value);
    EXPECT_EQ(value, 8 * 2 * 0.25F);
    EXPECT_EQ(operations, 2.0 * table.f32(8, &value));  // pairs
}

TEST(CpuPeak, IsSaidForWhatItMeasures) {
    const auto backend = makeCpuBackend();
    auto* peak = arithmeticPeakOf(*backend);
    ASSERT_NE(peak, nullptr);
    EXPECT_GT(peak->multiplyAddPeak(plan::Precision::Fp32, {.threads = 1}).value(), 1e8);
    for (const auto precision : {plan::Precision::Tf32, plan::Precision::Fp16})
        EXPECT_EQ(peak->multiplyAddPeak(precision, {}).error().kind, ErrorKind::Unsupported);
    EXPECT_EQ(arithmeticPeakOf(*makeReferenceBackend()), nullptr);
}

TEST(CpuPeak, ReadsEveryWordOnce) {
    std::vector<std::uint64_t> values(4096);
    std::iota(values.begin(), values.end(), 1);
    for (const auto isa : {cpu::CpuIsa::baseline, cpu::CpuIsa::avx2, cpu::CpuIsa::avx512}) {
        if (!cpu::runsHere(isa)) continue;
        auto table = std::make_unique<cpu::Kernels>(cpu::kernels());
        cpu::fillKernels(isa, *table);
        for (const auto pattern : {cpu::ReadPattern::Sequential, cpu::ReadPattern::MultiStrided}) {
            for (const std::uint64_t count : {0U, 4U, 13U, 64U, 4096U})
                EXPECT_EQ(table->peak.sum(values.data(), static_cast<std::int64_t>(count), pattern),
                          count * (count + 1) / 2);
            // Not aligned to a vector.
            EXPECT_EQ(table->peak.sum(values.data() + 1, 20, pattern), 20U * 23 / 2);
        }
    }
}

}  // namespace
}  // namespace steelyard::compute
