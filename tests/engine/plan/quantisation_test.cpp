// SPDX-License-Identifier: Apache-2.0
// Which tensors of an Int8 plan are bytes, their grids, and the memory saved.
#include "engine/plan/quantisation.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/core/error.h"
#include "engine/model/graph.h"
#include "engine/model/zoo/blocks.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::plan {
namespace {

using model::ActivationKind;
using model::DataType;
using model::square;

const Tensor& named(const Plan& plan, const std::string& name) {
    for (const auto& tensor : plan.tensors)
        if (tensor.name == name) return tensor;
    throw std::runtime_error("no tensor " + name);
}

Plan lowered(const model::Graph& graph, Precision precision = Precision::Int8, Quantisation quantisation = {}) {
    return lower(graph, {Mode::Infer, 2, precision, {}, std::move(quantisation)}).value();
}

// A convolution, a residual block with a convolution in its shortcut, and a dense layer.
model::Graph residual() {
    model::GraphBuilder g("residual");
    auto x = g.input({3, 8, 8});
    x = g.relu(g.conv(x, square(8, 3, 1, 1)));                                    // conv2d_1, activation_1
    const auto shortcut = g.add(model::BatchNorm{}, {g.conv(x, square(16, 1))});  // conv2d_2, batch_norm_1
    auto y = g.relu(g.conv(x, square(8, 3, 1, 1)));                               // conv2d_3, activation_2
    y = g.add(model::BatchNorm{}, {g.conv(y, square(16, 3, 1, 1))});              // conv2d_4, batch_norm_2
    y = g.relu(g.add(model::Add{}, {shortcut, y}));                               // add_1, activation_3
    g.head(g.dense(g.flatten(g.maxPool(y, 2, 2)), 10));
    return std::move(g).build().value();
}

TEST(Quantisation, BytesAreWhatProductsPoolsAndSumsReadAndWrite) {
    const auto plan = lowered(residual());
    for (const char* name : {"activation_1", "activation_2", "activation_3", "pool2d_1", "flatten_1"})
        EXPECT_EQ(named(plan, name).type, DataType::UInt8) << name;
    EXPECT_EQ(named(plan, "batch_norm_1").type, DataType::Int8);  // the shortcut, below zero too
    // Inside a chain, the operand added as it is computed, the input and the logits.
    for (const char* name : {"conv2d_1", "conv2d_2", "conv2d_4", "batch_norm_2", "add_1", "input_1", "dense_1"})
        EXPECT_EQ(named(plan, name).type, DataType::Float32) << name;
    for (const auto& tensor : lowered(residual(), Precision::Fp32).tensors) EXPECT_FALSE(isEightBit(tensor));
}

TEST(Quantisation, WhatAnotherOperationReadsStaysFloat) {
    model::GraphBuilder g("normalised");
    const auto x = g.relu(g.dense(g.input({4, 16}), 16));  // activation_1: also read by the normalisation
    const auto y = g.add(model::LayerNorm{}, {x});
    g.head(g.dense(g.flatten(g.add(model::Add{}, {g.relu(g.dense(y, 16)), x})), 5));
    const auto plan = lowered(std::move(g).build().value());
    EXPECT_EQ(named(plan, "activation_1").type, DataType::Float32);
    EXPECT_EQ(named(plan, "layer_norm_1").type, DataType::Float32);
    EXPECT_EQ(named(plan, "activation_2").type, DataType::UInt8);
}

TEST(Quantisation, WhatIsJoinedHasOneGrid) {
    model::GraphBuilder g("joined");
    const auto x = g.relu(g.conv(g.input({3, 6, 6}), square(4, 3, 1, 1)));
    const auto left = g.relu(g.conv(x, square(4, 1)));
    const auto right = g.conv(x, square(4, 1));
    g.head(g.dense(g.flatten(g.add(model::Concat{}, {left, right})), 3));
    const auto graph = std::move(g).build().value();
    auto plan = lowered(graph);
    std::vector<float> ranges(plan.tensors.size(), 0.0F);
    const auto range = [&](const char* name) -> float& {
        return ranges[static_cast<std::size_t>(named(plan, name).id)];
    };
    range("activation_2") = 2;
    range("conv2d_3") = 5;
    range("concat_1") = 5;
    range("activation_1") = 3;
    ranges = sharedRanges(plan, ranges);
    EXPECT_EQ(range("activation_2"), 5);
    EXPECT_EQ(range("conv2d_3"), 5);
    EXPECT_EQ(range("activation_1"), 3);
    plan = lowered(graph, Precision::Int8, {ranges, 127});
    for (const char* name : {"activation_2", "conv2d_3", "concat_1", "flatten_1"}) {
        const auto grid = gridOf(plan, named(plan, name).id);
        EXPECT_EQ(named(plan, name).type, DataType::Int8) << name;  // one of them may be below zero
        EXPECT_TRUE(grid.isSigned) << name;
    }
    EXPECT_FLOAT_EQ(gridOf(plan, named(plan, "concat_1").id).step, 5.0F / 127);
    EXPECT_FLOAT_EQ(gridOf(plan, named(plan, "activation_1").id).step, 3.0F / 255);
}

TEST(Quantisation, MemoryAndTrafficCountBytes) {
    for (const char* name : {"resnet18", "mobilenet_v2", "bert_base_128"}) {
        const auto graph = model::findWorkload(name).value()->build().value();
        const auto bytes = lowered(graph), floats = lowered(graph, Precision::Fp32);
        const auto weights = [](const Plan& plan) { return static_cast<double>(plan.memory.weights.value()); };
        EXPECT_LE(bytes.memory.activations.value(), floats.memory.activations.value()) << name;
        EXPECT_LT(bytes.stepBytes(), 0.8 * floats.stepBytes()) << name;
        EXPECT_EQ(bytes.stepFlops(), floats.stepFlops()) << name;
        // Embedding tables of a language model are unchanged.
        EXPECT_LT(weights(bytes), (std::string(name) == "bert_base_128" ? 0.5 : 0.3) * weights(floats)) << name;
    }
}

TEST(Quantisation, TrainingIsRefused) {
    const auto refused = lower(residual(), {Mode::Train, 2, Precision::Int8, {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    EXPECT_NE(describe(refused.error()).find("inference"), std::string::npos) << describe(refused.error());
}

}  // namespace
}  // namespace steelyard::plan
