// SPDX-License-Identifier: Apache-2.0
// Layers of language models compared with their formulas in double: whole packs and tails, warps and blocks, unaligned
// tensors, accumulation, results in the memory of an operand.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compute/cuda/kernels/kernels.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Values = std::vector<float>;
using Index = std::size_t;

double at(const Values& values, std::int64_t i) {
    return static_cast<double>(values[static_cast<Index>(i)]);
}
// What an accumulating kernel adds to.
Values ground(ElementType type, std::int64_t n) {
    return rounded(type, normals(n, 99));
}
Values sumOf(const Values& a, const Values& b) {
    auto sum = a;
    for (Index i = 0; i < sum.size(); ++i) sum[i] += b[i];
    return sum;
}

TEST(RmsNorm, IsTheFormulaForwardAndBackward) {
    for (const auto type : kTypes)
        for (const std::int64_t features : {1, 7, 64, 1000, 1024, 1031, 4096})
            for (const std::int64_t shift : {0, 1}) {
                const std::int64_t rows = 5, n = rows * features;
                constexpr float kEpsilon = 1e-3F;
                const auto x = rounded(type, normals(n, 1)), dy = rounded(type, normals(n, 2));
                auto scale = normals(features, 3);
                Values y, dx, inverses, dScale(static_cast<Index>(features));
                for (std::int64_t row = 0; row < rows; ++row) {
                    double squares = 0, weighted = 0;
                    for (auto i = row * features; i < (row + 1) * features; ++i) squares += at(x, i) * at(x, i);
                    const double r = 1 / std::sqrt(squares / static_cast<double>(features) + kEpsilon);
                    inverses.push_back(static_cast<float>(r));
                    for (std::int64_t f = 0; f < features; ++f)
                        weighted += at(scale, f) * at(dy, row * features + f) * at(x, row * features + f) * r;
                    weighted /= static_cast<double>(features);
                    for (std::int64_t f = 0; f < features; ++f) {
                        const double normal = at(x, row * features + f) * r, flow = at(dy, row * features + f);
                        y.push_back(static_cast<float>(at(scale, f) * normal));
                        dx.push_back(static_cast<float>(r * (at(scale, f) * flow - normal * weighted)));
                        dScale[static_cast<Index>(f)] += static_cast<float>(flow * normal);
                    }
                }
                Typed in(type, x, shift), flow(type, dy, shift), out(type, n, shift);
                Values saved(static_cast<Index>(rows)), sums(static_cast<Index>(features), 0.5F);
                ASSERT_EQ(rmsNormForward({}, type, in.data(), scale.data(), kEpsilon, out.data(), saved.data(), rows,
                                         features),
                          kOk);
                EXPECT_LT(difference(y, out.floats()), toleranceOf(type)) << features;
                EXPECT_LT(difference(inverses, saved), 1e-5) << features;
                std::vector<std::uint64_t> workspace(static_cast<Index>(rmsNormWorkspace(rows, features) / 8));
                const auto before = ground(type, n);
                Typed added(type, before, shift);
                RmsNormGradients g;
                g.x = in.data(), g.dy = flow.data(), g.dx = added.data(), g.accumulate = true;
                g.scale = scale.data(), g.savedInverse = saved.data();
                g.dScale = sums.data(), g.accumulateParameters = true;
                ASSERT_EQ(rmsNormBackward({}, type, g, rows, features, workspace.data()), kOk);
                EXPECT_LT(difference(sumOf(before, dx), added.floats()), toleranceOf(type)) << features;
                EXPECT_LT(difference(sumOf(Values(dScale.size(), 0.5F), dScale), sums), 2e-5) << features;
                g.dx = nullptr, g.accumulateParameters = false;
                ASSERT_EQ(rmsNormBackward({}, type, g, rows, features, workspace.data()), kOk);
                EXPECT_LT(difference(dScale, sums), 2e-5) << features;
                // A frozen scale, and the gradient in place.
                g.dx = flow.data(), g.accumulate = false, g.dScale = nullptr;
                ASSERT_EQ(rmsNormBackward({}, type, g, rows, features, nullptr), kOk);
                EXPECT_LT(difference(dx, flow.floats()), toleranceOf(type)) << features;
            }
    EXPECT_EQ(rmsNormForward({}, ElementType::F32, nullptr, nullptr, 0, nullptr, nullptr, 1, 0), kInvalidValue);
}

