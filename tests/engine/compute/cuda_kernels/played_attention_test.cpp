// SPDX-License-Identifier: Apache-2.0
// The tensor core attention kernels, which have no host version, emulated thread by thread on the host: register layout
// of a warp, order of copies, remainders and masks. Few shapes, since this is slow; attention_test.cpp has the others
// for a GPU.
#include <gtest/gtest.h>

#include "engine/compute/cuda/kernels/device/tensor_backward.h"
#include "engine/compute/cuda/kernels/device/tensor_forward.h"
#include "tests/engine/compute/cuda_kernels/attention_formula.h"
#include "tests/engine/compute/cuda_kernels/played_block.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename Block, typename Arguments>
Status play(Copies copies, const Arguments& a) {
    const auto blocks = a.s.batch * a.s.heads * ceilDivided(a.s.tokens, Block::kRows);
    std::vector<Fragment> shared(static_cast<std::size_t>(Block::kSharedBytes / 16 + 8));
    auto address = (reinterpret_cast<std::uintptr_t>(shared.data()) + 127) / 128 * 128;
    for (std::int64_t block = 0; block < blocks; ++block) {
        for (auto& words : shared)
            for (auto& word : words.at) word = 0x7fc07fc0;  // NaN
        playBlock(kTensorThreads, copies, [&] { Block(a, block, reinterpret_cast<void*>(address)).run(); });
    }
    return kOk;
}

template <typename T, int Width, int Tiles>
AttentionKernels playedOf(Copies copies) {
    AttentionKernels played;
    played.logTolerance = 1e-4;
    played.forward = [=](ElementType /*type*/, const AttentionShape& s, const void* q, const void* k, const void* v,
                         void* output, float* logSums) {
        using Block = TensorForwardBlock<T, Width, Tiles>;
        return play<Block>(copies, TensorForward<T>{s, static_cast<const T*>(q), static_cast<const T*>(k),
                                                    static_cast<const T*>(v), static_cast<T*>(output), logSums});
    };
    played.backward = [=](ElementType /*type*/, const AttentionShape& s, const AttentionGradients& g) {
        const auto a = tensorBackwardOf<T>(s, g);
        play<TensorBackwardQueries<T, Width, Tiles>>(copies, a);
        return play<TensorBackwardKeys<T, Width, Tiles>>(copies, a);
    };
    return played;
}

// Sanitizers do not support emulated threads, or take minutes.
bool isSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}

TEST(PlayedTensorAttention, IsTheFormula) {
    if (isSanitized()) GTEST_SKIP() << "runs without sanitizers only";
    for (const auto copies : {Copies::Late, Copies::AtOnce})
        for (const bool causal : {false, true}) {
            expectAttention(playedOf<Bfloat16, 64, 1>(copies), attentionShape(17, 64, causal, 2, 2), ElementType::Bf16,
                            true);
            expectAttention(playedOf<Half, 64, 2>(copies), attentionShape(200, 64, causal, 1, 1), ElementType::F16,
                            false);
            expectAttention(playedOf<Bfloat16, 64, 2>(copies), attentionShape(129, 40, causal, 1, 1), ElementType::Bf16,
                            true);
            expectAttention(playedOf<Half, 128, 1>(copies), attentionShape(70, 128, causal, 1, 2), ElementType::F16,
                            true);
            expectAttention(playedOf<Bfloat16, 128, 1>(copies), attentionShape(1, 72, causal, 1, 2), ElementType::Bf16,
                            false);
        }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
