// SPDX-License-Identifier: Apache-2.0
// The stages of GPU detection, with simulated drivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/hardware/detect.h"
#include "engine/hardware/gpu/gpu_probe.h"
#include "tests/engine/hardware/fake_drivers.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using testing::FakeDevice;
using testing::FakeDriver;
using testing::FakeManagement;
using testing::FileTree;
using ::testing::HasSubstr;

struct GpuTest : ::testing::Test {
    FakeDriver driver;
    FakeManagement management;
    std::vector<BackendInfo> backends{{"cpu", true, {}}, {"cuda", true, {}}};
    std::map<std::string, std::string> variables;

    GpuReport probe(const FileTree& tree) {
        const SystemFiles files = tree.files();
        return probeGpus({.files = files,
                          .readVariable = [this](const std::string& name) -> std::optional<std::string> {
                              const auto found = variables.find(name);
                              return found != variables.end() ? std::optional(found->second) : std::nullopt;
                          },
                          .driver = driver,
                          .management = management,
                          .backends = backends});
    }
    void useTwoCards() { driver.devices = {FakeDevice{}, FakeDevice{.busId = "0000:a1:00.0"}}; }
};

TEST_F(GpuTest, NoCard) {
    driver.present = false;
    const FileTree tree("virtual_machine");
    const auto report = probe(tree);
    EXPECT_TRUE(report.gpus.empty());
    EXPECT_EQ(report.reason, "No GPU on the PCI bus");
}

TEST_F(GpuTest, LibraryButNoCard) {
    driver.failures["cuInit"] = 100;
    const FileTree tree("virtual_machine");
    const auto report = probe(tree);
    EXPECT_TRUE(report.gpus.empty());
    EXPECT_EQ(report.reason, "No GPU on the PCI bus");
}

TEST_F(GpuTest, CardWithoutDriver) {
    driver.present = false;
    const FileTree tree("hybrid_laptop");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    const GpuInfo& intel = report.gpus[0];
    EXPECT_EQ(intel.vendor, "Intel");
    EXPECT_EQ(intel.status, GpuStatus::UnsupportedVendor);
    EXPECT_EQ(intel.name.value, "Raptor Lake-P [Iris Xe Graphics]");
    const GpuInfo& nvidia = report.gpus[1];
    EXPECT_EQ(nvidia.id, "pci:0000:01:00.0");
    EXPECT_EQ(nvidia.status, GpuStatus::DriverMissing);
    EXPECT_EQ(nvidia.name.value, "GA107M [GeForce RTX 3050 Mobile]");
    EXPECT_THAT(nvidia.reason.text, HasSubstr("not installed"));
    EXPECT_THAT(nvidia.reason.text, HasSubstr("cannot open shared object file"));
    EXPECT_THAT(nvidia.reason.text, HasSubstr("nouveau"));
    EXPECT_EQ(nvidia.pcieGeneration.value, 4);
    EXPECT_EQ(nvidia.pcieWidth.value, 8);
    EXPECT_FALSE(nvidia.numaNode.isKnown()) << "-1 is not told";
    EXPECT_FALSE(nvidia.memoryBytes.isKnown());
    EXPECT_EQ(report.reason, "");
}

TEST_F(GpuTest, KernelDriverWithoutItsLibrary) {
    driver.present = false;
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    EXPECT_EQ(report.gpus[0].status, GpuStatus::DriverMissing);
    EXPECT_THAT(report.gpus[0].reason.text, HasSubstr("container"));
}

TEST_F(GpuTest, DriverTooOld) {
    driver.driverVersion = 12040;
    useTwoCards();
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    EXPECT_EQ(report.gpus[0].status, GpuStatus::DriverTooOld);
    EXPECT_EQ(report.gpus[0].reason, "The NVIDIA driver is too old: it supports CUDA 12.4; 13.0 is required");
    EXPECT_EQ(report.gpus[0].cudaVersion.value, "12.4");
    EXPECT_EQ(driver.deviceCalls, 0) << "a driver that is too old is not asked further";
}

TEST_F(GpuTest, DriverShowsNoDevice) {
    driver.failures["cuInit"] = 100;
    variables["CUDA_VISIBLE_DEVICES"] = "-1";
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    EXPECT_EQ(report.gpus[0].status, GpuStatus::NotVisible);
    EXPECT_THAT(report.gpus[0].reason.text, HasSubstr("CUDA_VISIBLE_DEVICES is \"-1\""));
}

