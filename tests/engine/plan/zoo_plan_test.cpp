// SPDX-License-Identifier: Apache-2.0
// Invariants of every network's plan: the published multiply-accumulates, every tensor is written before it is read,
// memory is shared only if the old value is no longer needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

#include "engine/model/resolve.h"
#include "engine/plan/plan.h"

namespace steelyard::plan {
namespace {

using model::Workload;

Plan planOf(const Workload& workload, Mode mode, std::int64_t batch) {
    return lower(workload.build().value(), {mode, batch, Precision::Fp32, workload.optimizer}).value();
}

std::vector<Mode> modesOf(const Workload& workload) {
    if (workload.inferenceOnly) return {Mode::Infer};
    return {Mode::Train, Mode::Infer};
}

struct Published {
    std::string workload;
    double figure;  // as printed
    double unit;    // 1e6 or 1e9 multiply-accumulates per sample
    int decimals;   // digits after the decimal point
};

void PrintTo(const Published& expected, std::ostream* out) {
    *out << expected.workload;
}

class ForwardMacs : public testing::TestWithParam<Published> {};

TEST_P(ForwardMacs, ArePublished) {
    const auto& expected = GetParam();
    const auto macs = planOf(model::resolveWorkload(expected.workload).value(), Mode::Infer, 1).forwardMacsPerSample();
    const double half = 0.5 * std::pow(10.0, -expected.decimals);
    EXPECT_NEAR(macs / expected.unit, expected.figure, half * 1.0001) << macs;
}

INSTANTIATE_TEST_SUITE_P(Dlbench, ForwardMacs,
                         testing::Values(Published{"fcn_s", 117.96, 1e6, 2}, Published{"fcn_r", 14.20, 1e6, 2},
                                         Published{"alexnet_s", 1135.3, 1e6, 1}, Published{"alexnet_r", 10.73, 1e6, 2},
                                         Published{"resnet50", 4089, 1e6, 0}, Published{"resnet56", 125.5, 1e6, 1},
                                         Published{"lstm_ptb", 115.5, 1e6, 1}));
INSTANTIATE_TEST_SUITE_P(Flowers, ForwardMacs,
                         testing::Values(Published{"flowers_xception", 10.22, 1e9, 2},
                                         Published{"flowers_vgg16", 32.91, 1e9, 2},
                                         Published{"flowers_resnet50", 8.795, 1e9, 3},
                                         Published{"flowers_xception(size=224)", 4.55, 1e9, 2},
                                         Published{"flowers_vgg16(size=224)", 15.35, 1e9, 2},
                                         Published{"flowers_resnet50(size=224)", 3.86, 1e9, 2}));
INSTANTIATE_TEST_SUITE_P(Staples, ForwardMacs,
                         testing::Values(Published{"resnet18", 1.8141, 1e9, 4}, Published{"resnet34", 3.6638, 1e9, 4},
                                         Published{"resnet50", 4.0892, 1e9, 4}, Published{"resnet101", 7.8014, 1e9, 4},
                                         Published{"resnet152", 11.5136, 1e9, 4}, Published{"vgg16", 15.4703, 1e9, 4},
                                         Published{"vgg19", 19.6321, 1e9, 4}, Published{"alexnet", 0.7142, 1e9, 4},
                                         Published{"inception_v3", 5.7132, 1e9, 4},
                                         Published{"mobilenet_v2", 0.3008, 1e9, 4},
                                         Published{"vit_b16", 17.5638, 1e9, 4},
                                         Published{"bert_base_384", 35.3334, 1e9, 4},
                                         Published{"bert_large_384", 123.2127, 1e9, 4}));

TEST(ZooPlans, ParadnnFullyConnectedHasItsFormula) {
    const auto plan =
        planOf(model::resolveWorkload("paradnn_fc(layers=6,nodes=256,input=3000)").value(), Mode::Infer, 4);
    EXPECT_EQ(plan.forwardMacsPerSample(), 3000.0 * 256 + 5 * 256 * 256 + 256 * 200);
}

void expectWrittenBeforeRead(const Plan& plan) {
    std::vector<bool> written(plan.tensors.size(), false);
    for (const auto& tensor : plan.tensors) {
        using R = TensorRole;
        written[static_cast<std::size_t>(tensor.id)] = tensor.role == R::Input || tensor.role == R::Label ||
                                                       tensor.role == R::Weight || tensor.role == R::State ||
                                                       tensor.role == R::OptimizerState;
    }
    for (const auto& op : plan.operations) {
        for (auto id : op.reads())
            EXPECT_TRUE(written[static_cast<std::size_t>(id)]) << op.name << " reads " << plan.tensor(id).name;
        for (auto id : op.writes()) written[static_cast<std::size_t>(id)] = true;
    }
    for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
        const auto gradient = plan.gradientTensors[p];
        EXPECT_TRUE(gradient == kNoTensor || written[static_cast<std::size_t>(gradient)]) << plan.parameters[p].name;
    }
}

// Replays the step with storages that contain the names of their values.
void expectNothingNeededIsOverwritten(const Plan& plan) {
    std::vector<std::vector<TensorId>> holds(plan.storages.size());
    const auto storageOf = [&](TensorId id) -> auto& {
        return holds[static_cast<std::size_t>(plan.tensor(id).storage)];
    };
    const auto persistent = [&](TensorId id) {
        return plan.storages[static_cast<std::size_t>(plan.tensor(id).storage)].persistent;
    };
    for (const auto& tensor : plan.tensors)
        if (persistent(tensor.id)) storageOf(tensor.id) = {tensor.id};
    const auto has = [&](TensorId id) { return std::count(storageOf(id).begin(), storageOf(id).end(), id) > 0; };
    for (const auto& op : plan.operations) {
        for (auto id : op.reads()) EXPECT_TRUE(has(id)) << op.name << " reads " << plan.tensor(id).name;
        using K = OperationKind;
        const bool passesOn =
            (op.pass == Pass::Backward && (op.kind == K::Add || op.kind == K::AddParameter)) || op.kind == K::Flatten;
        const auto source = op.pass == Pass::Forward ? op.inputs[0] : op.outputGradient;
        for (auto id : op.writes()) {
            // The same value under another name, or a new value in the same storage.
            const bool sameValue = passesOn && source != kNoTensor &&
                                   plan.tensor(source).storage == plan.tensor(id).storage && has(source);
            if (!sameValue && !persistent(id)) storageOf(id).clear();
            storageOf(id).push_back(id);
        }
    }
}

// Storages alive at the same time do not overlap in the arena, and lie within it.
void expectArenaIsSound(const Plan& plan) {
    std::vector<const Storage*> arena;
    for (const auto& storage : plan.storages)
        if (!storage.persistent) arena.push_back(&storage);
    for (std::size_t i = 0; i < arena.size(); ++i) {
        const auto& a = *arena[i];
        EXPECT_GE(a.offset, 0);
        EXPECT_LE(a.offset + a.bytes, plan.memory.activations.value());
        for (std::size_t j = 0; j < i; ++j) {
            const auto& b = *arena[j];
            const bool together = a.firstUse <= b.lastUse && b.firstUse <= a.lastUse;
            EXPECT_FALSE(together && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes);
        }
    }
}

class EveryNetwork : public testing::TestWithParam<std::size_t> {
protected:
    [[nodiscard]] static const Workload& workload() { return model::workloads()[GetParam()]; }
};

TEST_P(EveryNetwork, CanBeLoweredAtItsBatch) {
    for (const auto mode : modesOf(workload())) {
        const auto plan = planOf(workload(), mode, workload().batch);
        EXPECT_FALSE(plan.operations.empty());
        EXPECT_GT(plan.stepFlops(), 0);
        EXPECT_GT(plan.stepBytes(), 0);
        EXPECT_GT(plan.memory.activations, Bytes(0));
        for (const auto& op : plan.operations) {
            EXPECT_TRUE(std::isfinite(op.flops) && op.flops >= 0) << op.name;
            EXPECT_TRUE(std::isfinite(op.bytes) && op.bytes >= 0) << op.name;
        }
    }
}

TEST_P(EveryNetwork, WritesBeforeItReadsAndSharesMemorySoundly) {
    for (const auto mode : modesOf(workload())) {
        const auto plan = planOf(workload(), mode, 2);
        expectWrittenBeforeRead(plan);
        expectNothingNeededIsOverwritten(plan);
        expectArenaIsSound(plan);
    }
}

TEST_P(EveryNetwork, MemoryGrowsWithTheBatchAndIsLeastWhenInferring) {
    for (const auto mode : modesOf(workload())) {
        const auto one = planOf(workload(), mode, 2), two = planOf(workload(), mode, 4);
        EXPECT_EQ(one.memory.weights, two.memory.weights);
        EXPECT_EQ(one.memory.gradients, two.memory.gradients);
        EXPECT_EQ(one.memory.optimizer, two.memory.optimizer);
        EXPECT_LT(one.memory.activations, two.memory.activations);
        // Per sample no more than before, except for alignment.
        EXPECT_LE(two.memory.activations.value(), 2 * one.memory.activations.value() + 64 * 1024);
        EXPECT_NEAR(two.forwardMacsPerSample(), one.forwardMacsPerSample(), 1e-12 * one.forwardMacsPerSample());
    }
    if (workload().inferenceOnly) return;
    const auto train = planOf(workload(), Mode::Train, 2), infer = planOf(workload(), Mode::Infer, 2);
    EXPECT_LT(infer.memory.activations, train.memory.activations);
    EXPECT_EQ(infer.memory.weights, train.memory.weights);
    EXPECT_EQ(train.memory.gradients, Bytes(4 * workload().parameters));
    EXPECT_EQ(train.memory.optimizer,
              Bytes(4 * workload().parameters * model::stateTensors(workload().optimizer.kind)));
    // Forward and backward: only the data gradient of the first layer is saved of three passes.
    EXPECT_GT(train.stepFlops(), 2 * infer.stepFlops());
    EXPECT_LT(train.stepFlops(), 3.5 * infer.stepFlops() + 13.0 * static_cast<double>(workload().parameters));
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryNetwork, testing::Range(std::size_t{0}, model::workloads().size()),
                         [](const auto& tested) { return model::workloads()[tested.param].id; });

// Half the size for activations. The weights' master copy stays Float32; products read a narrow copy beside it, or in
// inference instead of it.
TEST(ZooPlans, NarrowActivationsTakeHalfTheMemory) {
    const auto& workload = *model::findWorkload("resnet50").value();
    const auto graph = workload.build().value();
    const auto wide = lower(graph, {Mode::Train, 8, Precision::Fp32, workload.optimizer}).value();
    const auto narrow = lower(graph, {Mode::Train, 8, Precision::Bf16, workload.optimizer}).value();
    const double ratio = narrow.memory.activations / wide.memory.activations;
    EXPECT_GT(ratio, 0.45);
    EXPECT_LT(ratio, 0.6);
    // All except the last layer's bias, and the scale and offset of 26,560 normalised channels.
    std::int64_t matrices = 0;
    for (const auto& parameter : wide.parameters)
        if (parameter.spec.shape.size() > 1) matrices += model::elementCount(parameter.spec.shape);
    EXPECT_EQ(matrices, workload.parameters - 2 * 26'560 - 1000);
    EXPECT_EQ(narrow.memory.weights, wide.memory.weights + Bytes(2 * matrices));
    EXPECT_EQ(narrow.memory.gradients, wide.memory.gradients);
    EXPECT_EQ(narrow.memory.optimizer, wide.memory.optimizer);
    const auto inferring = lower(graph, {Mode::Infer, 8, Precision::Bf16, {}}).value();
    EXPECT_EQ(inferring.memory.weights, wide.memory.weights - Bytes(2 * matrices));
}

TEST(ZooPlans, ATableIsKeptNarrowOnlyWhereItIsReadSo) {
    const auto& workload = *model::findWorkload("imdb_bilstm").value();
    const auto graph = workload.build().value();
    const auto weights = [&](Mode mode, Precision precision) {
        return lower(graph, {mode, 2, precision, workload.optimizer}).value().memory.weights.value();
    };
    // Table 20,000 x 128; two directions of 4 x 64 x (128 + 64) and biases of 4 x 64; 128 -> 1 with a bias.
    constexpr std::int64_t kTable = 20'000 * 128, kMatrices = 2 * 4 * 64 * (128 + 64) + 128;
    const auto wide = weights(Mode::Train, Precision::Fp32);
    EXPECT_EQ(weights(Mode::Train, Precision::Bf16), wide + 2 * kMatrices);
    EXPECT_EQ(weights(Mode::Infer, Precision::Bf16), wide - 2 * (kMatrices + kTable));
}

// No limit is asserted: the figure is printed for development of the lowering.
TEST(ZooPlans, LoweringAllOfThemIsQuick) {
    const auto start = std::chrono::steady_clock::now();
    std::size_t operations = 0;
    for (const auto& workload : model::workloads())
        for (const auto mode : modesOf(workload))
            operations += planOf(workload, mode, workload.batch).operations.size();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_GT(operations, 10'000U);
    std::cout << "lowered " << operations << " operations of " << model::workloads().size() << " networks in "
              << seconds.count() << " s\n";
}

}  // namespace
}  // namespace steelyard::plan
