// SPDX-License-Identifier: Apache-2.0
// One step of recurrent cells compared with the reference; the softmax of attention; data movement.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/cuda/kernels/kernels.h"
#include "engine/compute/reference/recurrent_cells.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

using Floats = std::vector<float>;
using At = std::size_t;

constexpr std::int64_t kBatch = 3, kUnits = 5;

model::RecurrentCell modelCell(Cell cell) {
    return cell == Cell::Lstm  ? model::RecurrentCell::Lstm
           : cell == Cell::Gru ? model::RecurrentCell::Gru
                               : model::RecurrentCell::Rnn;
}

class RecurrentCells : public ::testing::TestWithParam<Cell> {};

TEST_P(RecurrentCells, OneStepForwardIsTheReferences) {
    const Cell cell = GetParam();
    const auto gates = gatesOf(cell), slots = slotsOf(cell), pitch = gates * kUnits + 2;
    for (const auto type : kTypes) {
        const auto input = rounded(type, normals(kBatch * pitch, 1)),
                   rec = rounded(type, normals(kBatch * gates * kUnits, 2));
        const auto bias = normals(gates * kUnits, 3), before = rounded(type, normals(kBatch * kUnits, 4));
        auto cells = normals(kBatch * kUnits, 5);
        const auto cellsBefore = cells;
        Typed tIn(type, input), tRec(type, rec), tBefore(type, before), trace(type, kBatch * slots * kUnits),
            hidden(type, kBatch * kUnits), output(type, kBatch * 7);
        Floats carried(static_cast<At>(kBatch * kUnits));
        RecurrentForward s;
        s.cell = cell, s.batch = kBatch, s.units = kUnits;
        s.input = tIn.data(), s.inputPitch = pitch, s.bias = bias.data(), s.recurrent = tRec.data();
        s.hiddenBefore = tBefore.data(), s.hiddenBeforePitch = kUnits, s.cellState = cells.data(), s.cellPitch = kUnits;
        s.trace = trace.data(), s.tracePitch = slots * kUnits, s.hidden = hidden.data(), s.hiddenPitch = kUnits;
        s.output = output.data(), s.outputPitch = 7, s.carried = carried.data(), s.carriedPitch = kUnits;
        ASSERT_EQ(recurrentForward({}, type, s), kOk);
        const auto kept = trace.floats(), h = hidden.floats(), y = output.floats();
        for (std::int64_t b = 0; b < kBatch; ++b)
            for (std::int64_t u = 0; u < kUnits; ++u) {
                double in[4] = {}, r[4] = {};
                for (std::int64_t g = 0; g < gates; ++g) {
                    in[g] = static_cast<double>(input[static_cast<At>(b * pitch + g * kUnits + u)]) +
                            static_cast<double>(bias[static_cast<At>(g * kUnits + u)]);
                    r[g] = static_cast<double>(rec[static_cast<At>((b * gates + g) * kUnits + u)]);
                }
                const auto at = static_cast<At>(b * kUnits + u);
                const auto expected = reference::forwardUnit(
                    modelCell(cell), in, r, {static_cast<double>(before[at]), static_cast<double>(cellsBefore[at])});
                const double tolerance = 2 * toleranceOf(type);
                EXPECT_NEAR(static_cast<double>(h[at]), expected.hidden, tolerance);
                EXPECT_NEAR(static_cast<double>(carried[at]), expected.hidden, 1e-5);
                EXPECT_EQ(y[static_cast<At>(b * 7 + u)], h[at]);
                EXPECT_EQ(kept[static_cast<At>((b * slots + slots - 1) * kUnits + u)], h[at]);
                if (cell == Cell::Rnn) continue;
                for (std::int64_t g = 0; g < gates; ++g)
                    EXPECT_NEAR(static_cast<double>(kept[static_cast<At>((b * slots + g) * kUnits + u)]),
                                expected.gate[g], tolerance);
                EXPECT_NEAR(static_cast<double>(kept[static_cast<At>((b * slots + slots - 2) * kUnits + u)]),
                            expected.extra, 4 * tolerance);
                if (cell == Cell::Lstm) {
                    EXPECT_NEAR(static_cast<double>(cells[at]), expected.extra, 1e-5);
                }
            }
    }
}

