// SPDX-License-Identifier: Apache-2.0
// Every operation of imported networks on the CPU and on a simulated GPU against the naive evaluation, in float32 and
// narrower types; and what the backends fuse.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/cpu/operations/array/convolution_1d.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/plan/plan.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"

namespace steelyard::compute {
namespace {

using model::ArrayOperation;
using model::DataType;
using model::MapKind;
using model::Shape;

struct Operand {
    Shape shape;
    double low = -2, high = 2;
    bool integer = false;
    bool constant = false;
    bool computed = false;  // an integer that an operation gives, which no backend checks as it is written
};

// One operand after the other, then operations; the last node is the answer.
class Network {
public:
    explicit Network(const std::vector<Operand>& operands) : m_operands(operands) {
        m_graph.name = "array";
        m_graph.wholeShapes = true;
        m_graph.fixedBatch = 1;
        for (const auto& operand : operands) {
            model::Node node;
            node.layer = model::Input{operand.shape, operand.integer ? DataType::Int32 : DataType::Float32, 0};
            node.output = operand.shape;
            node.type = operand.integer ? DataType::Int32 : DataType::Float32;
            if (operand.constant) {
                node.layer = model::Constant{};
                model::ParameterSpec spec{"constant", operand.shape, {model::InitKind::Uniform, operand.high, 1, 1}};
                node.parameters = {parameter(spec)};
            }
            append(std::move(node));
        }
    }
    model::NodeId add(ArrayOperation operation, std::vector<model::NodeId> inputs, bool integer = false) {
        std::vector<Shape> shapes;
        for (auto id : inputs) shapes.push_back(m_graph.nodes[static_cast<std::size_t>(id)].output);
        auto shape = model::arrayShape(operation, shapes);
        EXPECT_TRUE(shape) << describe(shape.error());
        model::Node node;
        node.layer = model::ArrayLayer{std::move(operation)};
        node.inputs = std::move(inputs);
        node.output = *shape;
        node.type = integer ? DataType::Int32 : DataType::Float32;
        return append(std::move(node));
    }
    model::NodeId layer(model::Layer layer, std::vector<model::NodeId> inputs, Shape shape,
                        const std::vector<Shape>& parameters = {}) {
        model::Node node;
        node.layer = std::move(layer);
        node.inputs = std::move(inputs);
        node.output = std::move(shape);
        for (const auto& one : parameters)
            node.parameters.push_back(parameter({"weight", one, {model::InitKind::Uniform, 0.5, 1, 1}}));
        return append(std::move(node));
    }

    [[nodiscard]] const Shape& shapeOf(model::NodeId id) const {
        return m_graph.nodes[static_cast<std::size_t>(id)].output;
    }

    // The answer on a backend; the same inputs whatever the backend and precision.
    std::vector<float> run(Backend& backend, const std::string& device, plan::Precision precision) {
        m_graph.heads = {{static_cast<model::NodeId>(m_graph.nodes.size()) - 1, model::LossKind::None, 1.0, false}};
        auto lowered = plan::lower(m_graph, {plan::Mode::Infer, 1, precision, {}});
        EXPECT_TRUE(lowered) << describe(lowered.error());
        const auto plan = std::make_shared<const plan::Plan>(std::move(*lowered));
        CompileOptions options;
        options.device = device;
        options.threads = 2;
        auto executable = backend.compile(plan, options);
        EXPECT_TRUE(executable) << describe(executable.error());
        for (std::size_t p = 0; p < plan->parameters.size(); ++p) {
            std::vector<float> values;
            EXPECT_TRUE(model::initialValues(plan->parameters[p], 7, values));
            EXPECT_TRUE((*executable)->write(plan->parameterTensors[p], values));
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < m_operands.size(); ++i) {
            const auto& operand = m_operands[i];
            if (operand.constant) continue;
            std::mt19937 random(static_cast<unsigned>(11 + i));
            const auto count = static_cast<std::size_t>(model::elementCount(operand.shape));
            const auto id = plan->inputs[next++];
            if (operand.integer) {
                std::vector<std::int32_t> values(count);
                for (auto& v : values)
                    v = static_cast<std::int32_t>(operand.low) +
                        static_cast<std::int32_t>(random() % static_cast<unsigned>(operand.high - operand.low + 1));
                EXPECT_TRUE((*executable)->write(id, values));
            } else {
                std::vector<float> values(count);
                // Multiples of 1/64, so that bfloat16 holds them and comparisons do not depend on rounding.
                for (auto& v : values) {
                    const auto steps = static_cast<int>((operand.high - operand.low) * 64);
                    v = static_cast<float>(operand.low) +
                        static_cast<float>(random() % static_cast<unsigned>(steps + 1)) / 64.0F;
                }
                EXPECT_TRUE((*executable)->write(id, values));
            }
        }
        EXPECT_TRUE((*executable)->step({}));
        // Twice: a step leaves its inputs as they were.
        EXPECT_TRUE((*executable)->step({}));
        const auto answer = plan->heads[0].probabilities;
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(answer).elements()));
        EXPECT_TRUE((*executable)->read(answer, values));
        return values;
    }