struct Turns {
    Values table;  // [tokens, 2, pairs]
    std::int64_t pairs;

    Turns(std::int64_t tokens, std::int64_t pairCount) : pairs(pairCount) {
        for (std::int64_t t = 0; t < tokens; ++t)
            for (const bool sine : {false, true})
                for (std::int64_t p = 0; p < pairs; ++p) {
                    const double angle = static_cast<double>(t * (p + 1)) * 0.1;
                    table.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
                }
    }
    [[nodiscard]] double value(std::int64_t token, bool sine, std::int64_t pair) const {
        return at(table, (2 * token + (sine ? 1 : 0)) * pairs + pair);
    }
};

TEST(Rotate, IsTheFormulaInEveryShape) {
    struct Case {
        std::int64_t width, pairs;
    };
    for (const auto type : kTypes)
        for (const auto& [width, pairs] :
             {Case{2, 1}, {6, 3}, {8, 4}, {16, 8}, {64, 32}, {64, 16}, {24, 8}, {20, 8}, {80, 20}})
            for (const bool neighbours : {false, true})
                for (const bool back : {false, true}) {
                    const RotaryShape s{
                        .rows = 6, .tokens = 3, .heads = 2, .width = width, .pairs = pairs, .neighbours = neighbours};
                    const auto n = s.rows * s.heads * s.width;
                    const auto x = rounded(type, normals(n, 1));
                    Turns turns(s.tokens, pairs);
                    auto expected = x;
                    for (std::int64_t head = 0; head < s.rows * s.heads; ++head)
                        for (std::int64_t p = 0; p < pairs; ++p) {
                            const auto token = head / s.heads % s.tokens;
                            const auto a = head * width + (neighbours ? 2 * p : p), b = neighbours ? a + 1 : a + pairs;
                            const double c = turns.value(token, false, p);
                            const double sine = (back ? -1 : 1) * turns.value(token, true, p);
                            expected[static_cast<Index>(a)] = static_cast<float>(at(x, a) * c - at(x, b) * sine);
                            expected[static_cast<Index>(b)] = static_cast<float>(at(x, a) * sine + at(x, b) * c);
                        }
                    const auto before = ground(type, n);
                    for (const std::int64_t shift : {0, 1}) {
                        Typed in(type, x, shift), out(type, n, shift), added(type, before, shift);
                        const auto run = [&](void* to, bool accumulate) {
                            return rotate({}, type, s, turns.table.data(), back, in.data(), to, accumulate);
                        };
                        ASSERT_EQ(run(out.data(), false), kOk);
                        EXPECT_LT(difference(expected, out.floats()), toleranceOf(type)) << width << ' ' << pairs;
                        ASSERT_EQ(run(added.data(), true), kOk);
                        EXPECT_LT(difference(sumOf(before, expected), added.floats()), toleranceOf(type)) << width;
                        ASSERT_EQ(run(in.data(), false), kOk);
                        EXPECT_EQ(in.floats(), out.floats()) << "in place";
                    }
                }
    EXPECT_EQ(rotate({}, ElementType::F32, {.width = 4, .pairs = 3}, nullptr, false, nullptr, nullptr, false),
              kInvalidValue);
}

