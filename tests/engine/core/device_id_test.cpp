// SPDX-License-Identifier: Apache-2.0
#include "engine/core/device_id.h"

#include <gtest/gtest.h>

namespace steelyard {
namespace {

TEST(DeviceId, AGpuIsItsNumber) {
    EXPECT_EQ(DeviceId::parse("cuda:0").gpu, 0);
    EXPECT_EQ(DeviceId::parse("cuda:12").gpu, 12);
    EXPECT_EQ(DeviceId::ofGpu(3), DeviceId::parse("cuda:3"));
    EXPECT_EQ(DeviceId::ofGpu(3).name, "cuda:3");
}

TEST(DeviceId, WhatElseIsNamedIsNoGpu) {
    for (const char* name : {"cpu", "reference", "", "cuda", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda:0+cuda:1",
                             "cuda:99999999999"}) {
        EXPECT_FALSE(DeviceId::parse(name).isGpu()) << name;
        EXPECT_EQ(DeviceId::parse(name).name, name);
    }
}

}  // namespace
}  // namespace steelyard