    // The CPU's answer is the reference's.
    void expectEqual(double tolerance = 2e-5) {
        const auto reference = makeReferenceBackend();
        const auto cpu = makeCpuBackend();
        const auto expected = run(*reference, "reference", plan::Precision::Fp32);
        compare(run(*cpu, "cpu", plan::Precision::Fp32), expected, tolerance);
        model::Node probe;
        plan::Plan bf16;
        bf16.options.precision = plan::Precision::Bf16;
        if (!cpu->supports({}, bf16)) GTEST_SKIP() << "this processor has no bfloat16 products";
        compare(run(*cpu, "cpu", plan::Precision::Bf16), run(*reference, "reference", plan::Precision::Bf16), 4e-2);
    }

    // The simulated GPU's is, too, in every precision; images with the channels last where the network allows it.
    // `narrow`: not where a comparison of rounded values decides.
    void expectEqualOnGpu(double tolerance = 2e-5, bool narrow = true) {
        const auto reference = makeReferenceBackend();
        for (const bool last : {false, true}) {
            const auto gpu = cuda::test::gpuUnderTest({.channelsLastFactor = last ? 0.1 : 10});
            compare(run(*gpu, "cuda:0", plan::Precision::Fp32), run(*reference, "reference", plan::Precision::Fp32),
                    tolerance);
            for (const auto precision : {plan::Precision::Bf16, plan::Precision::Fp16})
                if (narrow) compare(run(*gpu, "cuda:0", precision), run(*reference, "reference", precision), 4e-2);
        }
    }

    static void compare(const std::vector<float>& got, const std::vector<float>& expected, double tolerance) {
        ASSERT_EQ(got.size(), expected.size());
        double scale = 0;
        for (const float v : expected)
            if (std::isfinite(v)) scale = std::max(scale, static_cast<double>(std::abs(v)));
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (!std::isfinite(expected[i])) {
                EXPECT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << i;
                continue;
            }
            EXPECT_NEAR(got[i], expected[i], tolerance * std::max(1.0, scale)) << "element " << i;
        }
    }

private:
    model::ParameterId parameter(const model::ParameterSpec& spec) {
        const auto id = static_cast<model::ParameterId>(m_graph.parameters.size());
        m_graph.parameters.push_back({id, "parameter" + std::to_string(id), spec, 0});
        return id;
    }
    model::NodeId append(model::Node node) {
        node.id = static_cast<model::NodeId>(m_graph.nodes.size());
        node.name = "node" + std::to_string(node.id);
        m_graph.nodes.push_back(std::move(node));
        return m_graph.nodes.back().id;
    }
    std::vector<Operand> m_operands;
    model::Graph m_graph;
};

struct ArrayCase {
    std::string name;
    ArrayOperation operation;
    std::vector<Operand> operands;
    bool integer = false;
};

std::vector<ArrayCase> mapCases() {
    std::vector<ArrayCase> cases;
    for (int k = 0; k < static_cast<int>(MapKind::Add); ++k) {
        const auto kind = static_cast<MapKind>(k);
        model::Map map{kind, 0.5, 0.25};
        if (kind == MapKind::Clip) map = {kind, -0.5, 0.75};
        if (kind == MapKind::IsInf) map = {kind, 1, 1};
        Operand operand{{3, 5, 7}};
        if (kind == MapKind::Log || kind == MapKind::Sqrt || kind == MapKind::Reciprocal) operand.low = 0.25;
        if (kind == MapKind::Asin || kind == MapKind::Acos || kind == MapKind::Atanh)
            operand.low = -0.875, operand.high = 0.875;
        if (kind == MapKind::Acosh) operand.low = 1.125, operand.high = 3;
        if (kind == MapKind::Tan) operand.low = -1, operand.high = 1;
        cases.push_back({"unary_" + std::string(toString(kind)), map, {operand}});
    }
    for (int k = static_cast<int>(MapKind::Add); k < static_cast<int>(MapKind::Where); ++k) {
        const auto kind = static_cast<MapKind>(k);
        Operand a{{2, 3, 40}}, b{{3, 1}}, c{{40}}, same{{2, 3, 40}};
        if (kind == MapKind::Pow) a.low = same.low = 0.25;
        for (auto* divisor : {&b, &c, &same})
            if (kind == MapKind::Div || kind == MapKind::Mod || kind == MapKind::Fmod || kind == MapKind::IntegerDiv)
                divisor->low = 0.5;
        const auto name = std::string(toString(kind));
        cases.push_back({"rows_" + name, model::Map{kind}, {a, b}});
        cases.push_back({"columns_" + name, model::Map{kind}, {a, c}});
        cases.push_back({"equal_" + name, model::Map{kind}, {a, same}});
    }
    for (const auto kind : {MapKind::Add, MapKind::Max, MapKind::Min, MapKind::Mean})
        cases.push_back({"three_" + std::string(toString(kind)), model::Map{kind}, {{{4, 300}}, {{300}}, {{4, 1}}}});
    cases.push_back({"where", model::Map{MapKind::Where}, {{{4, 1, 6}, 0, 1, true}, {{3, 6}}, {{4, 3, 1}}}});
    cases.push_back({"long_rows", model::Map{MapKind::Mul}, {{{3, 2000}}, {{2000}}}});
    cases.push_back({"integers_add", model::Map{MapKind::Add}, {{{3, 4}, -50, 50, true}, {{4}, 0, 9, true}}, true});
    cases.push_back({"integers_mod", model::Map{MapKind::Mod}, {{{3, 4}, -50, 50, true}, {{4}, 1, 9, true}}, true});
    cases.push_back({"integers_less", model::Map{MapKind::Less}, {{{3, 4}, 0, 9, true}, {{4}, 0, 9, true}}, true});
    cases.push_back({"integers_and", model::Map{MapKind::And}, {{{3, 4}, 0, 1, true}, {{3, 4}, 0, 1, true}}, true});
    cases.push_back({"cast_to_float", model::Map{MapKind::Identity}, {{{3, 40}, -90, 90, true}}});
    cases.push_back({"cast_to_integer", model::Map{MapKind::Truncate}, {{{3, 40}, -3, 3}}, true});
    cases.push_back({"compare_floats", model::Map{MapKind::GreaterOrEqual}, {{{3, 40}}, {{40}}}, true});
    return cases;
}

