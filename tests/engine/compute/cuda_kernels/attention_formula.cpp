// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda_kernels/attention_formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {

// One head of one sample at a time.
AttentionExpected attentionOf(const AttentionShape& s, const std::vector<float>& x, const std::vector<float>& dy) {
    const auto features = s.heads * s.width;
    AttentionExpected e;
    e.output.resize(dy.size());
    e.dInput.resize(x.size());
    e.logSums.resize(static_cast<std::size_t>(s.batch * s.heads * s.tokens));
    std::vector<double> p(static_cast<std::size_t>(s.tokens)), dp(p.size());
    for (std::int64_t m = 0; m < s.batch * s.heads; ++m) {
        const auto sample = m / s.heads, head = m % s.heads;
        const auto at = [&](std::int64_t token, std::int64_t part, std::int64_t i) {
            return static_cast<std::size_t>(((sample * s.tokens + token) * 3 + part) * features + head * s.width + i);
        };
        const auto out = [&](std::int64_t token, std::int64_t i) {
            return static_cast<std::size_t>((sample * s.tokens + token) * features + head * s.width + i);
        };
        const auto value = [&](const std::vector<float>& list, std::size_t i) { return static_cast<double>(list[i]); };
        for (std::int64_t t = 0; t < s.tokens; ++t) {
            const auto visible = s.causal ? t + 1 : s.tokens;
            double sum = 0, largest = -HUGE_VAL;
            for (std::int64_t k = 0; k < visible; ++k) {
                double score = 0;
                for (std::int64_t i = 0; i < s.width; ++i) score += value(x, at(t, 0, i)) * value(x, at(k, 1, i));
                p[static_cast<std::size_t>(k)] = static_cast<double>(s.scale) * score;
                largest = std::max(largest, p[static_cast<std::size_t>(k)]);
            }
            for (std::int64_t k = 0; k < visible; ++k) {
                p[static_cast<std::size_t>(k)] = std::exp(p[static_cast<std::size_t>(k)] - largest);
                sum += p[static_cast<std::size_t>(k)];
            }
            e.logSums[static_cast<std::size_t>(m * s.tokens + t)] = static_cast<float>(largest + std::log(sum));
            double shared = 0;
            for (std::int64_t k = 0; k < visible; ++k) {
                auto& probability = p[static_cast<std::size_t>(k)];
                auto& flow = dp[static_cast<std::size_t>(k)];
                probability /= sum;
                flow = 0;
                for (std::int64_t i = 0; i < s.width; ++i) {
                    const auto v = value(x, at(k, 2, i)), d = value(dy, out(t, i));
                    flow += d * v;
                    e.output[out(t, i)] += static_cast<float>(probability * v);
                    e.dInput[at(k, 2, i)] += static_cast<float>(probability * d);
                }
                shared += probability * flow;
            }
            for (std::int64_t k = 0; k < visible; ++k) {
                const double dScore = static_cast<double>(s.scale) * p[static_cast<std::size_t>(k)] *
                                      (dp[static_cast<std::size_t>(k)] - shared);
                for (std::int64_t i = 0; i < s.width; ++i) {
                    e.dInput[at(t, 0, i)] += static_cast<float>(dScore * value(x, at(k, 1, i)));
                    e.dInput[at(k, 1, i)] += static_cast<float>(dScore * value(x, at(t, 0, i)));
                }
            }
        }
    }
    return e;
}

void expectAttention(const AttentionKernels& kernels, const AttentionShape& s, ElementType type, bool accumulate) {
    SCOPED_TRACE(testing::Message() << s.tokens << " tokens, width " << s.width << ", causal " << s.causal << ", type "
                                    << static_cast<int>(type) << ", add " << accumulate);
    const auto features = s.heads * s.width, rows = s.batch * s.tokens;
    const auto x = rounded(type, normals(rows * 3 * features, 1, kernels.spread)),
               dy = rounded(type, normals(rows * features, 2));
    auto expected = attentionOf(s, x, dy);
    const auto before = rounded(type, normals(rows * 3 * features, 3));
    Typed input(type, x), flow(type, dy), output(type, rows * features);
    Typed gradient(type, accumulate ? before : std::vector<float>(x.size(), 7.0F));
    std::vector<float> logSums(static_cast<std::size_t>(s.batch * s.heads * s.tokens)), rowSums(logSums.size());
    const auto part = [&](Typed& of, std::int64_t i) {
        return static_cast<std::byte*>(of.data()) + i * features * bytesOf(type);
    };
    ASSERT_EQ(kernels.forward(type, s, part(input, 0), part(input, 1), part(input, 2), output.data(), logSums.data()),
              kOk);
    EXPECT_LT(difference(expected.output, output.floats()), kernels.tolerance * toleranceOf(type));
    EXPECT_LT(difference(expected.logSums, logSums), kernels.logTolerance);
    AttentionGradients g;
    g.q = part(input, 0), g.k = part(input, 1), g.v = part(input, 2);
    g.logSums = logSums.data(), g.rowSums = rowSums.data(), g.output = output.data(), g.dOutput = flow.data();
    g.dQ = part(gradient, 0), g.dK = part(gradient, 1), g.dV = part(gradient, 2), g.accumulate = accumulate;
    ASSERT_EQ(kernels.backward(type, s, g), kOk);
    if (accumulate)
        for (std::size_t i = 0; i < before.size(); ++i) expected.dInput[i] += before[i];
    EXPECT_LT(difference(expected.dInput, gradient.floats()), 2 * kernels.tolerance * toleranceOf(type));
}

AttentionShape attentionShape(std::int64_t tokens, std::int64_t width, bool causal, std::int64_t batch,
                              std::int64_t heads) {
    AttentionShape s{batch, tokens, heads, width, 0, 0, 1 / std::sqrt(static_cast<float>(width)), causal};
    s.outputPitch = s.heads * s.width;
    s.inputPitch = 3 * s.outputPitch;
    return s;
}

}  // namespace steelyard::compute::cuda::kernels
