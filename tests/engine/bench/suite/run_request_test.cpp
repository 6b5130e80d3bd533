// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/suite/run_request.h"

#include <gmock/gmock.h>

namespace steelyard::bench {
namespace {

using ::testing::ElementsAre;

TEST(RunRequest, OnlyWhatIsSetBecomesAnArgument) {
    EXPECT_THAT(argumentsOf({}), ElementsAre("run"));
    RunRequest request;
    request.workloads = {"a", "b"};
    request.modes = {plan::Mode::Train, plan::Mode::Infer};
    request.devices = {"cpu"};
    request.batches = {16, 32};
    request.threads = {2};
    request.precisions = {plan::Precision::Bf16};
    request.timeCapSeconds = 2.5;
    request.seed = 7;
    request.precise = true;
    request.database = "/tmp/my file.sqlite";
    EXPECT_THAT(argumentsOf(request),
                ElementsAre("run", "--workload", "a,b", "--mode", "train,infer", "--device", "cpu", "--batch", "16,32",
                            "--threads", "2", "--precision", "bf16", "--time-cap", "2.5", "--seed", "7", "--precise",
                            "--db", "/tmp/my file.sqlite"));
}

TEST(RunRequest, GpusThatShareACaseAreNamedWithTheKindsOfScaling) {
    RunRequest request;
    request.suite = "quick";
    request.gpus = {1, 2, 4};
    request.scalings = {ScalingKind::Strong, ScalingKind::Weak};
    EXPECT_THAT(argumentsOf(request),
                ElementsAre("run", "--suite", "quick", "--gpus", "1,2,4", "--scaling", "strong,weak"));
}

TEST(RunRequest, AResumedRunKeepsItsOriginalOptions) {
    RunRequest request;
    request.resume = "cafe";
    request.workloads = {"a"};
    request.precise = true;
    request.database = "/tmp/file.sqlite";
    EXPECT_THAT(argumentsOf(request), ElementsAre("run", "--db", "/tmp/file.sqlite", "--resume", "cafe"));
}

}  // namespace
}  // namespace steelyard::bench