TEST_P(RecurrentCells, OneStepBackwardIsTheReferences) {
    const Cell cell = GetParam();
    const auto gates = gatesOf(cell), slots = slotsOf(cell), width = slots * kUnits;
    for (const bool first : {false, true})
        for (const auto type : kTypes) {
            auto trace = normals(kBatch * width, 1, 0.3F), traceBefore = normals(kBatch * width, 2, 0.3F);
            for (auto& value : trace) value = rounded(type, 0.5F + 0.3F * value);
            traceBefore = rounded(type, traceBefore);
            const auto initialHidden = normals(kBatch * kUnits, 3), initialCell = normals(kBatch * kUnits, 4);
            const auto dOutput = rounded(type, normals(kBatch * kUnits, 5));
            auto dHidden = normals(kBatch * kUnits, 6), dCell = normals(kBatch * kUnits, 7);
            const auto dHiddenIn = dHidden, dCellIn = dCell;
            Typed tTrace(type, trace), tBefore(type, traceBefore), tOut(type, dOutput),
                dIn(type, kBatch * gates * kUnits), dRec(type, kBatch * gates * kUnits), hBefore(type, kBatch * kUnits);
            RecurrentBackward s;
            s.cell = cell, s.batch = kBatch, s.units = kUnits, s.trace = tTrace.data(), s.tracePitch = width;
            s.traceBefore = first ? nullptr : tBefore.data(), s.initialHidden = initialHidden.data(),
            s.initialCell = initialCell.data();
            s.initialPitch = kUnits, s.dOutput = tOut.data(), s.dOutputPitch = kUnits, s.dHidden = dHidden.data(),
            s.dCell = dCell.data();
            s.dInput = dIn.data(), s.dInputPitch = gates * kUnits, s.dRecurrent = dRec.data(),
            s.dRecurrentPitch = gates * kUnits;
            s.hiddenBefore = hBefore.data(), s.hiddenBeforePitch = kUnits;
            ASSERT_EQ(recurrentBackward({}, type, s), kOk);
            const auto in = dIn.floats(), rec = dRec.floats(), h = hBefore.floats();
            for (std::int64_t b = 0; b < kBatch; ++b)
                for (std::int64_t u = 0; u < kUnits; ++u) {
                    const auto at = static_cast<At>(b * kUnits + u);
                    const auto slot = [&](const Floats& t, std::int64_t k) {
                        return static_cast<double>(t[static_cast<At>((b * slots + k) * kUnits + u)]);
                    };
                    reference::Kept kept;
                    kept.hidden = slot(trace, slots - 1);
                    for (std::int64_t g = 0; cell != Cell::Rnn && g < gates; ++g) kept.gate[g] = slot(trace, g);
                    if (cell != Cell::Rnn) kept.extra = slot(trace, slots - 2);
                    reference::Before before{
                        first ? static_cast<double>(initialHidden[at]) : slot(traceBefore, slots - 1), 0};
                    if (cell == Cell::Lstm)
                        before.cell = first ? static_cast<double>(initialCell[at]) : slot(traceBefore, 4);
                    const auto flow =
                        reference::backwardUnit(modelCell(cell), kept, before,
                                                static_cast<double>(dHiddenIn[at]) + static_cast<double>(dOutput[at]),
                                                static_cast<double>(dCellIn[at]));
                    for (std::int64_t g = 0; g < gates; ++g) {
                        const auto to = static_cast<At>((b * gates + g) * kUnits + u);
                        EXPECT_NEAR(static_cast<double>(in[to]), flow.in[g], 2 * toleranceOf(type));
                        EXPECT_NEAR(static_cast<double>(rec[to]), flow.rec[g], 2 * toleranceOf(type));
                    }
                    EXPECT_NEAR(static_cast<double>(dHidden[at]), flow.hidden, 1e-5);
                    if (cell == Cell::Lstm) {
                        EXPECT_NEAR(static_cast<double>(dCell[at]), flow.cell, 1e-5);
                    }
                    EXPECT_NEAR(static_cast<double>(h[at]), before.hidden, toleranceOf(type) * 2);
                }
        }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RecurrentCells, ::testing::Values(Cell::Lstm, Cell::Gru, Cell::Rnn));

