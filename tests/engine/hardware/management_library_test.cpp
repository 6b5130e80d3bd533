// SPDX-License-Identifier: Apache-2.0
// The declarations of NVML, tested with a library that has its C interface (fake_nvml.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/system/sensors.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using ::testing::ElementsAre;
using testing::FileTree;
using ::testing::Optional;

constexpr const char* kBus = "0000:21:00.0";

TEST(ManagementLibrary, ReadsEverythingInTheUnitsOfTheManual) {
    const auto library = openManagementLibrary(STEELYARD_FAKE_NVML);
    ASSERT_TRUE(library->open()) << describe(library->open().error());
    EXPECT_EQ(library->driverVersion(), "580.65.06");
    const auto reading = library->read(kBus);
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->mhz, 1755);
    EXPECT_EQ(reading->memoryMhz, 2619);
    EXPECT_EQ(reading->celsius, 64);
    EXPECT_EQ(reading->watts, 612.5);
    EXPECT_EQ(reading->powerLimitWatts, 700);
    EXPECT_EQ(reading->loadFraction, 0.97);
    EXPECT_EQ(reading->memoryUsedBytes, 60);
    EXPECT_EQ(reading->pcieGeneration, 5);
    EXPECT_EQ(reading->pcieWidth, 16);
    EXPECT_EQ(reading->currentPcieGeneration, 1);
    EXPECT_EQ(reading->currentPcieWidth, 8);
    EXPECT_THAT(reading->computeProcessIds, Optional(ElementsAre(4242, 77)));
    ASSERT_TRUE(reading->throttleReasons);
    EXPECT_THAT(throttleReasonNames(*reading->throttleReasons),
                ElementsAre(::testing::Eq("power cap"), ::testing::Eq("software thermal slowdown")));
    const auto later = library->read(kBus);
    EXPECT_NEAR(*later->energyJoules - *reading->energyJoules, 2.5, 1e-9);
    EXPECT_FALSE(library->read("0000:99:00.0"));
}

TEST(ManagementLibrary, CountsProcessesThatDoNotFit) {
    ::setenv("FAKE_NVML_MANY", "1", 1);
    const auto library = openManagementLibrary(STEELYARD_FAKE_NVML);
    ASSERT_TRUE(library->open());
    const auto reading = library->read(kBus);
    ::unsetenv("FAKE_NVML_MANY");
    ASSERT_TRUE(reading && reading->computeProcessIds);
    EXPECT_EQ(reading->computeProcessIds->size(), 1000);
}

TEST(ManagementLibrary, SaysWhyItCannotBeUsed) {
    const auto missing = openManagementLibrary("libnvidia-ml-of-nobody.so.1")->open();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::BackendUnavailable);
    ::setenv("FAKE_NVML_INIT", "9", 1);
    const auto refused = openManagementLibrary(STEELYARD_FAKE_NVML)->open();
    ::unsetenv("FAKE_NVML_INIT");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().detail.text.find("nvmlInit returned 9"), std::string::npos);
}

TEST(Sensors, CountTheEnergyBetweenSamples) {
    const FileTree tree;
    Sensors sensors({.files = tree.files(),
                     .cpus = {},
                     .management = openManagementLibrary(STEELYARD_FAKE_NVML),
                     .gpuPciBusId = kBus});
    EXPECT_FALSE(sensors.sample().gpuJoules) << "energy needs two readings";
    const auto second = sensors.sample();
    ASSERT_TRUE(second.gpuJoules);
    EXPECT_NEAR(*second.gpuJoules, 2.5, 1e-9);
    EXPECT_EQ(second.gpuMemoryMhz, 2619);
}

}  // namespace
}  // namespace steelyard::hardware
