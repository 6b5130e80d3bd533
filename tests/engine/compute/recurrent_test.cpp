// SPDX-License-Identifier: Apache-2.0
// Recurrent cells compared with their formulas for one unit; directions; carried states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/random.h"
#include "tests/engine/compute/tiny_network.h"

namespace steelyard::compute {
namespace {

using Values = std::vector<float>;
using model::RecurrentCell;

double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}

// One unit, one input: w, r and b by gate.
struct Unit {
    double w[4], r[4], b[4];
};
constexpr Unit kUnit{{0.5, -0.3, 0.8, 0.2}, {0.1, 0.7, -0.6, 0.4}, {0.05, 1.0, -0.1, 0.3}};

Values gates(const double (&values)[4], int count) {
    Values result;
    for (int g = 0; g < count; ++g) result.push_back(static_cast<float>(values[g]));
    return result;
}

std::vector<double> lstm(const Unit& u, const std::vector<double>& inputs) {
    std::vector<double> hidden;
    double h = 0, c = 0;
    for (double x : inputs) {
        const double i = logistic(u.w[0] * x + u.r[0] * h + u.b[0]);
        const double f = logistic(u.w[1] * x + u.r[1] * h + u.b[1]);
        const double k = std::tanh(u.w[2] * x + u.r[2] * h + u.b[2]);
        const double o = logistic(u.w[3] * x + u.r[3] * h + u.b[3]);
        c = f * c + i * k;
        h = o * std::tanh(c);
        hidden.push_back(h);
    }
    return hidden;
}

std::vector<double> gru(const Unit& u, const std::vector<double>& inputs) {
    std::vector<double> hidden;
    double h = 0;
    for (double x : inputs) {
        const double update = logistic(u.w[0] * x + u.r[0] * h + u.b[0]);
        const double reset = logistic(u.w[1] * x + u.r[1] * h + u.b[1]);
        const double candidate = std::tanh(u.w[2] * x + u.b[2] + reset * (u.r[2] * h));
        h = (1 - update) * candidate + update * h;
        hidden.push_back(h);
    }
    return hidden;
}

std::vector<double> rnn(const Unit& u, const std::vector<double>& inputs) {
    std::vector<double> hidden;
    double h = 0;
    for (double x : inputs) hidden.push_back(h = std::tanh(u.w[0] * x + u.r[0] * h + u.b[0]));
    return hidden;
}

Values run(RecurrentCell cell, bool bidirectional, bool sequence) {
    const auto count = static_cast<int>(model::gateCount(cell));
    OneLayer one{model::Recurrent{cell, 1, bidirectional, sequence, 1.0, false}, {3, 1}, {}};
    for (const char* prefix : {"", "reverse_"}) {
        if (!bidirectional && *prefix != '\0') continue;
        one.parameters.emplace_back(std::string(prefix) + "weight", gates(kUnit.w, count));
        one.parameters.emplace_back(std::string(prefix) + "recurrent", gates(kUnit.r, count));
        one.parameters.emplace_back(std::string(prefix) + "bias", gates(kUnit.b, count));
    }
    return outputOf(one, {1, -2, 0.5F});
}

void expectNear(const Values& got, const std::vector<double>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(static_cast<double>(got[i]), expected[i], 1e-6) << i;
}

TEST(Recurrent, CellsFollowTheirFormulas) {
    const std::vector<double> inputs{1, -2, 0.5};
    expectNear(run(RecurrentCell::Lstm, false, true), lstm(kUnit, inputs));
    expectNear(run(RecurrentCell::Gru, false, true), gru(kUnit, inputs));
    expectNear(run(RecurrentCell::Rnn, false, true), rnn(kUnit, inputs));
    expectNear(run(RecurrentCell::Lstm, false, false), {lstm(kUnit, inputs).back()});
}

TEST(Recurrent, OneStepOfAnLstmByHand) {
    // x = 1 from rest: i = s(.55), k = tanh(.7), o = s(.5); c = i k; h = o tanh(c)
    const double c = 0.6341356 * 0.6043678;
    EXPECT_NEAR(static_cast<double>(run(RecurrentCell::Lstm, false, true)[0]), 0.6224593 * std::tanh(c), 1e-6);
}

TEST(Recurrent, TheReverseDirectionStartsAtTheEnd) {
    const auto there = lstm(kUnit, {1, -2, 0.5});
    const auto back = lstm(kUnit, {0.5, -2, 1});
    // Concatenated per step: forward, backward. Without sequences, each direction returns its last step.
    expectNear(run(RecurrentCell::Lstm, true, true), {there[0], back[2], there[1], back[1], there[2], back[0]});
    expectNear(run(RecurrentCell::Lstm, true, false), {there[2], back[2]});
}

TEST(Recurrent, ACarriedStateMakesTwoBatchesOneSequence) {
    for (const auto cell : {RecurrentCell::Lstm, RecurrentCell::Gru, RecurrentCell::Rnn}) {
        const auto build = [&](std::int64_t steps) {
            model::GraphBuilder g("carry");
            const model::Recurrent layer{cell, 3, false, true, 1.0, true};
            g.head(g.add(layer, {g.input({steps, 2})}, "layer"));
            return TinyNetwork(std::move(g), {plan::Mode::Infer, 1, plan::Precision::Fp32, {}});
        };
        const RandomStream stream(9, 0);
        Values whole;
        for (std::uint32_t i = 0; i < 16; ++i) whole.push_back(stream.normal(i));
        auto once = build(8);
        once.write("input_1", whole);
        once.step();
        const auto expected = once.read("layer");

        auto twice = build(4);
        Values got;
        for (int half = 0; half < 2; ++half) {
            twice.write("input_1", Values(whole.begin() + half * 8, whole.begin() + half * 8 + 8));
            twice.step();
            const auto part = twice.read("layer");
            got.insert(got.end(), part.begin(), part.end());
        }
        EXPECT_EQ(got, expected);
        EXPECT_EQ(twice.read("layer.hidden"), Values(expected.end() - 3, expected.end()));
    }
}

}  // namespace
}  // namespace steelyard::compute