std::vector<ArrayCase> moveCases() {
    using namespace model;
    return {
        {"transpose_inner",
         Rearrange{{2, 5, 70, 33}, {5 * 33 * 70, 33 * 70, 1, 70}, 0, {2, 5, 70, 33}},
         {{{2, 5, 33, 70}}}},
        {"transpose_heads", Rearrange{{2, 4, 9, 16}, {9 * 64, 16, 64, 1}, 0, {2, 4, 9, 16}}, {{{2, 9, 4, 16}}}},
        {"transpose_all", Rearrange{{3, 5, 7}, {1, 3, 15}, 0, {3, 5, 7}}, {{{7, 5, 3}}}},
        {"slice", Rearrange{{3, 2}, {8, -3}, 7, {3, 2}}, {{{3, 8}}}},
        {"expand", Rearrange{{4, 3, 5}, {0, 1, 0}, 0, {4, 3, 5}}, {{{3, 1}}}},
        {"integers", Rearrange{{4, 3}, {1, 4}, 0, {4, 3}}, {{{3, 4}, 0, 99, true}}, true},
        {"pad_constant", PadArray{PadMode::Constant, {0, 1, 2}, {1, 0, 3}, 1.5}, {{{2, 3, 4}}}},
        {"pad_edge", PadArray{PadMode::Edge, {0, 1, 2}, {1, 0, 3}, 0}, {{{2, 3, 4}}}},
        {"pad_reflect", PadArray{PadMode::Reflect, {0, 1, 2}, {1, 0, 3}, 0}, {{{2, 3, 4}}}},
        {"pad_wrap", PadArray{PadMode::Wrap, {0, 1, 2}, {1, 0, 3}, 0}, {{{2, 3, 4}}}},
        {"pad_cut", PadArray{PadMode::Constant, {0, -1, 0}, {0, 0, -2}, 0}, {{{2, 3, 4}}}},
        {"pad_integers", PadArray{PadMode::Constant, {1}, {2}, 7}, {{{4}, 0, 9, true}}, true},
        {"join", JoinArrays{1}, {{{2, 3, 4}}, {{2, 1, 4}}, {{2, 5, 4}, -1, 1, false, true}}},
        {"join_last", JoinArrays{2}, {{{2, 3, 4}}, {{2, 3, 1}}}},
        {"look_up", LookUp{LookUpKind::Axis, 0, 0}, {{{20, 6}}, {{2, 5}, 0, 19, true}}},
        {"look_up_constant", LookUp{LookUpKind::Axis, 0, 0}, {{{20, 6}, -1, 1, false, true}, {{7}, 0, 19, true}}},
        {"look_up_inner", LookUp{LookUpKind::Axis, 1, 0}, {{{3, 8, 4}}, {{5}, 0, 7, true}}},
        {"look_up_elements", LookUp{LookUpKind::Elements, 1, 0}, {{{3, 8}}, {{3, 2}, 0, 7, true}}},
        {"look_up_nd", LookUp{LookUpKind::Nd, 0, 0}, {{{3, 8, 2}}, {{5, 2}, 0, 2, true}}},
        // Indices out of range: not a number, or an update that is left out.
        {"look_up_beyond", LookUp{LookUpKind::Axis, 0, 0}, {{{20, 6}}, {{9}, -30, 30, true, false, true}}},
        {"look_up_inner_beyond", LookUp{LookUpKind::Axis, 1, 0}, {{{3, 8, 4}}, {{9}, -12, 12, true, false, true}}},
        {"look_up_integers_beyond",
         LookUp{LookUpKind::Axis, 0, 0},
         {{{20, 6}, 1, 9, true}, {{9}, -30, 30, true, false, true}},
         true},
        {"look_up_elements_beyond", LookUp{LookUpKind::Elements, 1, 0}, {{{3, 8}}, {{3, 5}, -12, 12, true}}},
        {"look_up_nd_beyond", LookUp{LookUpKind::Nd, 0, 0}, {{{3, 8, 2}}, {{9, 2}, -5, 5, true}}},
        {"scatter_elements_beyond",
         Scatter{ScatterKind::Elements, 0, ScatterReduction::Add},
         {{{4, 3}}, {{3, 3}, -6, 6, true}, {{3, 3}}}},
        {"scatter_nd_beyond",
         Scatter{ScatterKind::Nd, 0, ScatterReduction::Add},
         {{{4, 3}}, {{5, 1}, -6, 6, true}, {{5, 3}}}},
        {"scatter_elements",
         Scatter{ScatterKind::Elements, 0, ScatterReduction::Add},
         {{{4, 3}}, {{2, 3}, 0, 3, true}, {{2, 3}}}},
        {"scatter_nd", Scatter{ScatterKind::Nd, 0, ScatterReduction::Mul}, {{{4, 3}}, {{2, 1}, 0, 3, true}, {{2, 3}}}},
        {"cumulative_sum", CumulativeSum{1, true, false}, {{{3, 6}}}},
        {"cumulative_sum_back", CumulativeSum{0, false, true}, {{{3, 6}}}},
        {"triangle", Triangle{true, 1}, {{{2, 4, 5}}}},
        {"triangle_lower", Triangle{false, -1}, {{{2, 4, 5}}}},
    };
}

