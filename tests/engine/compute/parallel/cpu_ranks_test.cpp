// SPDX-License-Identifier: Apache-2.0
// CPU executables sharing their steps: ranks are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/parallel/host_ranks.h"
#include "engine/model/resolve.h"
#include "tests/engine/compute/parallel/joint_training.h"
#include "tests/engine/compute/parallel/thread_ranks.h"

namespace steelyard::compute {
namespace {

using testing::asRanks;

TEST(CpuRanks, AreRefusedWithoutAGroup) {
    const auto graph = model::resolveWorkload("mnist_mlp")->build().value();
    auto plan = std::make_shared<const plan::Plan>(
        plan::lower(graph, {plan::Mode::Train, 4, plan::Precision::Fp32, {}}).value());
    CompileOptions options;
    options.ranks = RankGroup{0, 2, {}, {}};
    const auto refused = makeCpuBackend()->compile(plan, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
}

class CpuRanksLearn : public ::testing::TestWithParam<const char*> {};

// Each rank has part of the samples, including dropout: the result equals one process with the joint batch, with
// different layouts per rank.
TEST_P(CpuRanksLearn, WhatOneLearnsOfTheJointBatch) {
    asRanks(2, [](const std::shared_ptr<HostCommunicator>& ranks) {
        const auto found = testing::trainTogether(ranks, GetParam(), 8, 10);
        EXPECT_GT(found.parameters, 0);
        EXPECT_GT(found.learned, 1e-4) << "a parameter that does not move proves nothing";
        EXPECT_LT(found.worstParameters, 1e-5);
        EXPECT_LT(found.worstLoss, 1e-5);
    });
}

INSTANTIATE_TEST_SUITE_P(Networks, CpuRanksLearn, ::testing::Values("fcn_r", "mnist_cnn", "tied", "clipped"),
                         [](const auto& network) { return std::string(network.param); });

}  // namespace
}  // namespace steelyard::compute