void expectAttentionRows(ElementType type, const AttentionRows& shape) {
    const auto keys = shape.keys, rows = shape.matrices * shape.tokens, n = rows * keys;
    const auto scores = rounded(type, normals(n, 1, 2)), dP = rounded(type, normals(n, 2));
    Typed s(type, scores), p(type, n), again(type, n), flow(type, dP);
    Floats logSums(static_cast<At>(rows));
    ASSERT_EQ(attentionSoftmax({}, type, shape, s.data(), p.data(), logSums.data()), kOk);
    ASSERT_EQ(attentionProbabilities({}, type, shape, s.data(), logSums.data(), again.data()), kOk);
    ASSERT_EQ(attentionSoftmaxBackward({}, type, shape, s.data(), p.data(), flow.data(), flow.data()), kOk);
    const auto found = p.floats(), dScores = flow.floats();
    EXPECT_EQ(again.floats(), found);
    const auto scale = static_cast<double>(shape.scale), cap = static_cast<double>(shape.cap);
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto until = shape.causal ? keys - shape.tokens + row % shape.tokens + 1 : keys;
        const auto from = shape.window > 0 ? std::max<std::int64_t>(0, until - shape.window) : 0;
        const auto at = [&](std::int64_t k) { return static_cast<At>(row * keys + k); };
        const auto part = [&](std::int64_t k) { return std::tanh(scale * static_cast<double>(scores[at(k)]) / cap); };
        const auto score = [&](std::int64_t k) {
            return cap > 0 ? cap * part(k) : scale * static_cast<double>(scores[at(k)]);
        };
        double sum = 0, shared = 0;
        for (auto k = from; k < until; ++k) sum += std::exp(score(k));
        EXPECT_NEAR(static_cast<double>(logSums[static_cast<At>(row)]), std::log(sum), 1e-4);
        for (std::int64_t k = 0; k < keys; ++k) {
            const double expected = k >= from && k < until ? std::exp(score(k)) / sum : 0;
            EXPECT_NEAR(static_cast<double>(found[at(k)]), expected, toleranceOf(type));
            shared += static_cast<double>(found[at(k)]) * static_cast<double>(dP[at(k)]);
        }
        for (std::int64_t k = 0; k < keys; ++k) {
            const double slope = cap > 0 ? scale * (1 - part(k) * part(k)) : scale;
            EXPECT_NEAR(static_cast<double>(dScores[at(k)]),
                        slope * static_cast<double>(found[at(k)]) * (static_cast<double>(dP[at(k)]) - shared),
                        toleranceOf(type));
        }
    }
}

TEST(AttentionRows, ForwardBackwardAndMask) {
    for (const auto type : kTypes)
        for (const std::int64_t keys : {8, 11, 1032})
            for (const float cap : {0.0F, 1.5F}) {
                expectAttentionRows(type, {2, 4, keys, 0.5F, false, 0, cap});
                for (const std::int64_t window : {0, 1, 5, 8, 2000})
                    expectAttentionRows(type, {2, 4, keys, 0.5F, true, window, cap});
            }
    expectAttentionRows(ElementType::Bf16, {1, 40, 40, 0.5F, true, 9, 0});  // windows that begin and end inside packs
}

TEST(AttentionRows, RefusesWhatItCannot) {
    float one = 1;
    const auto softmax = [&](const AttentionRows& shape) {
        return attentionSoftmax({}, ElementType::F32, shape, &one, &one, nullptr);
    };
    EXPECT_EQ(softmax({1, 2, 1, 1, true}), kInvalidValue);
    EXPECT_EQ(softmax({1, 1, 1, 1, false, 1}), kInvalidValue);
    EXPECT_EQ(softmax({1, 1, 1, 1, false, 0, -1}), kInvalidValue);
    EXPECT_EQ(attentionSoftmaxBackward({}, ElementType::F32, {1, 1, 1, 1, false, 0, 1}, nullptr, &one, &one, &one),
              kInvalidValue);
}

