// SPDX-License-Identifier: Apache-2.0
// Multiply-adds in registers alone, compiled once per instruction set like the loops of kernels.h. Each of a round's
// chains sums = sums factor + term is independent of the others, and there are enough of them to hide the latency.
#pragma once

#include <cstdint>

namespace steelyard::compute::cpu {

struct PeakKernels {
    // `rounds` rounds; the number of FLOPs they took. `value` is where every chain starts, 1 being what all come to;
    // it comes back as the mean of the chains.
    double (*fp32)(std::int64_t rounds, float* value) = nullptr;
    // Dot products of pairs, each adding two times value squared to its chain, which starts at zero; comes back as the
    // mean of the chains. Null without AVX-512 BF16.
    double (*bf16)(std::int64_t rounds, float* value) = nullptr;
};

// Of the instruction set that kernels() chose.
[[nodiscard]] PeakKernels peakKernels();

namespace baseline {
void fillPeak(PeakKernels& table);
}
namespace avx2 {
void fillPeak(PeakKernels& table);
}
namespace avx512 {
void fillPeak(PeakKernels& table);
}
namespace avx512_bf16 {  // beside avx512
void fillPeak(PeakKernels& table);
}

}  // namespace steelyard::compute::cpu
