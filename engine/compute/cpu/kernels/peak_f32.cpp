// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// As many chains as registers, minus those of factor and term.
#if defined(__AVX512F__)
constexpr int kBytes = 64, kChains = 24;
#elif defined(__AVX__)
constexpr int kBytes = 32, kChains = 12;
#else
constexpr int kBytes = 16, kChains = 12;
#endif
constexpr int kLanes = kBytes / static_cast<int>(sizeof(float));

using Vector = float __attribute__((vector_size(kBytes)));

double multiplyAdds(std::int64_t rounds, float* value) {
    constexpr float kFactor = 0.5F, kTerm = 0.5F;  // 1 is the fixed point, which all other values approach
    const Vector factor = Vector{} + kFactor, term = Vector{} + kTerm;
    Vector chains[kChains];
    for (auto& chain : chains) chain = Vector{} + *value;
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
        for (auto& chain : chains) chain = chain * factor + term;
    }
    Vector sum{};
    for (const auto& chain : chains) sum += chain;
    float total = 0;
    for (int i = 0; i < kLanes; ++i) total += sum[i];
    *value = total / (kChains * kLanes);
    return 2.0 * kChains * kLanes * static_cast<double>(rounds);
}

// In the order of the products of language models, and prefetched as theirs: otherwise reading takes longer than such
// a product. With one sequence it does in narrower vectors, too; with several it does in wider ones than 32 bytes.
constexpr std::int64_t kWord = sizeof(std::uint64_t), kLine = 64 / kWord;
using Words = std::uint64_t __attribute__((vector_size(kBytes)));
using StrideWords = std::uint64_t __attribute__((vector_size(kBytes < 32 ? kBytes : 32)));

// Adds a line to `Chains` of sums.
template <class Vectors, int Chains>
[[gnu::always_inline]] inline void addLine(Vectors (&sums)[Chains], const std::uint64_t* values) {
    constexpr auto kVectorWords = static_cast<std::int64_t>(sizeof(Vectors)) / kWord;
    for (std::int64_t j = 0; j < kLine / kVectorWords; ++j) {
        Vectors words;
        std::memcpy(&words, values + j * kVectorWords, sizeof words);
        sums[j % Chains] += words;
    }
}
template <class Vectors, int Chains>
std::uint64_t total(const Vectors (&sums)[Chains]) {
    std::uint64_t total = 0;
    for (const auto& part : sums)
        for (std::size_t lane = 0; lane < sizeof(Vectors) / sizeof(std::uint64_t); ++lane) total += part[lane];
    return total;
}

std::uint64_t sumSequentially(const std::uint64_t* values, std::int64_t count) {
    Words sums[64 / kBytes]{};
    std::int64_t i = 0;
    for (; i + kLine <= count; i += kLine) {
        __builtin_prefetch(values + i + kBytesAhead / kWord, 0, 0);
        addLine(sums, values + i);
    }
    auto sum = total(sums);
    for (; i < count; ++i) sum += values[i];
    return sum;
}
std::uint64_t sumStrides(const std::uint64_t* values, std::int64_t count) {
    const auto each = count / (kStrides * kLine) * kLine;
    StrideWords sums[kStrides][1]{};
    for (std::int64_t i = 0; i < each; i += kLine)
#pragma GCC unroll kStrides
        for (int part = 0; part < kStrides; ++part) {
            __builtin_prefetch(values + part * each + i + kStrideBytesAhead / kWord);
            addLine(sums[part], values + part * each + i);
        }
    std::uint64_t sum = 0;
    for (const auto& part : sums) sum += total(part);
    for (auto i = kStrides * each; i < count; ++i) sum += values[i];
    return sum;
}
std::uint64_t sum(const std::uint64_t* values, std::int64_t count, ReadPattern pattern) {
    return pattern == ReadPattern::MultiStrided ? sumStrides(values, count) : sumSequentially(values, count);
}

}  // namespace

void fillF32Peak(Kernels& table) {
    table.peak.f32 = multiplyAdds;
    table.peak.sum = sum;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