TEST_F(GpuTest, FailingCallIsNamed) {
    const FileTree tree("dual_socket");
    for (const char* call : {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount"}) {
        driver.failures = {{call, 802}};
        useTwoCards();
        const auto report = probe(tree);
        ASSERT_EQ(report.gpus.size(), 2U) << call;
        EXPECT_EQ(report.gpus[0].status, GpuStatus::DriverFailed) << call;
        EXPECT_EQ(report.gpus[0].reason, std::string("The NVIDIA driver failed: ") + call + " returned CUDA_ERROR_802");
    }
}

TEST_F(GpuTest, OneFailingQueryIsOneUnknownFact) {
    driver.failures = {{"cuDeviceTotalMem", 999}};
    useTwoCards();
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    EXPECT_EQ(report.gpus[0].status, GpuStatus::Usable);
    EXPECT_FALSE(report.gpus[0].memoryBytes.isKnown());
    EXPECT_EQ(report.gpus[0].memoryBytes.reason, "cuDeviceTotalMem returned CUDA_ERROR_999");
    EXPECT_TRUE(report.gpus[0].name.isKnown());

    driver.failures = {{"cuDeviceGetAttribute", 1}};
    EXPECT_EQ(probe(tree).gpus[0].status, GpuStatus::DriverFailed) << "without a compute capability nothing can run";
}

TEST_F(GpuTest, TwoDevices) {
    useTwoCards();
    management.readings["0000:21:00.0"] = {
        .powerLimitWatts = 700.0, .memoryUsedBytes = std::int64_t{1} << 30, .pcieGeneration = 5, .pcieWidth = 16};
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    const GpuInfo& first = report.gpus[0];
    EXPECT_EQ(first.id, "cuda:0");
    EXPECT_EQ(first.status, GpuStatus::Usable);
    EXPECT_EQ(first.reason, "");
    EXPECT_EQ(first.name.value, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(first.computeCapability.value, "9.0");
    EXPECT_EQ(first.memoryBytes.value, std::int64_t{80} << 30);
    EXPECT_EQ(first.driver, known<std::string>("580.65.06", "libnvidia-ml.so.1"));
    EXPECT_EQ(first.cudaVersion.value, "13.0");
    EXPECT_EQ(first.multiprocessors.value, 132);
    EXPECT_EQ(first.maxMhz.value, 1980);
    // 2 x 2619 MHz x 5120 bit / 8 = 3.35 TB/s, NVIDIA's figure for the H100 SXM.
    EXPECT_DOUBLE_EQ(*first.memoryBytesPerSecond.value, 2 * 2619e6 * 5120 / 8);
    EXPECT_EQ(first.powerLimitWatts.value, 700);
    EXPECT_EQ(first.pcieGeneration, known(5, "libnvidia-ml.so.1"));
    EXPECT_EQ(first.numaNode.value, 0);
    const GpuInfo& second = report.gpus[1];
    EXPECT_EQ(second.id, "cuda:1");
    EXPECT_EQ(second.pciBusId.value, "0000:a1:00.0");
    EXPECT_EQ(second.numaNode.value, 1);
    EXPECT_EQ(second.pcieGeneration, known(5, "/sys/bus/pci/devices")) << "the bus tells where the driver does not";
    EXPECT_FALSE(second.powerLimitWatts.isKnown());
}

TEST_F(GpuTest, WithoutTheManagementLibrary) {
    useTwoCards();
    management.present = false;
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    EXPECT_EQ(report.gpus[0].driver, known<std::string>("580.65.06", "/proc/driver/nvidia/version"));
    EXPECT_EQ(report.gpus[0].powerLimitWatts.reason, "libnvidia-ml.so.1 cannot be used");
    EXPECT_EQ(report.gpus[0].status, GpuStatus::Usable);
}

TEST_F(GpuTest, ACardThatTheDriverHides) {
    driver.devices = {FakeDevice{.busId = "0000:a1:00.0"}};
    variables["CUDA_VISIBLE_DEVICES"] = "1";
    const FileTree tree("dual_socket");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 2U);
    EXPECT_EQ(report.gpus[0].id, "cuda:0");
    EXPECT_EQ(report.gpus[1].id, "pci:0000:21:00.0");
    EXPECT_EQ(report.gpus[1].status, GpuStatus::NotVisible);
}

TEST_F(GpuTest, ACardWithoutAVisibleBus) {
    driver.devices = {FakeDevice{}};
    const FileTree tree;
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 1U) << "as under WSL";
    EXPECT_EQ(report.gpus[0].status, GpuStatus::Usable);
    EXPECT_FALSE(report.gpus[0].pcieWidth.isKnown());
}

