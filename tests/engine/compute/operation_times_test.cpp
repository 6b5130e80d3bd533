// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/operation_times.h"

#include <gmock/gmock.h>

namespace steelyard::compute {
namespace {

// Like a recurrent layer, step by step.
TEST(OperationTimes, NameEachKernelOfAnOperationOnce) {
    std::vector<OperationTime> times;
    addTime(times, 3, 1, "native:steps_first");
    for (int step = 0; step < 5; ++step) {
        addTime(times, 3, 2, "brg:avx512_core");
        addTime(times, 3, 0.5, "native:gates");
    }
    ASSERT_EQ(times.size(), 1U);
    EXPECT_EQ(times.front().operation, 3);
    EXPECT_DOUBLE_EQ(times.front().seconds, 1 + 5 * 2.5);
    EXPECT_EQ(times.front().kernel, "native:steps_first + brg:avx512_core + native:gates");
}

TEST(OperationTimes, TellKernelsApartOneOfWhichBeginsOrEndsTheOther) {
    std::vector<OperationTime> times;
    for (const auto* kernel : {"brgemm:avx512_core_bf16", "brgemm:avx512_core", "gemm:avx512_core"})
        addTime(times, 0, 1, kernel);
    EXPECT_EQ(times.front().kernel, "brgemm:avx512_core_bf16 + brgemm:avx512_core + gemm:avx512_core");
}

TEST(OperationTimes, OfTwoOperationsAreTwoLines) {
    std::vector<OperationTime> times;
    addTime(times, 0, 1, "native:softmax");
    addTime(times, 1, 2, "native:softmax");
    addTime(times, 0, 4, "native:softmax");
    ASSERT_EQ(times.size(), 3U);
    EXPECT_DOUBLE_EQ(times[2].seconds, 4);
}

}  // namespace
}  // namespace steelyard::compute
