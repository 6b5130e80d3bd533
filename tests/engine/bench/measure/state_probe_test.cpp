// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/state_probe.h"

#include <gtest/gtest.h>

#include "engine/compute/machine_probe.h"
#include "engine/compute/reference/reference_backend.h"
#include "tests/engine/hardware/fake_drivers.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::bench {
namespace {

class ProbedBackend final : public compute::Backend, public compute::MachineProbe {
public:
    std::string_view name() const override { return "probed"; }
    std::vector<compute::Device> devices() const override { return {}; }
    std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
    Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                         const compute::CompileOptions&) override {
        return fail(ErrorKind::Unsupported, "probed");
    }
    compute::MachineRates probeMachine(int threads) override {
        asked = threads;
        return {50e-9, 60e-9, 1e11, 2e10};
    }
    int asked = 0;
};

TEST(StateProbe, ReadsTheMachineAndWhatOthersTook) {
    hardware::testing::FileTree tree;
    tree.write("/proc/stat", "cpu0 100 0 0 900 0 0 0 0 0 0\n");
    ProbedBackend backend;
    StateProbe probe(backend, {.files = tree.files(), .cpus = {0}, .threads = 3, .management = {}, .gpuPciBusId = {}});
    const auto first = probe.read();
    EXPECT_EQ(backend.asked, 3);
    EXPECT_EQ(first.roundTripSeconds, 50e-9);
    EXPECT_EQ(first.slowestRoundTripSeconds, 60e-9);
    EXPECT_EQ(first.arithmeticRate, 1e11);
    EXPECT_EQ(first.bandwidth, 2e10);
    EXPECT_FALSE(first.stolenCpus);
    EXPECT_FALSE(first.gpuMhz);
    tree.write("/proc/stat", "cpu0 150 0 0 900 0 0 0 50 0 0\n");
    EXPECT_EQ(probe.read().stolenCpus, 0.5);
}

TEST(StateProbe, ReadsTheGpu) {
    const auto management = std::make_shared<hardware::testing::FakeManagement>();
    hardware::GpuReading gpu;
    gpu.mhz = 1980;
    gpu.celsius = 71;
    gpu.throttleReasons = 0x04;  // the power limit, usual for a card under load
    gpu.computeProcessIds = std::vector<std::int64_t>{77, 78};
    management->readings["0000:01:00.0"] = gpu;
    const auto reference = compute::makeReferenceBackend();
    hardware::testing::FileTree tree;
    StateProbe probe(*reference, {.files = tree.files(),
                                  .cpus = {},
                                  .threads = 1,
                                  .management = management,
                                  .gpuPciBusId = "0000:01:00.0",
                                  .processId = 77});
    const auto quiet = probe.read();
    EXPECT_EQ(quiet.gpuMhz, 1980);
    EXPECT_EQ(quiet.gpuCelsius, 71);
    EXPECT_EQ(quiet.gpuThrottled, false);
    EXPECT_EQ(quiet.gpuOtherProcesses, 1);
    EXPECT_FALSE(quiet.roundTripSeconds);
    management->readings["0000:01:00.0"].throttleReasons = 0x20;
    EXPECT_EQ(probe.read().gpuThrottled, true);
    management->present = false;
    EXPECT_FALSE(probe.read().gpuThrottled);
}

}  // namespace
}  // namespace steelyard::bench
