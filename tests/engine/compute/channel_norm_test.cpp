// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in native kernels, with channel counts that the library does not vectorise.
#include <gtest/gtest.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/model/graph.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

// Surrounded by dense layers, so that its gradients are checked in both directions.
model::Graph network(std::int64_t channels, bool relu) {
    model::GraphBuilder builder("channel_norm");
    auto x = builder.add(model::BatchNorm{}, {builder.dense(builder.input({9}), channels)});
    if (relu) x = builder.activation(x, model::ActivationKind::Relu);
    builder.head(builder.dense(x, 3));
    return std::move(builder).build().value();
}

void expectOwnLoops(plan::Precision precision, double tolerance) {
    for (const std::int64_t channels : {7, 33})
        for (const bool relu : {false, true})
            for (const int threads : {1, 2}) {
                SCOPED_TRACE(testing::Message() << channels << (relu ? " and a ReLU" : "") << ", " << threads);
                ChosenKernels backend([](KernelChoices&) {});
                steelyard::test::BackendCheck check;
                check.precision = precision;
                check.batch = 300;  // more than a chunk
                check.tolerance = tolerance;
                check.compile.threads = threads;
                expectEqualsReference(backend, network(channels, relu), check);
                EXPECT_GT(backend.tasks("native:batch_norm"), 0);
                EXPECT_GT(backend.tasks("native:batch_norm_gradient"), 0);
            }
}

TEST(ChannelNorm, EqualsTheReferenceInFloat32) {
    expectOwnLoops(plan::Precision::Fp32, 1e-5);
}

TEST(ChannelNorm, EqualsTheReferenceInBfloat16) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    expectOwnLoops(plan::Precision::Bf16, 2e-2);
}

}  // namespace
}  // namespace steelyard::compute::cpu
