// SPDX-License-Identifier: Apache-2.0
// Training through the operations of imported networks: gradients equal central differences of the loss, and the CPU
// and a simulated GPU give the reference's.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "engine/compute/backend_comparison.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/model/training_graph.h"
#include "engine/plan/plan.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"
#include "tests/engine/compute/gradient_check.h"

namespace steelyard::compute {
namespace {

using model::ArrayOperation;
using model::DataType;
using model::Map;
using model::MapKind;
using model::NodeId;
using model::Shape;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A graph of parameters and array operations; the last node, flattened, is the scores of one sample.
class Network {
public:
    Network() {
        m_graph.name = "array";
        m_graph.wholeShapes = true;
        m_graph.fixedBatch = 1;
    }
    // A trainable array.
    NodeId parameter(Shape shape) { return constant(std::move(shape), true); }
    NodeId fixed(Shape shape) { return constant(std::move(shape), false); }
    // exp of a parameter.
    NodeId positive(Shape shape) { return add(Map{MapKind::Exp}, {parameter(std::move(shape))}); }
    // Indices below `limit`, those of a look-up.
    NodeId indices(Shape shape, const std::vector<double>& values) {
        model::Node node;
        node.layer = model::Constant{};
        node.type = DataType::Int32;
        model::ParameterSpec spec{"indices", shape, {}, false};
        spec.type = DataType::Int32;
        spec.values = std::make_shared<Listed>(std::vector<float>(values.begin(), values.end()));
        node.parameters = {own(std::move(spec))};
        node.output = std::move(shape);
        return append(std::move(node));
    }
    NodeId add(ArrayOperation operation, std::vector<NodeId> inputs, DataType type = DataType::Float32) {
        std::vector<Shape> shapes;
        for (auto id : inputs) shapes.push_back(shapeOf(id));
        auto shape = model::arrayShape(operation, shapes);
        EXPECT_TRUE(shape) << describe(shape.error());
        model::Node node;
        node.layer = model::ArrayLayer{std::move(operation)};
        node.inputs = std::move(inputs);
        node.output = shape.value_or(Shape{1});
        node.type = type;
        return append(std::move(node));
    }
    // A layer whose result has the shape of its first input.
    NodeId layer(model::Layer layer, std::vector<NodeId> inputs, std::vector<model::ParameterId> parameters = {}) {
        model::Node node;
        node.parameters = std::move(parameters);
        node.layer = std::move(layer);
        node.output = shapeOf(inputs[0]);
        node.inputs = std::move(inputs);
        return append(std::move(node));
    }
    [[nodiscard]] const Shape& shapeOf(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)].output; }

    // Owned by the next node.
    model::ParameterId own(model::ParameterSpec spec) {
        const auto id = static_cast<model::ParameterId>(m_graph.parameters.size());
        m_graph.parameters.push_back({id, spec.name + std::to_string(id), std::move(spec), nextNode()});
        return id;
    }

    // With the last node as the output.
    model::Graph graph() {
        m_graph.heads = {{static_cast<NodeId>(m_graph.nodes.size()) - 1, model::LossKind::None, 1.0, false}};
        return m_graph;
    }
    model::Graph build() {
        const auto last = static_cast<NodeId>(m_graph.nodes.size()) - 1;
        const auto elements = model::elementCount(shapeOf(last));
        // A square first, so that the gradient of the last operation differs by element.
        const auto squared = add(Map{MapKind::Mul}, {last, last});
        const auto flat = add(model::Rearrange{{elements}, {1}, 0, {1, elements}}, {squared});
        m_graph.heads = {{flat, model::LossKind::None, 1.0, false}};
        return m_graph;
    }

private:
    class Listed : public model::ParameterValues {
    public:
        explicit Listed(std::vector<float> values) : m_values(std::move(values)) {}
        [[nodiscard]] Result<void> read(std::span<float> values) const override {
            std::copy(m_values.begin(), m_values.end(), values.begin());
            return {};
        }

    private:
        std::vector<float> m_values;
    };