std::vector<ArrayCase> rowCases() {
    using namespace model;
    std::vector<ArrayCase> cases;
    for (int k = 0; k <= static_cast<int>(ReduceKind::ArgMin); ++k) {
        const auto kind = static_cast<ReduceKind>(k);
        const bool index = kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
        const double low = kind == ReduceKind::LogSum ? 0.5 : -2;
        const auto name = "reduce_" + std::to_string(k);
        cases.push_back({name + "_last", Reduce{kind, {2}, true, false}, {{{3, 4, 50}, low}}, index});
        cases.push_back({name + "_middle", Reduce{kind, {1}, false, false}, {{{3, 4, 50}, low}}, index});
        if (index) continue;
        cases.push_back({name + "_two", Reduce{kind, {1, 2}, false, false}, {{{3, 4, 5}, low, 1}}});
        cases.push_back({name + "_apart", Reduce{kind, {0, 2}, true, false}, {{{3, 4, 5}, low, 1}}});
        cases.push_back({name + "_all", Reduce{kind, {0, 1, 2}, true, false}, {{{3, 4, 5}, low, 1}}});
    }
    for (const bool logarithm : {false, true}) {
        const std::string name = logarithm ? "log_softmax" : "softmax";
        cases.push_back({name + "_last", SoftmaxAlong{2, logarithm}, {{{3, 4, 700}}}});
        cases.push_back({name + "_middle", SoftmaxAlong{1, logarithm}, {{{3, 14, 600}}}});
    }
    Normalise group;
    group.kind = NormaliseKind::Group;
    group.groups = 3;
    Normalise instance;
    Normalise layer;
    layer.kind = NormaliseKind::Layer;
    layer.axis = 1;
    Normalise rms = layer;
    rms.kind = NormaliseKind::RootMeanSquare;
    rms.axis = 2;
    Normalise response;
    response.kind = NormaliseKind::LocalResponse;
    response.size = 5;
    response.alpha = 0.5;
    Normalise even = response;
    even.size = 4;
    Normalise length;
    length.kind = NormaliseKind::Lp;
    length.axis = 1;
    Normalise moments;
    moments.kind = NormaliseKind::MeanVariance;
    moments.axes = {0, 2, 3};
    cases.push_back({"instance_norm", instance, {{{2, 6, 5, 7}}, {{6}}, {{6}}}});
    cases.push_back({"group_norm", group, {{{2, 6, 5, 7}}, {{6}}, {{6}}}});
    cases.push_back({"layer_norm", layer, {{{2, 3, 8}}, {{3, 8}}, {{3, 8}}}});
    cases.push_back({"layer_norm_broadcast", layer, {{{2, 3, 8}}, {{8}}}});
    cases.push_back({"rms_norm", rms, {{{2, 3, 300}}, {{300}, -1, 1, false, true}}});
    cases.push_back({"response_norm", response, {{{2, 9, 5, 7}}}});
    cases.push_back({"response_norm_even", even, {{{2, 9, 35}}}});
    cases.push_back({"length_norm", length, {{{2, 9, 35}}}});
    cases.push_back({"mean_variance", moments, {{{2, 3, 4, 5}}}});
    return cases;
}