TEST(Transpose, TurnsEveryMatrixOfABatch) {
    for (const auto type : kTypes) {
        const std::int64_t batch = 2, rows = 3, columns = 5;
        const auto values = rounded(type, normals(batch * rows * columns, 1));
        Typed x(type, values), y(type, batch * rows * columns), back(type, values);
        ASSERT_EQ(transpose({}, type, x.data(), y.data(), batch, rows, columns, false), kOk);
        const auto turned = y.floats();
        for (At b = 0; b < 2; ++b)
            for (At r = 0; r < 3; ++r)
                for (At c = 0; c < 5; ++c) EXPECT_EQ(turned[b * 15 + c * 3 + r], values[b * 15 + r * 5 + c]);
        ASSERT_EQ(transpose({}, type, y.data(), back.data(), batch, columns, rows, true), kOk);
        for (At i = 0; i < values.size(); ++i) EXPECT_EQ(back.floats()[i], rounded(type, 2 * values[i]));
    }
}

TEST(CopyRows, ConcatenatesAndSplits) {
    for (const std::int64_t a : {3, 8})
        for (const std::int64_t b : {5, 16}) {
            const auto left = normals(4 * a, 1), right = normals(4 * b, 2);
            Floats whole(static_cast<At>(4 * (a + b))), parts(right);
            ASSERT_EQ(copyRows({}, ElementType::F32, left.data(), a, whole.data(), a + b, 4, a, false), kOk);
            ASSERT_EQ(copyRows({}, ElementType::F32, right.data(), b, whole.data() + a, a + b, 4, b, false), kOk);
            for (std::int64_t r = 0; r < 4; ++r)
                for (std::int64_t i = 0; i < a + b; ++i)
                    EXPECT_EQ(whole[static_cast<At>(r * (a + b) + i)],
                              i < a ? left[static_cast<At>(r * a + i)] : right[static_cast<At>(r * b + i - a)]);
            ASSERT_EQ(copyRows({}, ElementType::F32, whole.data() + a, a + b, parts.data(), b, 4, b, true), kOk);
            for (At i = 0; i < parts.size(); ++i) EXPECT_EQ(parts[i], 2 * right[i]);
        }
}

TEST(WriteRow, InFrontOfEverySample) {
    const Floats token{1, 2};
    Floats y(9, 7.0F);
    ASSERT_EQ(writeRow({}, ElementType::F32, token.data(), y.data(), 3, 3, 2), kOk);
    EXPECT_EQ(y, (Floats{1, 2, 7, 1, 2, 7, 1, 2, 7}));
}

TEST(Heads, AreSplitBehindACacheAndMergedBack) {
    for (const std::int64_t width : {3, 8}) {
        const std::int64_t batch = 2, tokens = 3, heads = 2, features = heads * width, keys = 5, firstKey = 2;
        const HeadLayout layout{batch, tokens, heads, width, 3 * features, keys, firstKey};
        const auto x = normals(batch * tokens * 3 * features, 1);
        Floats k(static_cast<At>(batch * heads * keys * width), -1.0F), back(x.size(), 1.0F);
        ASSERT_EQ(splitHeads({}, ElementType::F32, layout, x.data() + features, k.data()), kOk);
        ASSERT_EQ(mergeHeads({}, ElementType::F32, layout, k.data(), back.data() + features, true), kOk);
        for (std::int64_t b = 0; b < batch; ++b)
            for (std::int64_t h = 0; h < heads; ++h)
                for (std::int64_t s = 0; s < keys; ++s)
                    for (std::int64_t d = 0; d < width; ++d) {
                        const auto found = k[static_cast<At>(((b * heads + h) * keys + s) * width + d)];
                        if (s < firstKey) {
                            EXPECT_EQ(found, -1.0F);
                            continue;
                        }
                        const auto from =
                            static_cast<At>((b * tokens + s - firstKey) * 3 * features + features + h * width + d);
                        EXPECT_EQ(found, x[from]);
                        EXPECT_EQ(back[from], 1 + x[from]);
                    }
        EXPECT_EQ(back[0], 1.0F);  // the queries were not modified
        EXPECT_EQ(splitHeads({}, ElementType::F32, {1, 2, 1, 1, 1, 2, 1}, x.data(), k.data()), kInvalidValue);
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