    NodeId constant(Shape shape, bool trainable) {
        model::Node node;
        node.layer = model::Constant{};
        node.parameters = {own({"array", shape, {model::InitKind::Uniform, 0.5, 1, 1}, trainable})};
        node.output = std::move(shape);
        return append(std::move(node));
    }
    [[nodiscard]] NodeId nextNode() const { return static_cast<NodeId>(m_graph.nodes.size()); }
    NodeId append(model::Node node) {
        node.id = nextNode();
        node.name = "node_" + std::to_string(node.id);
        m_graph.nodes.push_back(std::move(node));
        return m_graph.nodes.back().id;
    }

    model::Graph m_graph;
};

struct Case {
    std::string name;
    std::function<void(Network&)> build;
};

Case unary(std::string name, Map map, bool positive = false) {
    return {std::move(name), [map, positive](Network& n) {
                n.add(map, {positive ? n.positive({3, 5}) : n.parameter({3, 5})});
            }};
}
Case binary(std::string name, MapKind kind, Shape a, Shape b, bool positive = false) {
    return {std::move(name), [=](Network& n) {
                const auto left = positive ? n.positive(a) : n.parameter(a);
                n.add(Map{kind}, {left, positive ? n.positive(b) : n.parameter(b)});
            }};
}
Case on(std::string name, Shape shape, ArrayOperation operation, bool positive = false) {
    return {std::move(name),
            [=](Network& n) { n.add(operation, {positive ? n.positive(shape) : n.parameter(shape)}); }};
}
Case of(std::string name, std::vector<Shape> shapes, ArrayOperation operation) {
    return {std::move(name), [=](Network& n) {
                std::vector<NodeId> inputs;
                for (const auto& shape : shapes) inputs.push_back(n.parameter(shape));
                n.add(operation, inputs);
            }};
}
Case looksUp(std::string name, Shape shape, model::LookUp operation, Shape indexShape, std::vector<double> indices) {
    return {std::move(name), [=](Network& n) {
                const auto data = n.parameter(shape);
                n.add(operation, {data, n.indices(indexShape, indices)});
            }};
}

// Three steps of two samples with three features; with biases and initial states if there are any.
Case recurrent(std::string name, model::PassCell cell, model::PassDirection direction, bool linear, bool whole) {
    return {std::move(name), [=](Network& n) {
                const std::int64_t gates = cell == model::PassCell::Lstm ? 4 : cell == model::PassCell::Gru ? 3 : 1;
                const std::int64_t directions = direction == model::PassDirection::Bidirectional ? 2 : 1, units = 2;
                model::RecurrentPass l{
                    .cell = cell, .direction = direction, .units = units, .linearBeforeReset = linear};
                std::vector<NodeId> inputs{n.parameter({3, 2, 3}), n.parameter({directions, gates * units, 3}),
                                           n.parameter({directions, gates * units, units})};
                if (whole) {
                    l.hasBias = l.hasHidden = true;
                    l.hasCell = cell == model::PassCell::Lstm;
                    inputs.push_back(n.parameter({directions, 2 * gates * units}));
                    inputs.push_back(n.parameter({directions, 2, units}));
                    if (l.hasCell) inputs.push_back(n.parameter({directions, 2, units}));
                }
                n.add(l, inputs);
            }};
}

