// SPDX-License-Identifier: Apache-2.0
// Sensor readings during a measurement, and preflight warnings.
#include "engine/hardware/system/sensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/core/clock.h"
#include "engine/hardware/system/preflight.h"
#include "tests/engine/hardware/fake_drivers.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using ::testing::ElementsAre;
using testing::FakeManagement;
using testing::FileTree;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Sensors, ReadALaptop) {
    FileTree tree("hybrid_laptop");
    Sensors sensors({.files = tree.files(), .cpus = {0, 1}, .management = nullptr, .gpuPciBusId = {}});
    const SensorSample first = sensors.sample();
    EXPECT_FALSE(first.cpuLoadFraction) << "a load needs two readings";
    EXPECT_FALSE(first.cpuThrottled);
    EXPECT_EQ(first.cpuMhz, 3000) << "of the CPUs that tell";
    EXPECT_EQ(first.cpuCelsius, 86);
    EXPECT_EQ(first.loadAverage, 1.25);
    EXPECT_EQ(first.pressureFraction, 0.125);
    EXPECT_EQ(first.residentBytes, 1024 * 1024);
    EXPECT_EQ(first.peakResidentBytes, 2048 * 1024);
    EXPECT_EQ(first.availableBytes, 1200000LL * 1024);
    EXPECT_FALSE(first.throttled());

    // CPU 0: 100 of 100 ticks busy, CPU 1: none of 100, CPU 2 is not ours.
    tree.write(
        "/proc/stat",
        "cpu  0 0 0 0\ncpu0 200 0 50 850 0 0 0 0 0 0\ncpu1 800 0 50 250 0 0 0 0 0 0\ncpu2 900 0 0 1000 0 0 0 0 0 0\n");
    tree.write("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "8\n");
    const SensorSample second = sensors.sample();
    EXPECT_EQ(second.cpuLoadFraction, 0.5);
    EXPECT_EQ(second.cpuThrottled, true);
    EXPECT_EQ(second.quotaThrottled, false);
    EXPECT_TRUE(second.throttled());
    const SensorSample third = sensors.sample();
    EXPECT_EQ(third.cpuThrottled, false) << "only since the sample before";
}

TEST(Sensors, QuotaStops) {
    FileTree tree("container_v2");
    Sensors sensors({.files = tree.files(), .cpus = {0}, .management = nullptr, .gpuPciBusId = {}});
    EXPECT_FALSE(sensors.sample().quotaThrottled);
    tree.write("/sys/fs/cgroup here/kubepods.slice/pod1.slice/cpu.stat", "nr_periods 120\nnr_throttled 5\n");
    EXPECT_EQ(sensors.sample().quotaThrottled, true);
}

TEST(Sensors, EnergyOfAllPackages) {
    FileTree tree;
    const std::string zones = "/sys/class/powercap/";
    for (const char* package : {"0", "1"}) {
        const std::string folder = zones + "intel-rapl:" + package + "/";
        tree.write(folder + "name", std::string("package-") + package + "\n");
        tree.write(folder + "energy_uj", "9000000\n");
        tree.write(folder + "max_energy_range_uj", "10000000\n");
    }
    tree.write(zones + "intel-rapl:0:0/name", "core\n");
    tree.write(zones + "intel-rapl:0:0/energy_uj", "1\n");
    Sensors sensors({.files = tree.files(), .cpus = {}, .management = nullptr, .gpuPciBusId = {}});
    EXPECT_FALSE(sensors.sample().cpuJoules);
    tree.write(zones + "intel-rapl:0/energy_uj", "9500000\n");
    tree.write(zones + "intel-rapl:1/energy_uj", "2000000\n");
    EXPECT_DOUBLE_EQ(sensors.sample().cpuJoules.value_or(0), 0.5 + 3.0) << "the second counter started over";
    tree.remove(zones + "intel-rapl:1/energy_uj");
    EXPECT_FALSE(sensors.sample().cpuJoules) << "half of the energy is no figure";
}

TEST(Sensors, MissingIsUnknown) {
    const FileTree tree;
    Sensors sensors({.files = tree.files(), .cpus = {}, .management = nullptr, .gpuPciBusId = {}});
    EXPECT_EQ(sensors.sample(), SensorSample{});
    EXPECT_EQ(sensors.sample(), SensorSample{});
}

TEST(Sensors, Gpu) {
    const FileTree tree;
    auto management = std::make_shared<FakeManagement>();
    management->readings["0000:21:00.0"] = {.mhz = 1500.0,
                                            .celsius = 71.0,
                                            .watts = 650.5,
                                            .loadFraction = 0.98,
                                            .memoryUsedBytes = 5000,
                                            .throttleReasons = 0x4};
    Sensors sensors({.files = tree.files(), .cpus = {}, .management = management, .gpuPciBusId = "0000:21:00.0"});
    const SensorSample sample = sensors.sample();
    EXPECT_EQ(sample.gpuMhz, 1500);
    EXPECT_EQ(sample.gpuCelsius, 71);
    EXPECT_EQ(sample.gpuWatts, 650.5);
    EXPECT_EQ(sample.gpuLoadFraction, 0.98);
    EXPECT_EQ(sample.gpuMemoryUsedBytes, 5000);
    EXPECT_THAT(sample.gpuThrottleReasons, ElementsAre(::testing::Eq("power cap")));
    EXPECT_TRUE(sample.throttled());

    Sensors other({.files = tree.files(), .cpus = {}, .management = management, .gpuPciBusId = "0000:99:00.0"});
    EXPECT_EQ(other.sample(), SensorSample{});
}

TEST(Sensors, ThisMachineTellsItsMemory) {
    Sensors sensors{SensorOptions{}};
    const SensorSample sample = sensors.sample();
    EXPECT_GT(sample.residentBytes.value_or(0), 0);
    EXPECT_GE(sample.peakResidentBytes.value_or(0), sample.residentBytes.value_or(0));
}

// A clock that triggers an action during sleep.
class EventfulClock final : public Clock {
public:
    explicit EventfulClock(std::function<void()> event) : m_event(std::move(event)) {}
    [[nodiscard]] std::int64_t nowNanoseconds() const override { return 0; }
    [[nodiscard]] std::int64_t unixMilliseconds() const override { return 0; }
    void sleep(Seconds) override { m_event(); }

private:
    std::function<void()> m_event;
};

struct PreflightTest : ::testing::Test {
    HardwareProfile profile;
    PreflightTest() {
        profile.cpu.allowedCpuList = known(std::vector<int>{0, 1}, "test");
        profile.cpu.allowedCpus = known(2, "test");
    }
    std::map<PreflightKind, PreflightWarning> warnings(
        const FileTree& tree, std::shared_ptr<ManagementLibrary> management = nullptr,
        std::function<void()> event = [] {}) {
        EventfulClock clock(std::move(event));
        std::map<PreflightKind, PreflightWarning> found;
        for (auto& warning : preflight(profile, clock, {.files = tree.files(), .management = std::move(management)})) {
            EXPECT_NE(warning.detail.text, "");
            found.emplace(warning.kind, std::move(warning));
        }
        return found;
    }
};

TEST_F(PreflightTest, ALaptopAtItsWorst) {
    FileTree tree("hybrid_laptop");
    auto found = warnings(tree, nullptr, [&tree] {
        tree.write("/proc/stat", "cpu  0 0 0 0\ncpu0 180 0 50 870 0 0 0 0 0 0\ncpu1 800 0 50 250 0 0 0 0 0 0\n");
    });
    EXPECT_EQ(found.at(PreflightKind::OnBattery).value, 0.42);
    EXPECT_THAT(found.at(PreflightKind::PowerSaving).detail.text, HasSubstr("power"));
    EXPECT_EQ(found.at(PreflightKind::HotStart).value, 86);
    EXPECT_EQ(found.at(PreflightKind::SwapInUse).value, 1000000.0 * 1024);
    EXPECT_EQ(found.at(PreflightKind::LittleMemory).value, 1200000.0 * 1024);
    EXPECT_EQ(found.at(PreflightKind::OtherLoad).value, 0.4);
    EXPECT_THAT(found.at(PreflightKind::OtherLoad).detail.text, HasSubstr("0.8 of 2 CPUs"));
    EXPECT_EQ(found.size(), 6U);
}

TEST_F(PreflightTest, TheSameLaptopAtEase) {
    FileTree tree("hybrid_laptop");
    tree.write("/sys/class/power_supply/AC/online", "1\n");
    tree.write("/sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference", "balance_performance\n");
    tree.write("/sys/class/hwmon/hwmon3/temp1_input", "45000\n");
    tree.write("/proc/meminfo",
               "MemTotal: 16000000 kB\nMemAvailable: 12000000 kB\nSwapTotal: 8000000 kB\nSwapFree: 7999000 kB\n");
    const auto found = warnings(tree, nullptr, [&tree] {
        tree.write("/proc/stat", "cpu  0 0 0 0\ncpu0 110 0 50 940 0 0 0 0 0 0\ncpu1 800 0 50 250 0 0 0 0 0 0\n");
    });
    EXPECT_THAT(found, IsEmpty()) << "powersave is the ordinary policy of this clock driver";
}

TEST_F(PreflightTest, PowersaveOfAnOrdinaryDriverHoldsTheClockDown) {
    const FileTree tree("dual_socket");
    const auto found = warnings(tree);
    EXPECT_THAT(found.at(PreflightKind::PowerSaving).detail.text, HasSubstr("performance, powersave"));
}

TEST_F(PreflightTest, AMousesBatteryIsNotTheComputers) {
    FileTree tree;
    tree.write("/sys/class/power_supply/hid/type", "Battery\n");
    tree.write("/sys/class/power_supply/hid/scope", "Device\n");
    tree.write("/sys/class/power_supply/hid/status", "Discharging\n");
    EXPECT_THAT(warnings(tree), IsEmpty());
}

TEST_F(PreflightTest, GpuInUseAndHot) {
    const FileTree tree;
    GpuInfo gpu;
    gpu.id = "cuda:0";
    gpu.status = GpuStatus::Usable;
    gpu.pciBusId = known<std::string>("0000:21:00.0", "test");
    profile.gpus = {gpu};
    auto management = std::make_shared<FakeManagement>();
    management->readings["0000:21:00.0"] = {.celsius = 80.0, .computeProcessIds = std::vector<std::int64_t>{-1, -2}};
    const auto found = warnings(tree, management);
    EXPECT_EQ(found.at(PreflightKind::GpuInUse).value, 2);
    EXPECT_THAT(found.at(PreflightKind::GpuInUse).detail.text, HasSubstr("cuda:0"));
    EXPECT_EQ(found.at(PreflightKind::HotStart).value, 80);

    management->readings["0000:21:00.0"] = {.celsius = 40.0, .computeProcessIds = std::vector<std::int64_t>{}};
    EXPECT_THAT(warnings(tree, management), IsEmpty());
    management->present = false;
    EXPECT_THAT(warnings(tree, management), IsEmpty()) << "what cannot be read raises no warning";
}

TEST_F(PreflightTest, FractionalQuota) {
    const FileTree tree;
    for (const auto& [quota, warned] : std::map<double, bool>{{1.5, true}, {0.5, true}, {1.0, false}, {2.5, false}}) {
        profile.cpu.quotaCores = known(quota, "test");
        EXPECT_EQ(warnings(tree).count(PreflightKind::FractionalQuota) == 1, warned) << quota;
    }
}

TEST(PreflightKinds, HaveNames) {
    for (int i = 0; i < 8; ++i) EXPECT_NE(toString(static_cast<PreflightKind>(i)), "") << i;
}

}  // namespace
}  // namespace steelyard::hardware
