// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kChains = 24, kLanes = 16;

double multiplyAdds(std::int64_t rounds, float* value) {
    const auto factor = _mm512_cvtne2ps_pbh(_mm512_set1_ps(*value), _mm512_set1_ps(*value));
    __m512 chains[kChains];
    for (auto& chain : chains) chain = _mm512_setzero_ps();
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
        for (auto& chain : chains) chain = _mm512_dpbf16_ps(chain, factor, factor);
    }
    __m512 sum = _mm512_setzero_ps();
    for (const auto& chain : chains) sum = _mm512_add_ps(sum, chain);
    float total = 0;
    for (int i = 0; i < kLanes; ++i) total += sum[i];
    *value = total / (kChains * kLanes);
    return 2.0 * 2 * kChains * kLanes * static_cast<double>(rounds);
}

}  // namespace

void fillBf16Peak(Kernels& table) {
    table.peak.bf16 = multiplyAdds;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