std::vector<Case> cases() {
    using K = model::ReduceKind;
    using N = model::NormaliseKind;
    std::vector<Case> list{
        unary("identity", {MapKind::Identity}),
        unary("neg", {MapKind::Neg}),
        unary("abs", {MapKind::Abs}),
        unary("exp", {MapKind::Exp}),
        unary("log", {MapKind::Log}, true),
        unary("sqrt", {MapKind::Sqrt}, true),
        unary("reciprocal", {MapKind::Reciprocal}, true),
        unary("erf", {MapKind::Erf}),
        unary("sin", {MapKind::Sin}),
        unary("cos", {MapKind::Cos}),
        unary("tan", {MapKind::Tan}),
        unary("atan", {MapKind::Atan}),
        unary("sinh", {MapKind::Sinh}),
        unary("cosh", {MapKind::Cosh}),
        unary("tanh", {MapKind::Tanh}),
        unary("sigmoid", {MapKind::Sigmoid}),
        unary("relu", {MapKind::Relu}),
        unary("gelu", {MapKind::Gelu}),
        unary("gelu_tanh", {MapKind::GeluTanh}),
        unary("softplus", {MapKind::Softplus}),
        unary("softsign", {MapKind::Softsign}),
        unary("elu", {MapKind::Elu, 1.3}),
        unary("leaky_relu", {MapKind::LeakyRelu, 0.1}),
        unary("hard_sigmoid", {MapKind::HardSigmoid, 0.9, 0.5}),
        unary("hard_swish", {MapKind::HardSwish}),
        unary("clip", {MapKind::Clip, -0.6, 0.7}),
        unary("clip_above", {MapKind::Clip, -kInfinite, 0.2}),
        unary("scale", {MapKind::Scale, -1.7, 0.4}),
        binary("add", MapKind::Add, {2, 3}, {2, 3}),
        binary("add_broadcast", MapKind::Add, {2, 3, 4}, {3, 1}),
        binary("add_both_broadcast", MapKind::Add, {2, 1, 4}, {3, 1}),
        binary("sub", MapKind::Sub, {4}, {2, 4}),
        binary("mul", MapKind::Mul, {2, 3, 4}, {1, 4}),
        binary("div", MapKind::Div, {2, 3}, {3}, true),
        binary("max", MapKind::Max, {2, 5}, {2, 5}),
        binary("min", MapKind::Min, {2, 5}, {5}),
        binary("mean", MapKind::Mean, {2, 5}, {5}),
        binary("prelu", MapKind::PRelu, {2, 3, 2}, {3, 1}),
        {"pow", [](Network& n) { n.add(Map{MapKind::Pow}, {n.positive({2, 3}), n.fixed({2, 3})}); }},
        {"add_of_three",
         [](Network& n) { n.add(Map{MapKind::Add}, {n.parameter({2, 3}), n.parameter({3}), n.parameter({2, 1})}); }},
        {"add_to_itself",
         [](Network& n) {
             const auto x = n.parameter({2, 3});
             n.add(Map{MapKind::Add}, {x, x});
         }},
        {"where",
         [](Network& n) {
             const auto x = n.parameter({2, 3});
             const auto which = n.add(Map{MapKind::Greater}, {x, n.fixed({3})}, DataType::Int32);
             n.add(Map{MapKind::Where}, {which, x, n.parameter({2, 3})});
         }},
        {"used_several_times",
         [](Network& n) {
             const auto x = n.add(Map{MapKind::Tanh}, {n.parameter({3, 3})});
             const auto y = n.add(Map{MapKind::Add}, {x, n.parameter({3})});
             const auto z = n.add(model::MatrixProduct{}, {x, y});
             n.add(Map{MapKind::Add}, {n.add(Map{MapKind::Add}, {x, z}), y});
         }},
        {"not_trained_through",
         [](Network& n) {
             const auto x = n.parameter({2, 3});
             const auto which = n.add(Map{MapKind::Floor}, {n.add(Map{MapKind::Exp}, {x})});
             n.add(Map{MapKind::Mul}, {which, x});
         }},
        // Wide enough for every way to compute a convolution; weights change from step to step.
        {"residual_convolutions",
         [](Network& n) {
             auto x = n.parameter({1, 16, 60});
             for (int block = 0; block < 2; ++block) {
                 const auto edge = [&](std::int64_t offset) {
                     return n.add(model::Rearrange{{1, 16, 1}, {960, 60, 1}, offset, {1, 16, 1}}, {x});
                 };
                 const auto padded = n.add(model::JoinArrays{2}, {edge(0), x, edge(59)});
                 auto y = n.add(model::ConvolveNd{{3}, {1}, {1}, {0}, {0}},
                                {padded, n.parameter({16, 16, 3}), n.parameter({16})});
                 y = n.layer(model::Activation{model::ActivationKind::Gelu}, {y});
                 x = n.layer(model::Add{}, {y, x});
             }
         }},
        {"convolution_and_relu",
         [](Network& n) {
             const auto y = n.add(model::ConvolveNd{{3}, {1}, {1}, {1}, {1}},
                                  {n.parameter({2, 8, 40}), n.parameter({16, 8, 3}), n.parameter({16})});
             n.layer(model::Activation{model::ActivationKind::Relu}, {y});
         }},
        // The weights of two layers are one parameter, their biases are not.
        {"tied_weights",
         [](Network& n) {
             auto x = n.parameter({2, 3});
             const auto weight = n.own({"weight", {3, 3}, {model::InitKind::Uniform, 0.5, 1, 1}});
             for (int layer = 0; layer < 3; ++layer) {
                 const auto bias = n.own({"bias", {3}, {model::InitKind::Uniform, 0.5, 1, 1}});
                 x = n.layer(model::Dense{3, true}, {x}, {weight, bias});
             }
         }},
        on("transpose", {2, 3, 4}, model::Rearrange{{4, 2, 3}, {1, 12, 4}, 0, {4, 2, 3}}),
        on("slice", {4, 5}, model::Rearrange{{2, 3}, {10, 1}, 6, {2, 3}}),
        on("slice_in_steps", {3, 7}, model::Rearrange{{3, 3}, {7, 3}, 0, {9}}),
        on("reverse", {3, 4}, model::Rearrange{{3, 4}, {-4, -1}, 11, {3, 4}}),
        on("reverse_and_step", {2, 6}, model::Rearrange{{2, 3}, {6, -2}, 5, {2, 3}}),
        on("expand", {2, 1, 3}, model::Rearrange{{2, 4, 3}, {3, 0, 1}, 0, {2, 4, 3}}),
        on("expand_and_transpose", {2, 3}, model::Rearrange{{3, 4, 2}, {1, 0, 3}, 0, {3, 4, 2}}),
        on("one_element", {2, 3}, model::Rearrange{{1}, {1}, 4, {1, 1}}),
        on("pad", {2, 3}, model::PadArray{model::PadMode::Constant, {1, 0}, {2, 1}, 0.5}),
        on("cut", {4, 5}, model::PadArray{model::PadMode::Constant, {-1, 0}, {0, -2}, 0}),
        of("join", {{2, 3, 2}, {2, 1, 2}, {2, 2, 2}}, model::JoinArrays{1}),
        on("reduce_sum", {2, 3, 4}, model::Reduce{K::Sum, {0, 2}, false}),
        on("reduce_mean", {2, 3, 4}, model::Reduce{K::Mean, {1}, true}),
        on("reduce_max", {3, 4}, model::Reduce{K::Max, {1}, false}),
        on("reduce_min", {3, 4}, model::Reduce{K::Min, {0}, true}),
        on("reduce_l1", {3, 4}, model::Reduce{K::L1, {1}, false}),
        on("reduce_l2", {3, 4}, model::Reduce{K::L2, {1}, true}),
        on("reduce_sum_square", {3, 4}, model::Reduce{K::SumSquare, {0}, false}),
        on("reduce_log_sum_exp", {3, 4}, model::Reduce{K::LogSumExp, {1}, false}),
        looksUp("gather", {4, 3}, {model::LookUpKind::Axis, 0}, {2, 3}, {0, 3, 1, 1, 3, 0}),
        looksUp("gather_elements", {3, 4}, {model::LookUpKind::Elements, 1}, {3, 2}, {0, 3, 2, 2, 1, 0}),
        looksUp("gather_nd", {3, 2, 2}, {model::LookUpKind::Nd}, {2, 2}, {0, 1, 2, 0}),
        of("product", {{2, 3}, {3, 4}}, model::MatrixProduct{}),
        of("product_broadcast", {{2, 2, 3}, {3, 4}}, model::MatrixProduct{}),
        of("product_both_broadcast", {{2, 1, 2, 3}, {3, 3, 2}}, model::MatrixProduct{}),
        of("vector_times_matrix", {{3}, {3, 4}}, model::MatrixProduct{}),
        of("matrix_times_vector", {{2, 3, 4}, {4}}, model::MatrixProduct{}),
        of("vector_times_vector", {{4}, {4}}, model::MatrixProduct{}),
        on("softmax", {2, 5}, model::SoftmaxAlong{1}),
        on("softmax_of_first", {3, 4}, model::SoftmaxAlong{0}),
        on("log_softmax", {2, 5}, model::SoftmaxAlong{1, true}),
        of("attention", {{2, 3, 4}, {2, 4, 5}, {2, 5, 3}}, model::AttendArrays{0.5}),
        of("masked_attention", {{2, 2, 3, 4}, {2, 2, 4, 5}, {2, 2, 5, 4}, {3, 5}}, model::AttendArrays{0.7}),
        of("convolution_1d", {{2, 3, 7}, {4, 3, 3}, {4}}, model::ConvolveNd{{3}, {1}, {1}, {1}, {1}}),
        of("convolution_1d_dilated", {{2, 2, 9}, {3, 2, 3}}, model::ConvolveNd{{3}, {1}, {2}, {2}, {2}}),
        of("convolution_1d_stride", {{1, 2, 10}, {3, 2, 3}}, model::ConvolveNd{{3}, {2}, {1}, {0}, {0}}),
        of("convolution_2d_uneven", {{1, 2, 5, 6}, {2, 2, 3, 2}, {2}},
           model::ConvolveNd{{3, 2}, {2, 3}, {1, 1}, {1, 0}, {0, 1}}),
        of("convolution_3d", {{1, 2, 3, 3, 4}, {2, 2, 2, 2, 2}},
           model::ConvolveNd{{2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}}),
        {"convolution_groups",
         [](Network& n) {
             n.add(model::ConvolveNd{{3}, {1}, {1}, {1}, {1}, 2}, {n.parameter({1, 4, 5}), n.fixed({4, 2, 3})});
         }},
        on("resize", {1, 2, 2, 3},
           model::ResizeArray{model::ResizeMode::Nearest, model::Coordinates::Asymmetric, model::Nearest::Floor,
                              {1, 1, 2, 2}, {1, 2, 4, 6}}),
        on("resize_linear", {1, 2, 3, 4},
           model::ResizeArray{model::ResizeMode::Linear, model::Coordinates::HalfPixel, model::Nearest::Floor,
                              {1, 1, 2, 2.5}, {1, 2, 6, 10}}),
        on("resize_linear_corners", {1, 1, 3, 9},
           model::ResizeArray{model::ResizeMode::Linear, model::Coordinates::AlignCorners, model::Nearest::Floor,
                              {1, 1, 2, 2}, {1, 1, 6, 18}}),
        on("resize_smaller", {1, 2, 7, 8},
           model::ResizeArray{model::ResizeMode::Linear, model::Coordinates::PytorchHalfPixel, model::Nearest::Floor,
                              {1, 1, 3.0 / 7, 0.5}, {1, 2, 3, 4}}),
        on("resize_cubic", {1, 1, 4, 5},
           model::ResizeArray{model::ResizeMode::Cubic, model::Coordinates::HalfPixel, model::Nearest::Floor,
                              {1, 1, 1.5, 2}, {1, 1, 6, 10}}),
        on("resize_nearest_smaller", {2, 5, 9},
           model::ResizeArray{model::ResizeMode::Nearest, model::Coordinates::Asymmetric, model::Nearest::Floor,
                              {1, 1, 4.0 / 9}, {2, 5, 4}}),
        on("resize_nearest_uneven", {1, 5, 9},
           model::ResizeArray{model::ResizeMode::Nearest, model::Coordinates::HalfPixel,
                              model::Nearest::RoundPreferFloor, {1, 1.6, 1}, {1, 8, 9}}),
        recurrent("lstm", model::PassCell::Lstm, model::PassDirection::Forward, false, true),
        recurrent("lstm_both", model::PassCell::Lstm, model::PassDirection::Bidirectional, false, true),
        recurrent("lstm_plain", model::PassCell::Lstm, model::PassDirection::Reverse, false, false),
        recurrent("gru", model::PassCell::Gru, model::PassDirection::Bidirectional, false, true),
        recurrent("gru_plain", model::PassCell::Gru, model::PassDirection::Forward, false, false),
        recurrent("gru_linear", model::PassCell::Gru, model::PassDirection::Bidirectional, true, true),
        recurrent("gru_linear_plain", model::PassCell::Gru, model::PassDirection::Reverse, true, false),
        recurrent("rnn", model::PassCell::Rnn, model::PassDirection::Bidirectional, false, true),
        on("max_pool_1d", {2, 2, 9}, model::PoolNd{model::WindowKind::Max, {3}, {2}, {1}, {1}, {1}}),
        on("max_pool_2d", {1, 2, 5, 7}, model::PoolNd{model::WindowKind::Max, {2, 3}, {2, 2}, {1, 2}, {0, 1}, {1, 0}}),
        on("average_pool_1d", {2, 2, 9}, model::PoolNd{model::WindowKind::Average, {3}, {2}, {1}, {0}, {0}}),
        on("average_pool_padded", {1, 2, 6},
           model::PoolNd{model::WindowKind::Average, {3}, {1}, {1}, {1}, {1}, false, true}),
        on("local_response", {2, 6, 3},
           model::Normalise{.kind = N::LocalResponse, .size = 4, .alpha = 0.9, .beta = 0.75, .bias = 1.5}),
        of("instance_norm", {{2, 3, 4}, {3}, {3}}, model::Normalise{N::Instance}),
        of("group_norm", {{2, 4, 3}, {4}, {4}}, model::Normalise{.kind = N::Group, .groups = 2}),
        of("layer_norm", {{2, 3, 4}, {4}, {4}}, model::Normalise{.kind = N::Layer, .axis = 2}),
        of("layer_norm_of_two", {{2, 3, 4}, {3, 4}, {3, 4}}, model::Normalise{.kind = N::Layer, .axis = 1}),
        of("rms_norm", {{2, 3, 4}, {4}}, model::Normalise{.kind = N::RootMeanSquare, .axis = 2}),
        on("cumulative_sum", {2, 4}, model::CumulativeSum{1}),
        on("cumulative_sum_exclusive", {3, 2}, model::CumulativeSum{0, true, true}),
        on("triangle", {3, 4}, model::Triangle{true, 1}),
    };
    model::ConvolveNd transposed{{3, 2}, {2, 1}, {1, 1}, {1, 0}, {0, 0}};
    transposed.transposed = true;
    transposed.outputPadding = {1, 0};
    list.push_back(of("transposed_convolution", {{1, 2, 3, 4}, {2, 3, 3, 2}, {3}}, transposed));
    return list;
}