TEST_F(GpuTest, ComputeCapabilityTooOld) {
    driver.devices = {FakeDevice{.name = "NVIDIA Tesla V100", .major = 7, .minor = 0}};
    const FileTree tree;
    const auto report = probe(tree);
    EXPECT_EQ(report.gpus[0].status, GpuStatus::TooOld);
    EXPECT_EQ(report.gpus[0].reason, "Compute capability 7.0 is too old; 7.5 is required");
}

TEST_F(GpuTest, BackendIsTheLastStage) {
    driver.devices = {FakeDevice{}};
    const FileTree tree;
    backends = {{"cpu", true, {}}, {"cuda", false, Message("libcudnn.so.9: cannot open shared object file")}};
    EXPECT_EQ(probe(tree).gpus[0].status, GpuStatus::BackendMissing);
    EXPECT_EQ(probe(tree).gpus[0].reason,
              "The CUDA backend was not loaded: libcudnn.so.9: cannot open shared object file");
    backends = {{"cpu", true, {}}};
    EXPECT_EQ(probe(tree).gpus[0].reason, "The CUDA backend is not installed");
    backends = {};
    EXPECT_EQ(probe(tree).gpus[0].status, GpuStatus::Usable) << "nobody asked the registry: not judged";
}

TEST_F(GpuTest, AmdCardTellsItsMemory) {
    driver.present = false;
    FileTree tree;
    const std::string folder = "/sys/bus/pci/devices/0000:03:00.0/";
    tree.write(folder + "vendor", "0x1002\n");
    tree.write(folder + "device", "0x744c\n");
    tree.write(folder + "class", "0x030000\n");
    tree.write(folder + "mem_info_vram_total", "25753026560\n");
    const auto report = probe(tree);
    ASSERT_EQ(report.gpus.size(), 1U);
    EXPECT_EQ(report.gpus[0].vendor, "AMD");
    EXPECT_EQ(report.gpus[0].status, GpuStatus::UnsupportedVendor);
    EXPECT_EQ(report.gpus[0].memoryBytes.value, 25753026560);
    EXPECT_EQ(report.gpus[0].name.reason, "PCI device 1002:744c is unknown");
}

TEST(GpuPlacement, CardsStandBesideTheirMemory) {
    const FileTree tree("dual_socket");
    DetectOptions options;
    options.files = tree.files();
    options.topology = {
        .kind = TopologySource::Kind::Synthetic, .text = "Package:2 [NUMANode] Core:2 PU:1", .cpuKinds = {}};
    auto driver = std::make_shared<FakeDriver>();
    driver->devices = {FakeDevice{}, FakeDevice{.busId = "0000:a1:00.0"}, FakeDevice{.busId = "0000:c1:00.0"}};
    options.driver = driver;
    options.management = std::make_shared<FakeManagement>();
    const auto profile = detect(options);
    ASSERT_TRUE(profile);
    const TopologyNode& machine = profile->cpu.topology;
    EXPECT_THAT(machine.children[0].children[0].pciBusIds, ::testing::ElementsAre("0000:21:00.0"));
    EXPECT_THAT(machine.children[1].children[0].pciBusIds, ::testing::ElementsAre("0000:a1:00.0"));
    EXPECT_THAT(machine.pciBusIds, ::testing::ElementsAre("0000:c1:00.0")) << "near nothing that is known";
}

TEST(RealLibraries, SayWhyTheyCannotBeOpened) {
    const auto driver = openDriverLibrary();
    if (const auto opened = driver->open(); !opened) {
        EXPECT_EQ(opened.error().kind, ErrorKind::BackendUnavailable);
        EXPECT_NE(opened.error().detail.text, "");
    } else {
        int version = 0;
        EXPECT_EQ(driver->version(version), 0);
        EXPECT_GT(version, 1000);
    }
    const auto management = openManagementLibrary();
    EXPECT_FALSE(management->read("ffff:ff:1f.7")) << "no such card, opened or not";
}

}  // namespace
}  // namespace steelyard::hardware
