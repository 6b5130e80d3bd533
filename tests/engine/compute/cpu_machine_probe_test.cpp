// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/tuning/cpu_machine_probe.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/reference/reference_backend.h"

namespace steelyard::compute {
namespace {

cpu_set_t maskOfThisThread() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    EXPECT_EQ(::sched_getaffinity(0, sizeof mask, &mask), 0);
    return mask;
}

TEST(CpuMachineProbe, RoundTripsWhereThereAreTwoProcessors) {
    const auto mask = maskOfThisThread();
    if (CPU_COUNT(&mask) < 2) GTEST_SKIP() << "one processor";
    cpu::CpuMachineProbe probe;
    // On a busy machine a thread may have to wait; not always.
    MachineRates rates;
    for (int i = 0; i < 200 && !rates.roundTripSeconds; ++i) rates = probe.probe(2);
    ASSERT_TRUE(rates.roundTripSeconds);
    EXPECT_GT(*rates.roundTripSeconds, 1e-9);
    EXPECT_EQ(rates.roundTripSeconds, rates.slowestRoundTripSeconds);  // of the only pair
    EXPECT_GT(rates.arithmeticRate.value(), 0);
    EXPECT_GT(rates.bandwidth.value(), 0);
}

TEST(CpuMachineProbe, LeavesThreadsFree) {
    const auto before = maskOfThisThread();
    cpu::CpuMachineProbe probe;
    (void)probe.probe(2);
    const auto after = maskOfThisThread();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(CpuMachineProbe, OneThreadHasNoNeighbour) {
    cpu::CpuMachineProbe probe;
    const auto rates = probe.probe(1);
    EXPECT_FALSE(rates.roundTripSeconds);
    EXPECT_FALSE(rates.slowestRoundTripSeconds);
    EXPECT_GT(rates.arithmeticRate.value(), 0);
    EXPECT_FALSE(probe.probe(0).arithmeticRate);
}

TEST(CpuMachineProbe, MoreThreadsThanProcessorsHaveNoPlaces) {
    const auto mask = maskOfThisThread();
    cpu::CpuMachineProbe probe;
    EXPECT_FALSE(probe.probe(CPU_COUNT(&mask) + 1).roundTripSeconds);
}

TEST(CpuMachineProbe, IsWhatTheBackendOffers) {
    const auto backend = makeCpuBackend();
    ASSERT_NE(machineProbeOf(*backend), nullptr);
    EXPECT_GT(machineProbeOf(*backend)->probeMachine(1).arithmeticRate.value(), 0);
    const auto reference = makeReferenceBackend();
    EXPECT_EQ(machineProbeOf(*reference), nullptr);
}

}  // namespace
}  // namespace steelyard::compute