std::vector<ArrayCase> matrixCases() {
    using namespace model;
    const auto pass = [](PassCell cell, PassDirection direction, bool linear) {
        RecurrentPass l;
        l.cell = cell;
        l.direction = direction;
        l.units = 6;
        l.linearBeforeReset = linear;
        l.hasBias = l.hasHidden = true;
        l.hasCell = cell == PassCell::Lstm;
        return l;
    };
    const auto operands = [](std::int64_t gates, std::int64_t directions, bool cell) {
        std::vector<Operand> list{{{5, 2, 4}},
                                  {{directions, gates * 6, 4}, -1, 1, false, true},
                                  {{directions, gates * 6, 6}, -1, 1, false, true},
                                  {{directions, 2 * gates * 6}, -1, 1, false, true},
                                  {{directions, 2, 6}}};
        if (cell) list.push_back({{directions, 2, 6}});
        return list;
    };
    // Of so many steps and samples that the batch is divided among threads and the weights are packed.
    const auto wide = [](const char* name, PassCell cell, PassDirection direction, bool linear, std::int64_t units,
                         const Shape& x = {20, 9, 12}) {
        const std::int64_t gates = cell == PassCell::Lstm ? 4 : cell == PassCell::Gru ? 3 : 1;
        const std::int64_t directions = direction == PassDirection::Bidirectional ? 2 : 1;
        RecurrentPass l;
        l.cell = cell;
        l.direction = direction;
        l.units = units;
        l.linearBeforeReset = linear;
        l.hasBias = true;
        return ArrayCase{name,
                         l,
                         {{x},
                          {{directions, gates * units, 12}, -1, 1, false, true},
                          {{directions, gates * units, units}, -0.1, 0.1, false, true},  // larger ones amplify rounding
                          {{directions, 2 * gates * units}, -1, 1, false, true}}};
    };
    auto clipped = pass(PassCell::Lstm, PassDirection::Forward, false);
    clipped.clip = 0.5;
    const ConvolveNd one{{3}, {1}, {2}, {2}, {2}, 1, false, {}};
    const ConvolveNd two{{3, 2}, {2, 1}, {2, 3}, {1, 2}, {2, 1}, 2, false, {}};
    const ConvolveNd three{{2, 3, 2}, {1, 2, 1}, {1, 1, 1}, {0, 1, 1}, {1, 0, 1}, 1, false, {}};
    const ConvolveNd back{{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 1, true, {1, 1}};
    const ConvolveNd grouped{{2, 3}, {2, 1}, {1, 2}, {0, 1}, {0, 1}, 2, true, {0, 0}};
    const ConvolveNd line{{4}, {2}, {1}, {1}, {1}, 1, true, {0}};
    return {
        {"product", MatrixProduct{}, {{{5, 7}}, {{7, 3}}}},
        {"product_batched", MatrixProduct{}, {{{2, 3, 5, 7}}, {{2, 3, 7, 4}}}},
        {"product_broadcast", MatrixProduct{}, {{{2, 3, 5, 7}}, {{3, 7, 4}}}},
        {"product_one_matrix", MatrixProduct{}, {{{6, 5, 7}}, {{7, 4}}}},
        {"product_vector", MatrixProduct{}, {{{3, 5, 7}}, {{7}}}},
        {"product_of_vector", MatrixProduct{}, {{{7}}, {{3, 7, 4}}}},
        {"product_constant", MatrixProduct{}, {{{2, 5, 7}}, {{2, 7, 4}, -1, 1, false, true}}},
        {"attention", AttendArrays{0.5}, {{{2, 3, 70, 8}}, {{2, 3, 8, 9}}, {{2, 3, 9, 5}}}},
        {"attention_masked",
         AttendArrays{0.35},
         {{{2, 3, 5, 8}}, {{2, 3, 8, 9}}, {{2, 3, 9, 8}}, {{5, 9}, -8, 2}, {{2, 1, 1, 9}}, {{3, 5, 1}}}},
        {"attention_of_matrices", AttendArrays{1}, {{{5, 8}}, {{8, 9}, -1, 1, false, true}, {{9, 4}}}},
        {"convolve_line", one, {{{2, 6, 20}}, {{8, 6, 3}, -1, 1, false, true}, {{8}, -1, 1, false, true}}},
        {"convolve_long_line",
         ConvolveNd{{3}, {1}, {5}, {4}, {10}, 1, false, {}},
         {{{2, 32, 700}}, {{40, 32, 3}, -1, 1, false, true}, {{40}, -1, 1, false, true}}},
        {"convolve_strided_line",
         ConvolveNd{{5}, {3}, {2}, {4}, {7}, 1, false, {}},
         {{{2, 20, 300}}, {{27, 20, 5}, -1, 1, false, true}, {{27}, -1, 1, false, true}}},
        {"convolve_grouped_line",
         ConvolveNd{{3}, {1}, {1}, {1}, {1}, 3, false, {}},
         {{{2, 24, 90}}, {{36, 8, 3}, -1, 1, false, true}}},
        {"convolve_depthwise_line",
         ConvolveNd{{3}, {1}, {2}, {2}, {2}, 24, false, {}},
         {{{2, 24, 90}}, {{24, 1, 3}, -1, 1, false, true}}},
        // As the gradient of weights has it: the other tensor slides over one channel.
        {"convolve_long_window", ConvolveNd{{750}, {1}, {1}, {0}, {0}, 1, false, {}}, {{{24, 1, 752}}, {{40, 1, 750}}}},
        {"convolve_long_dilated",
         ConvolveNd{{300}, {1}, {2}, {0}, {0}, 1, false, {}},
         {{{24, 2, 603}}, {{40, 2, 300}}}},
        {"convolve_image", two, {{{2, 6, 11, 12}}, {{8, 3, 3, 2}, -1, 1, false, true}, {{8}, -1, 1, false, true}}},
        {"convolve_volume", three, {{{1, 4, 5, 6, 7}}, {{5, 4, 2, 3, 2}, -1, 1, false, true}}},
        {"convolve_changing_weights", two, {{{2, 6, 11, 12}}, {{8, 3, 3, 2}}}},
        {"transposed_image", back, {{{2, 6, 7, 5}}, {{6, 4, 3, 3}, -1, 1, false, true}, {{4}, -1, 1, false, true}}},
        {"transposed_groups", grouped, {{{2, 6, 7, 5}}, {{6, 2, 2, 3}, -1, 1, false, true}}},
        {"transposed_line", line, {{{2, 6, 9}}, {{6, 4, 4}, -1, 1, false, true}}},
        {"pool_line", PoolNd{WindowKind::Max, {3}, {2}, {1}, {1}, {1}, false, false, 2}, {{{2, 3, 11}}}},
        {"pool_average_line", PoolNd{WindowKind::Average, {3}, {2}, {1}, {1}, {1}, false, true, 2}, {{{2, 3, 11}}}},
        {"pool_line_of_pairs", PoolNd{WindowKind::Max, {2}, {2}, {1}, {0}, {0}, false, false, 2}, {{{2, 3, 11}}}},
        {"pool_line_dilated", PoolNd{WindowKind::Max, {3}, {1}, {2}, {0}, {0}, false, false, 2}, {{{2, 3, 11}}}},
        {"pool_up",
         PoolNd{WindowKind::Average, {3, 3}, {2, 2}, {1, 1}, {0, 1}, {1, 0}, true, true, 2},
         {{{2, 3, 12, 10}}}},
        {"pool_dilated",
         PoolNd{WindowKind::Max, {2, 2}, {1, 1}, {2, 2}, {0, 0}, {0, 0}, false, false, 2},
         {{{1, 3, 8, 9}}}},
        {"pool_volume",
         PoolNd{WindowKind::Max, {2, 2, 2}, {2, 2, 2}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, false, false, 2},
         {{{1, 3, 6, 4, 8}}}},
        {"pool_norm",
         PoolNd{WindowKind::L2, {2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}, false, false, 2},
         {{{1, 3, 6, 8}}}},
        {"resize_nearest",
         ResizeArray{
             ResizeMode::Nearest, Coordinates::Asymmetric, Nearest::Floor, {1, 1, 2, 2}, {1, 3, 8, 10}, -0.75, false},
         {{{1, 3, 4, 5}}}},
        {"resize_linear",
         ResizeArray{
             ResizeMode::Linear, Coordinates::HalfPixel, Nearest::Floor, {1, 1, 1.5, 2}, {1, 3, 6, 10}, -0.75, false},
         {{{1, 3, 4, 5}}}},
        {"resize_wide",
         ResizeArray{
             ResizeMode::Linear, Coordinates::AlignCorners, Nearest::Floor, {1, 2, 1, 1}, {1, 6, 4, 15}, -0.75, false},
         {{{1, 3, 4, 15}}}},
        {"resize_cubic",
         ResizeArray{ResizeMode::Cubic,
                     Coordinates::PytorchHalfPixel,
                     Nearest::Floor,
                     {1, 1, 2, 2},
                     {1, 3, 8, 10},
                     -0.75,
                     true},
         {{{1, 3, 4, 5}}}},
        {"lstm", pass(PassCell::Lstm, PassDirection::Forward, false), operands(4, 1, true)},
        {"lstm_both", pass(PassCell::Lstm, PassDirection::Bidirectional, false), operands(4, 2, true)},
        {"gru", pass(PassCell::Gru, PassDirection::Reverse, false), operands(3, 1, false)},
        {"gru_linear", pass(PassCell::Gru, PassDirection::Bidirectional, true), operands(3, 2, false)},
        {"rnn", pass(PassCell::Rnn, PassDirection::Forward, false), operands(1, 1, false)},
        {"lstm_clipped", clipped, operands(4, 1, true)},
        wide("lstm_wide", PassCell::Lstm, PassDirection::Forward, false, 70),
        wide("lstm_wide_both", PassCell::Lstm, PassDirection::Bidirectional, false, 64),
        wide("gru_wide", PassCell::Gru, PassDirection::Reverse, false, 32),
        wide("gru_wide_both", PassCell::Gru, PassDirection::Bidirectional, false, 50),
        wide("gru_wide_linear", PassCell::Gru, PassDirection::Bidirectional, true, 70),
        wide("rnn_wide", PassCell::Rnn, PassDirection::Forward, false, 130),
        wide("lstm_one_sample", PassCell::Lstm, PassDirection::Bidirectional, false, 70, {20, 1, 12}),
        wide("gru_one_sample", PassCell::Gru, PassDirection::Forward, false, 50, {20, 1, 12}),
        // Of weights that exceed the cache of a core: products divided among threads.
        wide("lstm_large", PassCell::Lstm, PassDirection::Forward, false, 270, {3, 2, 12}),
        wide("lstm_large_both", PassCell::Lstm, PassDirection::Bidirectional, false, 270, {3, 2, 12}),
        wide("gru_large", PassCell::Gru, PassDirection::Reverse, false, 310, {3, 2, 12}),
        wide("gru_large_linear", PassCell::Gru, PassDirection::Forward, true, 310, {3, 1, 12}),
    };
}

class ArrayOperations : public ::testing::TestWithParam<ArrayCase> {};

Network networkOf(const ArrayCase& one) {
    Network network(one.operands);
    std::vector<model::NodeId> inputs;
    for (std::size_t i = 0; i < one.operands.size(); ++i) inputs.push_back(static_cast<model::NodeId>(i));
    for (std::size_t i = 0; i < one.operands.size(); ++i)
        if (one.operands[i].computed) inputs[i] = network.add(model::Map{MapKind::Max}, {inputs[i], inputs[i]}, true);
    network.add(one.operation, inputs, one.integer);
    return network;
}

TEST_P(ArrayOperations, AreThoseOfTheReference) {
    networkOf(GetParam()).expectEqual();
}

TEST_P(ArrayOperations, AreThoseOfTheReferenceOnAGpu) {
    networkOf(GetParam()).expectEqualOnGpu();
}

const auto kNameOf = [](const auto& one) { return one.param.name; };
INSTANTIATE_TEST_SUITE_P(Maps, ArrayOperations, ::testing::ValuesIn(mapCases()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Moves, ArrayOperations, ::testing::ValuesIn(moveCases()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Rows, ArrayOperations, ::testing::ValuesIn(rowCases()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Matrices, ArrayOperations, ::testing::ValuesIn(matrixCases()), kNameOf);

TEST(ArrayFusion, JoinsChainsOfMaps) {
    Network network({{{4, 300}}, {{300}}, {{4, 1}}});
    const auto sum = network.add(model::Map{MapKind::Add}, {0, 1});
    const auto gate = network.add(model::Map{MapKind::Sigmoid}, {sum});
    const auto product = network.add(model::Map{MapKind::Mul}, {sum, gate});
    const auto mean = network.add(model::Map{MapKind::Mean}, {product, 0, 2});
    const auto truth = network.add(model::Map{MapKind::Greater}, {mean, 2}, true);
    network.add(model::Map{MapKind::Where}, {truth, mean, sum});
    network.expectEqual();
    network.expectEqualOnGpu(2e-5, false);
}

// In every way to compute a convolution: products of shifted rows, the library's, plain loops, and loops over volumes.
TEST(ArrayFusion, RectifiesTheResultOfAConvolution) {
    const auto expect = [](const model::ConvolveNd& convolution, const Operand& x, Operand weights) {
        weights.constant = true;
        Network network({x, weights});
        const auto y = network.add(convolution, {0, 1});
        network.layer(model::Activation{model::ActivationKind::Relu}, {y}, network.shapeOf(y));
        network.expectEqual();
    };
    expect({{3}, {1}, {1}, {1}, {1}}, {{2, 8, 100}}, {{16, 8, 3}, -1, 1});
    expect({{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, {{1, 16, 12, 12}}, {{32, 16, 3, 3}, -1, 1});
    expect({{3}, {1}, {2}, {0}, {1}}, {{1, 2, 9}}, {{3, 2, 3}, -1, 1});
    expect({{2, 2, 2}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}}, {{1, 2, 4, 4, 4}}, {{3, 2, 2, 2, 2}, -1, 1});
}

// Whichever implementation trials prefer.
TEST(ConvolutionOfLines, IsTheSameInEveryImplementation) {
    std::map<std::string, int> used;
    for (int index = 0; index < 4; ++index) {
        using A = model::ActivationKind;
        for (const std::optional<A> activation : {std::optional<A>(), std::optional(A::Relu), std::optional(A::Gelu)}) {
            Network network({{{2, 24, 130}}, {{36, 24, 3}, -1, 1, false, true}, {{36}, -1, 1, false, true}});
            const auto y = network.add(model::ConvolveNd{{3}, {1}, {5}, {4}, {10}, 1, false, {}}, {0, 1, 2});
            if (activation) network.layer(model::Activation{*activation}, {y}, network.shapeOf(y));
            ChosenKernels backend([index](cpu::KernelChoices& choices) {
                for (auto& [key, choice] : choices)
                    if (key.starts_with("conv1d ")) choice = {index, 0, true};
            });
            const auto reference = makeReferenceBackend();
            Network::compare(network.run(backend, "cpu", plan::Precision::Fp32),
                             network.run(*reference, "reference", plan::Precision::Fp32), 2e-5);
            for (const auto* kernel : {"native:convolution_1d", "native:shifted_products + openblas:sgemm",
                                       "native:shifted_products + onednn:sgemm"})
                used[kernel] += backend.tasks(kernel);
        }
    }
    EXPECT_GE(used["native:convolution_1d"], cpu::Convolution1d::runsHere() ? 3 : 0);
    EXPECT_GE(used["native:shifted_products + openblas:sgemm"], 3);
    EXPECT_GE(used["native:shifted_products + onednn:sgemm"], 3);
}

TEST(RecurrentPass, MultipliesItsInputInEitherLibrary) {
    model::RecurrentPass layer;
    layer.cell = model::PassCell::Lstm;
    layer.direction = model::PassDirection::Bidirectional;
    layer.units = 24;
    const Operand weights{{2, 96, 20}, -0.5, 0.5, false, true}, recurrent{{2, 96, 24}, -0.1, 0.1, false, true};
    for (const int index : {0, 1}) {
        Network network({{{7, 3, 20}}, weights, recurrent});
        network.add(layer, {0, 1, 2});
        int chosen = 0;
        ChosenKernels backend([&](cpu::KernelChoices& choices) {
            for (auto& [key, choice] : choices) {
                if (!key.starts_with("sgemm ")) continue;
                choice = {index, 0, true};
                ++chosen;
            }
        });
        const auto reference = makeReferenceBackend();
        Network::compare(network.run(backend, "cpu", plan::Precision::Fp32),
                         network.run(*reference, "reference", plan::Precision::Fp32), 2e-5);
        EXPECT_EQ(chosen, 1);
    }
}

TEST(ArrayFusion, WritesOverAnOperandThatNobodyReadsLater) {
    Network network({{{64, 64}}, {{64, 1}}});
    const auto a = network.add(model::Map{MapKind::Exp}, {0});
    const auto b = network.add(model::SoftmaxAlong{1, false}, {a});
    const auto c = network.add(model::Map{MapKind::Mul}, {b, 1});
    network.add(model::Map{MapKind::Sub}, {c, a});
    network.expectEqual();
    network.expectEqualOnGpu();
}

TEST(ArrayFusion, ReadsImagesInBlocksOfChannels) {
    Network network({{{2, 16, 6, 6}}, {{2, 32, 1, 1}}});
    model::Conv2d conv;
    conv.filters = 32;
    conv.kernel = {3, 3};
    conv.padding = {1, 1, 1, 1};
    conv.bias = false;
    const auto image = network.layer(conv, {0}, {2, 32, 6, 6}, {{32, 16, 3, 3}});
    const auto swish = network.add(model::Map{MapKind::HardSwish}, {image});
    const auto scaled = network.add(model::Map{MapKind::Mul}, {swish, 1});
    network.layer(conv, {scaled}, {2, 32, 6, 6}, {{32, 32, 3, 3}});
    network.expectEqual(1e-4);
    network.expectEqualOnGpu(1e-4);
}

// Attention over heads in one operation, which reads and writes where the transpositions would.
TEST(ArrayFusion, ReadsTransposedOperandsOfAttentionWhereTheyLie) {
    const std::int64_t tokens = 70, heads = 4, width = 8, features = heads * width;
    Network network({{{2, tokens, 3 * features}}, {{1, 1, tokens, tokens}, -4, 0}});
    const auto part = [&](std::int64_t k, Shape extents, Shape strides) {
        return network.add(model::Rearrange{extents, std::move(strides), k * features, extents}, {0});
    };
    const Shape byHeads{tokens * 3 * features, width, 3 * features, 1};
    const auto q = part(0, {2, heads, tokens, width}, byHeads);
    const auto k = part(1, {2, heads, width, tokens}, {tokens * 3 * features, width, 1, 3 * features});
    const auto v = part(2, {2, heads, tokens, width}, byHeads);
    const auto context = network.add(model::AttendArrays{0.35}, {q, k, v, 1});
    const auto back = network.add(model::Rearrange{{2, tokens, heads, width},
                                                   {heads * tokens * width, width, tokens * width, 1},
                                                   0,
                                                   {2, tokens, heads, width}},
                                  {context});
    network.layer(model::Flatten{}, {back}, {2, tokens, features});
    network.expectEqual();
    network.expectEqualOnGpu();
}

// softmax(Q K^T) V over heads, with the transpositions of an exported attention.
TEST(ArrayFusion, ReadsTransposedOperandsOfProductsWhereTheyLie) {
    const std::int64_t tokens = 9, heads = 4, width = 8, features = heads * width;
    Network network({{{2, tokens, 3 * features}}});
    const auto part = [&](std::int64_t k) {  // [2, heads, tokens, width] of the k-th third
        return network.add(model::Rearrange{{2, heads, tokens, width},
                                            {tokens * 3 * features, width, 3 * features, 1},
                                            k * features,
                                            {2, heads, tokens, width}},
                           {0});
    };
    const auto q = part(0), k = part(1), v = part(2);
    const auto transposed = network.add(model::Rearrange{{2, heads, width, tokens},
                                                         {heads * tokens * width, tokens * width, 1, width},
                                                         0,
                                                         {2, heads, width, tokens}},
                                        {k});
    const auto scores = network.add(model::MatrixProduct{}, {q, transposed});
    const auto scaled = network.add(model::Map{MapKind::Scale, 0.35, 0}, {scores});
    const auto weights = network.add(model::SoftmaxAlong{3, false}, {scaled});
    const auto context = network.add(model::MatrixProduct{}, {weights, v});
    const auto back = network.add(model::Rearrange{{2, tokens, heads, width},
                                                   {heads * tokens * width, width, tokens * width, 1},
                                                   0,
                                                   {2, tokens, heads, width}},
                                  {context});
    network.layer(model::Flatten{}, {back}, {2, tokens, features});
    network.expectEqual();
    network.expectEqualOnGpu();
}

}  // namespace
}  // namespace steelyard::compute