class ArrayGradients : public ::testing::TestWithParam<Case> {
protected:
    model::Graph graph() const {
        Network network;
        GetParam().build(network);
        return network.build();
    }
};

TEST_P(ArrayGradients, EqualCentralDifferences) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto error = checkGradients(graph(), {.batch = 1, .seed = seed, .step = 1e-3});
        EXPECT_LT(error.relative, 1e-2) << "seed " << seed << ": " << error.parameter;
        EXPECT_GT(error.gradientNorm, 1e-4);
    }
}

TEST_P(ArrayGradients, AreThoseOfTheReferenceOnEveryBackend) {
    const auto plan = std::make_shared<const plan::Plan>(
        plan::lower(graph(), {plan::Mode::Train, 1, plan::Precision::Fp32, {}}).value());
    const auto reference = makeReferenceBackend();
    const auto cpu = makeCpuBackend();
    const auto gpu = cuda::test::gpuUnderTest();
    for (const auto& [backend, device] : {std::pair<Backend*, const char*>{cpu.get(), "cpu"}, {gpu.get(), "cuda:0"}})
        for (const bool keep : {true, false}) {
            const auto compared = compareBackends(
                *backend, *reference, plan, {.device = device, .threads = 2, .seed = 3, .keepGradients = keep}, {});
            ASSERT_TRUE(compared) << device << ": " << describe(compared.error());
            EXPECT_TRUE(compared->unusable.empty()) << device << ": " << compared->unusable.text;
            const auto* largest = compared->largest();
            ASSERT_NE(largest, nullptr);
            EXPECT_LT(largest->relative, 2e-4) << device << ": " << largest->tensor;
        }
}

