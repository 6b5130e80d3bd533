// SPDX-License-Identifier: Apache-2.0
// ONNX files in int8: quantised files on their own grids, and other files on calibrated ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/measure/precision_cost.h"
#include "engine/compute/backend_comparison.h"
#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/eight_bit.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/compute/step_values.h"
#include "engine/core/clock.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"
#include "tests/onnx/onnx_case.h"

namespace steelyard::compute {
namespace {

const std::string kData = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/onnx/";

model::onnx::Imported imported(const std::string& name, std::optional<std::int64_t> batch = {}) {
    auto network = model::onnx::import(model::onnx::readFile(kData + name + "/model.onnx").value(),
                                       {.batch = batch, .fileWeights = true});
    if (!network) throw std::runtime_error(describe(network.error()));
    return std::move(network).value();
}

using SharedPlan = std::shared_ptr<const plan::Plan>;

SharedPlan shared(plan::Plan plan) {
    return std::make_shared<const plan::Plan>(std::move(plan));
}

SharedPlan inBytes(Backend& backend, const model::onnx::Imported& network) {
    const auto reference = makeReferenceBackend();
    auto plan = lowerCalibrated(*reference, backend, network.graph,
                                {plan::Mode::Infer, network.batch, plan::Precision::Int8, {}}, {.threads = 2});
    if (!plan) throw std::runtime_error(describe(plan.error()));
    return shared(std::move(*plan));
}

SharedPlan inFloats(const model::Graph& graph) {
    return shared(plan::lower(graph, {plan::Mode::Infer, graph.fixedBatch, plan::Precision::Fp32, {}}).value());
}

// Of all heads, on the samples and with the weights of `source`.
std::vector<float> outputsOf(Backend& backend, const std::string& device, const SharedPlan& plan,
                             const plan::Plan& source) {
    const auto executable = backend.compile(plan, {.device = device, .threads = 2, .seed = 1}).value();
    EXPECT_TRUE(writeInitialValuesOf(source, *executable, 1));
    EXPECT_TRUE(writeSyntheticBatchOf(source, *executable, 1));
    EXPECT_TRUE(executable->step({}));
    std::vector<float> all;
    for (const auto& head : plan->heads) {
        std::vector<float> values(static_cast<std::size_t>(plan->tensor(head.probabilities).elements()));
        EXPECT_TRUE(executable->read(head.probabilities, values));
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(static_cast<double>(a[i]) - b[i], 2);
    return std::sqrt(squares);
}

const plan::Tensor& tensorOf(const plan::Plan& plan, std::string_view name) {
    const auto found = std::ranges::find(plan.tensors, name, &plan::Tensor::name);
    if (found == plan.tensors.end()) throw std::runtime_error("no tensor " + std::string(name));
    return *found;
}

TEST(OnnxInt8, StepsOfExactGridsGiveTheFilesOutputs) {
    constexpr double kRounding = 1e-4;  // of sums in another order
    const auto cpu = makeCpuBackend({}), gpu = cuda::test::gpuUnderTest();
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    for (const auto& [backend, device] :
         {std::pair{emulation.get(), "reference"}, {cpu.get(), "cpu"}, {gpu.get(), "cuda:0"}}) {
        if (weightLevelsOf(*backend) < 127) continue;  // the file's integers do not fit
        for (const auto* name : {"qdq_exact", "qdq_saturated", "qlinear"}) {
            test::OnnxCaseOptions options;
            options.device = device;
            options.precision = plan::Precision::Int8;
            options.tolerance = {0, kRounding};
            const auto errors = test::runOnnxCase(*backend, kData + name, options);
            ASSERT_TRUE(errors) << describe(errors.error());
            ASSERT_EQ(errors->size(), 1U);
            EXPECT_TRUE(errors->front().within) << device << ", " << name << ": " << errors->front().absolute;
        }
    }
}

// A grid with a zero point has 255 steps, and the symmetric one that covers its range at least 127; with equally
// distributed errors of rounding its error is at most 255/127 times that of the file, and they differ by their sum.
TEST(OnnxInt8, OtherGridsRoundAtMostTwiceAsCoarsely) {
    const auto cpu = makeCpuBackend({});
    const auto reference = makeReferenceBackend(), emulation = makeReferenceBackend({.emulatePrecision = true});
    for (const auto* name : {"qdq_channels", "qdq_signed", "qdq_symmetric"}) {
        const auto network = imported(name, 32);
        const auto plan = inBytes(*emulation, network);
        const auto defined = outputsOf(*reference, "reference", inFloats(network.graph), *plan);
        const auto unrounded = outputsOf(*reference, "reference", inFloats(network.graph.inEightBits().value()), *plan);
        const double ofFile = distance(defined, unrounded);
        EXPECT_GT(ofFile, 0) << name;
        const auto check = [&](const std::vector<float>& outputs, double levels) {
            EXPECT_LT(distance(outputs, defined), (1 + 255.0 / 127) * (127 / levels) * ofFile) << name;
            EXPECT_GT(distance(outputs, unrounded), 0) << name;
        };
        check(outputsOf(*emulation, "reference", plan, *plan), 127);
        check(outputsOf(*cpu, "cpu", inBytes(*cpu, network), *plan), weightLevelsOf(*cpu));
    }
}

std::vector<float> initializer(const std::string& model, const std::string& name) {
    const auto file = model::onnx::readFile(kData + model + "/model.onnx").value();
    const auto found = std::ranges::find(file->graph.initializers, name, &model::onnx::Tensor::name);
    std::vector<float> values(static_cast<std::size_t>(model::elementCount(found->shape)));
    EXPECT_TRUE(model::onnx::readTensor(*found, file->path, values));
    return values;
}

// What the products of a plan multiply by.
std::vector<std::vector<float>> multiplied(const plan::Plan& plan, bool withSteps) {
    std::vector<std::vector<float>> all;
    for (const auto& op : plan.operations) {
        if (!plan::isEightBitProduct(op, plan)) continue;
        const auto place = std::ranges::find(plan.parameterTensors, op.parameters[0]) - plan.parameterTensors.begin();
        std::vector<float> values;
        EXPECT_TRUE(model::initialValues(plan.parameters[static_cast<std::size_t>(place)], 1, values));
        std::vector<std::int8_t> rounded(values.size());
        std::vector<float> steps(static_cast<std::size_t>(plan.tensor(op.parameters[0]).dims[0]));
        const auto declared = withSteps ? plan::declaredSteps(plan, op.parameters[0]) : std::vector<float>();
        roundWeightRows(values, declared, 127, rounded, steps);
        all.emplace_back(rounded.begin(), rounded.end());
    }
    return all;
}

TEST(OnnxInt8, WeightsAreTheFilesIntegers) {
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto exact = inBytes(*emulation, imported("qdq_exact"));
    auto ofTensor = initializer("qdq_exact", "w2"), ofNumbers = initializer("qdq_exact", "w3");
    for (auto& value : ofTensor) value -= 128;
    for (auto& value : ofNumbers) value = std::nearbyint(value / 0.01F);
    EXPECT_EQ(multiplied(*exact, true),
              (std::vector<std::vector<float>>{initializer("qdq_exact", "w1"), ofTensor, ofNumbers}));
    const auto derived = multiplied(*exact, false);
    EXPECT_NE(derived[0], initializer("qdq_exact", "w1")) << "its rows do not use all levels";

    const auto operators = inBytes(*emulation, imported("qlinear"));
    const auto columns = initializer("qlinear", "w3");
    std::vector<float> rows;
    for (std::size_t c = 0; c < 5; ++c)
        for (std::size_t r = 0; r < 128; ++r) rows.push_back(columns[r * 5 + c]);
    EXPECT_EQ(multiplied(*operators, true),
              (std::vector<std::vector<float>>{initializer("qlinear", "w1"), initializer("qlinear", "w2"), rows}));
}

TEST(OnnxInt8, StepsOfTheFileAreThoseOfThePlan) {
    const auto network = imported("qdq_exact");
    const auto cpu = makeCpuBackend({});
    const auto plan = inBytes(*cpu, network);
    std::size_t products = 0;
    for (const auto& op : plan->operations) {
        EXPECT_NE(op.kind, plan::OperationKind::Array) << op.name;
        products += plan::isEightBitProduct(op, *plan) ? 1 : 0;
    }
    EXPECT_EQ(products, 3U);
    // Between products there are bytes, also where the grid replaces ReLU; what they read is rounded there.
    for (const auto* name : {"relu1", "pool1", "c2r_q"})
        EXPECT_EQ(tensorOf(*plan, name).type, model::DataType::UInt8) << name;
    const auto grid = [&](const char* name) { return plan::gridOf(*plan, tensorOf(*plan, name).id); };
    EXPECT_TRUE(grid("x").isSigned);
    EXPECT_FLOAT_EQ(grid("x").step, 4.0F / 127);
    for (const auto& [name, step] :
         {std::pair{"relu1", 3.0F / 255}, {"pool1", 3.0F / 255}, {"c2r_q", 4.0F / 255}, {"flat", 2.0F / 255}}) {
        EXPECT_FALSE(grid(name).isSigned) << name;
        EXPECT_FLOAT_EQ(grid(name).step, step) << name;
    }
    // Nothing is measured if the file has all ranges.
    EXPECT_EQ(plan->options.quantisation.ranges[static_cast<std::size_t>(tensorOf(*plan, "conv1").id)], 0);
    // In fp32 every rounding is an operation.
    const auto defined = inFloats(network.graph);
    EXPECT_GT(std::ranges::count(defined->operations, plan::OperationKind::Array, &plan::Operation::kind), 6);
}

// Exporters leave out a Clip whose effect the grid has.
TEST(OnnxInt8, ValuesThatFloatOperationsReadSaturate) {
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto plan = inBytes(*emulation, imported("qdq_saturated"));
    const auto& gate = tensorOf(*plan, "gr_dq");
    EXPECT_EQ(gate.type, model::DataType::Float32);
    EXPECT_EQ(gate.grid->range, 1);
    EXPECT_FALSE(gate.grid->isSigned);
    EXPECT_TRUE(std::ranges::any_of(plan->operations, [&](const auto& op) {
        const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
        const auto* map = array == nullptr ? nullptr : std::get_if<model::Map>(&array->operation);
        return map != nullptr && map->kind == model::MapKind::Clip;
    }));
}

TEST(OnnxInt8, DenseLayersHaveTheGridBehindTheirBias) {
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto plan = inBytes(*emulation, imported("qdq_bias"));
    const auto product = std::ranges::find(plan->operations, plan::OperationKind::MatMul, &plan::Operation::kind);
    EXPECT_EQ(product->parameters.size(), 2U);
    EXPECT_EQ(plan->tensor(product->output).type, model::DataType::Int8);
    EXPECT_FLOAT_EQ(plan::gridOf(*plan, product->output).step, 7.0F / 127);
}

TEST(OnnxInt8, SignedGridsStaySignedBehindReLU) {
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto plan = inBytes(*emulation, imported("qdq_symmetric"));
    EXPECT_EQ(tensorOf(*plan, "relu1").type, model::DataType::Int8);
    EXPECT_TRUE(plan::gridOf(*plan, tensorOf(*plan, "relu1").id).isSigned);
}

struct FileOnBackend {
    std::string file, backend;
};
class Int8Files : public testing::TestWithParam<FileOnBackend> {};

TEST_P(Int8Files, EqualTheReferenceOnTheSameGrids) {
    const bool isCpu = GetParam().backend == "cpu";
    const auto network = imported(GetParam().file);
    const auto backend = isCpu ? makeCpuBackend({}) : cuda::test::gpuUnderTest();
    const auto plan = inBytes(*backend, network);
    EXPECT_TRUE(std::ranges::any_of(plan->operations, [&](const auto& op) { return isEightBitProduct(op, *plan); }));
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto comparison =
        compareBackends(*backend, *emulation, plan, {.device = isCpu ? "cpu" : "cuda:0", .threads = 2, .seed = 1},
                        {.seed = 1, .steps = 1});
    ASSERT_TRUE(comparison) << describe(comparison.error());
    EXPECT_TRUE(comparison->unusable.empty()) << comparison->unusable.text;
    EXPECT_LT(comparison->largestOf(Quantity::Output), 0.02);
}
std::vector<FileOnBackend> filesOnBackends() {
    std::vector<FileOnBackend> all;
    for (const char* backend : {"cpu", "gpu"})
        // Those after the quantised ones have operations that are computed in fp32 between the products.
        for (const char* file :
             {"qdq_exact", "qdq_saturated", "qdq_bias", "qdq_channels", "qdq_signed", "qdq_symmetric", "qlinear",
              "integers", "mlp", "toy_espcn", "toy_tcn1d", "toy_transformer_encoder"})
            all.push_back({file, backend});
    return all;
}
INSTANTIATE_TEST_SUITE_P(Onnx, Int8Files, testing::ValuesIn(filesOnBackends()),
                         [](const auto& one) { return one.param.file + "_" + one.param.backend; });

TEST(OnnxInt8, LossIsRelativeToTheFilesDefinition) {
    const auto network = imported("qdq_exact");
    const auto emulation = makeReferenceBackend({.emulatePrecision = true});
    const auto executable =
        emulation->compile(inBytes(*emulation, network), {.device = "reference", .seed = 1}).value();
    ASSERT_TRUE(writeSyntheticState(*executable, 1));
    const SystemClock clock;
    const auto cost = bench::precisionCost(*emulation, *executable, network.graph,
                                           {.compile = {.device = "reference", .seed = 1}, .time = Seconds(1)}, clock);
    ASSERT_TRUE(cost) << describe(cost.error());
    EXPECT_LT(cost->relativeRms, 0.01);
    EXPECT_EQ(cost->topClassAgreement, 1);
}

}  // namespace
}  // namespace steelyard::compute