TEST(Gate, GradientsAddAndShareMemory) {
    constexpr std::int64_t kCount = 37;
    for (const auto type : kTypes)
        for (const auto kind : {Activation::Swish, Activation::Sigmoid, Activation::Gelu, Activation::GeluTanh}) {
            const auto gate = rounded(type, normals(kCount, 1)), up = rounded(type, normals(kCount, 2));
            const auto dy = rounded(type, normals(kCount, 3));
            // f and its central difference, by the kernel for activations.
            const auto f = [&](double step) {
                auto x = gate;
                for (auto& one : x) one += static_cast<float>(step);
                Typed in(ElementType::F32, x), out(ElementType::F32, kCount);
                EXPECT_EQ(activationForward({}, ElementType::F32, kind, in.data(), out.data(), kCount), kOk);
                return out.floats();
            };
            constexpr double kStep = 1e-2;
            const auto value = f(0), above = f(kStep), below = f(-kStep);
            Values y, dGate, dUp;
            for (std::int64_t i = 0; i < kCount; ++i) {
                const double slope = (at(above, i) - at(below, i)) / (2 * kStep);
                y.push_back(static_cast<float>(at(value, i) * at(up, i)));
                dGate.push_back(static_cast<float>(at(dy, i) * at(up, i) * slope));
                dUp.push_back(static_cast<float>(at(dy, i) * at(value, i)));
            }
            for (const std::int64_t shift : {0, 1}) {
                Typed g(type, gate, shift), u(type, up, shift), flow(type, dy, shift), out(type, kCount, shift);
                const double tolerance = toleranceOf(type) + 2e-4;  // of the central difference
                ASSERT_EQ(gateForward({}, type, kind, g.data(), u.data(), out.data(), kCount), kOk);
                EXPECT_LT(difference(y, out.floats()), toleranceOf(type));
                const auto before = ground(type, kCount);
                Typed first(type, before, shift), second(type, before, shift), both(type, before, shift);
                GateGradients to{.gate = g.data(), .up = u.data(), .dy = flow.data()};
                to.dGate = first.data(), to.dUp = second.data(), to.accumulateUp = true;
                ASSERT_EQ(gateBackward({}, type, kind, to, kCount), kOk);
                EXPECT_LT(difference(dGate, first.floats()), tolerance);
                EXPECT_LT(difference(sumOf(before, dUp), second.floats()), tolerance);
                to.dGate = to.dUp = both.data();  // the operands are one tensor
                ASSERT_EQ(gateBackward({}, type, kind, to, kCount), kOk);
                EXPECT_LT(difference(sumOf(dGate, dUp), both.floats()), 2 * tolerance);
                to.dGate = nullptr, to.dUp = flow.data(), to.accumulateUp = false;
                ASSERT_EQ(gateBackward({}, type, kind, to, kCount), kOk);
                EXPECT_LT(difference(dUp, flow.floats()), tolerance);
            }
        }
}

TEST(CappedScale, IsTheFormulaAndAdds) {
    constexpr std::int64_t kCount = 37;
    constexpr float kFactor = 1.7F, kCap = 1.5F;
    for (const auto type : kTypes) {
        const auto x = rounded(type, normals(kCount, 1, 2)), dy = rounded(type, normals(kCount, 2));
        const auto before = ground(type, kCount);
        Typed in(type, x), y(type, kCount), flow(type, dy), added(type, before), scaled(type, before);
        ASSERT_EQ(cappedScale({}, type, in.data(), y.data(), kCount, kFactor, kCap), kOk);
        ASSERT_EQ(cappedScaleBackward({}, type, y.data(), flow.data(), added.data(), kCount, kFactor, kCap, true), kOk);
        ASSERT_EQ(scale({}, type, in.data(), scaled.data(), kCount, kFactor, true), kOk);
        const auto outputs = y.floats();
        Values expected, dx, product;
        for (std::int64_t i = 0; i < kCount; ++i) {
            expected.push_back(static_cast<float>(kCap * std::tanh(kFactor * at(x, i) / kCap)));
            const double part = at(outputs, i) / kCap;
            dx.push_back(static_cast<float>(at(dy, i) * kFactor * (1 - part * part)));
            product.push_back(static_cast<float>(kFactor * at(x, i)));
        }
        EXPECT_LT(difference(expected, outputs), toleranceOf(type));
        EXPECT_LT(difference(sumOf(before, dx), added.floats()), toleranceOf(type));
        EXPECT_LT(difference(sumOf(before, product), scaled.floats()), toleranceOf(type));
    }
    EXPECT_EQ(cappedScale({}, ElementType::F32, nullptr, nullptr, 1, 1, 0), kInvalidValue);
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
