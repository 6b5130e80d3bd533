// SPDX-License-Identifier: Apache-2.0
// Every operation with native kernels, on random small networks: in Float32 compared with the reference backend, in the
// narrow types with Float32 on the same rounded values; both image layouts.
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/compute/cuda_kernels/operation_runner.h"
#include "tests/engine/compute/cuda_kernels/typed_values.h"
#include "tests/support/layer_cases.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// Tensors written once, by a single operation: their values after the step are its output.
std::set<plan::TensorId> writtenOnce(const plan::Plan& plan) {
    std::map<plan::TensorId, int> writers;
    for (const auto& op : plan.operations)
        for (auto id : op.writes()) ++writers[id];
    std::set<plan::TensorId> once;
    for (const auto& [id, count] : writers)
        if (count == 1) once.insert(id);
    return once;
}

class Operations : public ::testing::TestWithParam<test::LayerCase> {
protected:
    static ReferenceStep step(std::uint64_t seed, plan::Mode mode) {
        return ReferenceStep::of(GetParam().graph(seed), static_cast<std::int64_t>(2 + seed % 3), mode, {}, seed);
    }
};

TEST_P(Operations, WriteWhatTheReferenceWrites) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        for (const auto mode : {plan::Mode::Train, plan::Mode::Infer}) {
            const auto s = step(seed, mode);
            const auto once = writtenOnce(s.plan);
            for (const bool channelsLast : {false, true})
                for (const auto& op : s.plan.operations)
                    for (const auto& [id, values] : runOperation(s, op, {ElementType::F32, channelsLast})) {
                        if (!once.contains(id) && op.kind != plan::OperationKind::Add) continue;
                        if (!once.contains(id) && op.pass != plan::Pass::Forward) continue;
                        EXPECT_LT(difference(s.after.at(id), values), 2e-5)
                            << "seed " << seed << (channelsLast ? " channels last: " : ": ") << op.name << " writes "
                            << s.plan.tensor(id).name;
                    }
        }
}

TEST_P(Operations, RoundOnceInNarrowTypes) {
    for (const auto type : {ElementType::F16, ElementType::Bf16})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            auto s = step(seed, plan::Mode::Train);
            for (auto& [id, values] : s.after)
                if (s.plan.tensor(id).type == model::DataType::Float32 &&
                    s.plan.tensor(id).role != plan::TensorRole::Saved)
                    values = rounded(type, values);
            for (const auto& op : s.plan.operations) {
                const auto wide = runOperation(s, op, {ElementType::F32, true});
                for (const auto& [id, values] : runOperation(s, op, {type, true})) {
                    if (wide.contains(id)) {
                        EXPECT_LT(difference(wide.at(id), values), toleranceOf(type))
                            << op.name << " writes " << s.plan.tensor(id).name;
                    }
                }
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Operations, ::testing::ValuesIn(test::layerCases()),
                         [](const auto& one) { return one.param.name; });
INSTANTIATE_TEST_SUITE_P(Decoder, Operations, ::testing::ValuesIn(test::decoderLayerCases()),
                         [](const auto& one) { return one.param.name; });

// Checks the test itself: the loop above does reach the operations.
TEST(OperationRunner, CoversTheKernelsOwnOperations) {
    std::set<std::pair<plan::OperationKind, plan::Pass>> seen;
    auto layers = test::layerCases();
    for (auto& more : test::decoderLayerCases()) layers.push_back(std::move(more));
    for (const auto& layer : layers) {
        const auto s = ReferenceStep::of(layer.graph(1), 2, plan::Mode::Train, {}, 1);
        for (const auto& op : s.plan.operations)
            if (!runOperation(s, op, {}).empty()) seen.emplace(op.kind, op.pass);
    }
    using K = plan::OperationKind;
    for (const auto kind : {K::Activation, K::Dropout, K::Add, K::Pool, K::GlobalPool, K::BatchNorm, K::LayerNorm,
                            K::Embedding, K::AddParameter, K::ShortcutPad, K::RmsNorm, K::RotaryEmbedding,
                            K::GatedActivation, K::Scale, K::SoftmaxCrossEntropy, K::SigmoidCrossEntropy})
        for (const auto pass : {plan::Pass::Forward, plan::Pass::Backward})
            EXPECT_TRUE(seen.contains({kind, pass})) << toString(kind) << ' ' << toString(pass);
}

TEST(Updates, FollowTheReferenceForEveryRule) {
    using K = model::OptimizerKind;
    for (const auto kind : {K::Sgd, K::Momentum, K::RmsProp, K::Adadelta, K::Adam}) {
        model::Optimizer optimizer;
        optimizer.kind = kind;
        optimizer.decay = 0.1;
        optimizer.weightDecay = 0.01;
        const auto s = ReferenceStep::of(test::layerCases().front().graph(3), 2, plan::Mode::Train, optimizer, 3);
        int updates = 0;
        for (const auto& op : s.plan.operations) {
            if (op.kind != plan::OperationKind::Update) continue;
            for (const auto& [id, values] : runOperation(s, op, {})) {
                ++updates;
                EXPECT_LT(difference(s.after.at(id), values), 1e-6) << toString(kind) << ' ' << op.name;
            }
        }
        EXPECT_GE(updates, 2 * (1 + model::stateTensors(kind)));
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
