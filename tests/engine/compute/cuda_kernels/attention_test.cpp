// SPDX-License-Identifier: Apache-2.0
// Attention without stored scores, with and without tensor cores, compared with its definition in double, forward and
// backward, across tile borders, widths and masks.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/compute/cuda_kernels/attention_formula.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

const AttentionKernels kFused = {
    [](ElementType type, const AttentionShape& s, const void* q, const void* k, const void* v, void* output,
       float* logSums) { return fusedAttentionForward({}, type, s, q, k, v, output, logSums); },
    [](ElementType type, const AttentionShape& s, const AttentionGradients& g) {
        return fusedAttentionBackward({}, type, s, g);
    }};

TEST(FusedAttention, IsTheFormulaInEveryShape) {
    for (const std::int64_t tokens : {1, 7, 16, 33, 65, 130})
        for (const std::int64_t width : {1, 8, 50, 64, 72, 128})
            for (const bool causal : {false, true})
                expectAttention(kFused, attentionShape(tokens, width, causal), ElementType::F32, false);
}

TEST(FusedAttention, InNarrowTypesAndOnTopOfWhatIsThere) {
    for (const auto type : kTypes)
        for (const bool causal : {false, true})
            for (const bool accumulate : {false, true}) {
                expectAttention(kFused, attentionShape(37, 16, causal), type, accumulate);
                expectAttention(kFused, attentionShape(50, 100, causal), type, accumulate);
            }
}

// Scores of large magnitude must not overflow: the online softmax subtracts the running maximum.
TEST(FusedAttention, StandsLargeScores) {
    auto s = attentionShape(40, 8, true);
    s.scale = 30;
    const auto features = s.heads * s.width;
    Typed input(ElementType::F32, normals(s.batch * s.tokens * 3 * features, 1)),
        output(ElementType::F32, s.batch * s.tokens * features);
    auto* x = static_cast<float*>(input.data());
    ASSERT_EQ(fusedAttentionForward({}, ElementType::F32, s, x, x + features, x + 2 * features, output.data(), nullptr),
              kOk);
    for (const float value : output.floats()) ASSERT_TRUE(std::isfinite(value));
}

TEST(FusedAttention, RefusesWhatItCannot) {
    auto wide = attentionShape(4, 129, false);
    EXPECT_EQ(fusedAttentionForward({}, ElementType::F32, wide, nullptr, nullptr, nullptr, nullptr, nullptr),
              kInvalidValue);
    EXPECT_EQ(fusedAttentionBackward({}, ElementType::F32, attentionShape(4, 8, false), {}), kInvalidValue);
}

AttentionKernels tensorKernels(int blockRows) {
    AttentionKernels kernels;
    kernels.forward = [=](ElementType type, const AttentionShape& s, const void* q, const void* k, const void* v,
                          void* output, float* logSums) {
        return tensorAttentionForward({}, type, s, blockRows, q, k, v, output, logSums);
    };
    kernels.backward = [=](ElementType type, const AttentionShape& s, const AttentionGradients& g) {
        return tensorAttentionBackward({}, type, s, blockRows, g);
    };
    kernels.logTolerance = 1e-4;
    return kernels;
}

class TensorAttention : public testing::Test {
protected:
    void SetUp() override {
        if (!tensorAttentionFits(ElementType::Bf16, attentionShape(1, 64, false), 64))
            GTEST_SKIP() << "needs a device with tensor cores for bf16";
    }
};

TEST_F(TensorAttention, IsTheFormulaInEveryShape) {
    for (const auto type : {ElementType::F16, ElementType::Bf16})
        for (const std::int64_t tokens : {1, 15, 16, 17, 63, 64, 65, 127, 128, 197, 300})
            for (const bool causal : {false, true})
                for (const bool accumulate : {false, true}) {
                    expectAttention(tensorKernels(64), attentionShape(tokens, 64, causal, 2, 2), type, accumulate);
                    expectAttention(tensorKernels(128), attentionShape(tokens, 64, causal, 2, 2), type, accumulate);
                    expectAttention(tensorKernels(64), attentionShape(tokens, 128, causal, 2, 2), type, accumulate);
                }
}

TEST_F(TensorAttention, HeadsOfOtherWidthsAreFilledUp) {
    for (const std::int64_t width : {8, 40, 72, 120})
        for (const bool causal : {false, true})
            expectAttention(tensorKernels(64), attentionShape(70, width, causal), ElementType::F16, true);
}

// Two runs are bitwise identical.
TEST_F(TensorAttention, DoesNotDependOnTime) {
    const auto s = attentionShape(300, 64, true);
    const auto kernels = tensorKernels(128);
    const auto features = s.heads * s.width, bytes = features * 2;
    Typed input(ElementType::Bf16, normals(s.batch * s.tokens * 3 * features, 1));
    const auto* x = static_cast<const std::byte*>(input.data());
    std::vector<float> results[2];
    for (auto& result : results) {
        Typed output(ElementType::Bf16, s.batch * s.tokens * features),
            gradient(ElementType::Bf16, s.batch * s.tokens * 3 * features);
        std::vector<float> logSums(static_cast<std::size_t>(s.batch * s.heads * s.tokens)), rowSums(logSums.size());
        ASSERT_EQ(kernels.forward(ElementType::Bf16, s, x, x + bytes, x + 2 * bytes, output.data(), logSums.data()),
                  kOk);
        auto* dx = static_cast<std::byte*>(gradient.data());
        AttentionGradients g;
        g.q = x, g.k = x + bytes, g.v = x + 2 * bytes, g.logSums = logSums.data(), g.rowSums = rowSums.data();
        g.output = g.dOutput = output.data(), g.dQ = dx, g.dK = dx + bytes, g.dV = dx + 2 * bytes;
        ASSERT_EQ(kernels.backward(ElementType::Bf16, s, g), kOk);
        result = gradient.floats();
    }
    EXPECT_EQ(results[0], results[1]);
}

// Most of the weight on one key, and exponentials beyond the range of any type.
TEST_F(TensorAttention, StandsLargeScores) {
    for (const int rows : kTensorBlockRows) {
        auto kernels = tensorKernels(rows);
        kernels.spread = 6, kernels.tolerance = 4;
        for (const auto type : {ElementType::F16, ElementType::Bf16})
            for (const bool causal : {false, true})
                expectAttention(kernels, attentionShape(130, rows == 64 ? 128 : 64, causal), type, false);
    }
}

TEST(TensorAttentionArguments, RefusesWhatItCannot) {
    const auto s = attentionShape(4, 64, false);
    EXPECT_FALSE(tensorAttentionFits(ElementType::F32, s, 64));
    EXPECT_FALSE(tensorAttentionFits(ElementType::Bf16, attentionShape(4, 129, false), 64));
    EXPECT_FALSE(tensorAttentionFits(ElementType::Bf16, attentionShape(4, 60, false), 64));
    EXPECT_FALSE(tensorAttentionFits(ElementType::Bf16, attentionShape(4, 128, false), 128));
    EXPECT_NE(tensorAttentionForward({}, ElementType::F32, s, 64, nullptr, nullptr, nullptr, nullptr, nullptr), kOk);
    EXPECT_NE(tensorAttentionBackward({}, ElementType::Bf16, s, 64, {}), kOk);
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