// In bfloat16, whose rounding of intermediate results differs between backends; operands of the wrong type give errors
// of 1 and more.
TEST_P(ArrayGradients, AreThoseOfTheReferenceInBfloat16) {
    const auto plan = std::make_shared<const plan::Plan>(
        plan::lower(graph(), {plan::Mode::Train, 1, plan::Precision::Bf16, {}}).value());
    const auto reference = makeReferenceBackend();
    const auto cpu = makeCpuBackend();
    for (const auto& operation : plan->operations)
        if (!cpu->supports(operation, *plan)) GTEST_SKIP() << "this processor has no bfloat16 products";
    const auto compared =
        compareBackends(*cpu, *reference, plan, {.device = "cpu", .threads = 2, .seed = 3, .keepGradients = true}, {});
    ASSERT_TRUE(compared) << describe(compared.error());
    EXPECT_TRUE(compared->unusable.empty()) << compared->unusable.text;
    const auto* largest = compared->largest();
    ASSERT_NE(largest, nullptr);
    EXPECT_LT(largest->relative, 0.2) << largest->tensor;
}

INSTANTIATE_TEST_SUITE_P(Training, ArrayGradients, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST(TrainingGraph, EndsInALossOfItsFirstOutput) {
    Network scores;
    scores.add(model::SoftmaxAlong{1}, {scores.parameter({2, 5})});
    const auto classes = model::trainingGraph(scores.graph());
    ASSERT_TRUE(classes) << describe(classes.error());
    EXPECT_EQ(classes->heads[0].logits, 0) << "the softmax is part of the loss";
    EXPECT_EQ(classes->heads[0].loss, model::LossKind::SoftmaxCrossEntropy);

    Network one;
    one.add(Map{MapKind::Sigmoid}, {one.parameter({3, 1})});
    EXPECT_EQ(model::trainingGraph(one.graph())->heads[0].loss, model::LossKind::SigmoidCrossEntropy);

    Network pixels;
    pixels.parameter({2, 3, 4, 5});
    const auto graph = pixels.graph();
    const auto image = model::trainingGraph(graph);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->nodes.back().output, (Shape{2, 20, 3})) << "the classes of each pixel last";
}

TEST(TrainingGraph, RefusesByNameWhatHasNoGradient) {
    Network network;
    const auto x = network.parameter({4, 3});
    const auto at = network.indices({1, 1}, {2});
    network.add(Map{MapKind::Exp},
                {network.add(model::Scatter{model::ScatterKind::Nd}, {x, at, network.parameter({1, 3})})});
    const auto refused = model::trainingGraph(network.graph());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
    EXPECT_EQ(refused.error().subject, "node_3");
    const auto plan = plan::lower(network.graph(), {plan::Mode::Train, 1, plan::Precision::Fp32, {}});
    EXPECT_FALSE(plan);

    Network fixed;
    fixed.fixed({2, 3});
    EXPECT_EQ(model::trainingGraph(fixed.graph()).error().kind, ErrorKind::InvalidArgument);

    Network whole;
    whole.add(Map{MapKind::Greater}, {whole.parameter({2, 3}), whole.parameter({3})}, DataType::Int32);
    EXPECT_EQ(model::trainingGraph(whole.graph()).error().kind, ErrorKind::InvalidArgument);
}

}  // namespace
}  // namespace steelyard::compute
