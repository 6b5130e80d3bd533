// SPDX-License-Identifier: Apache-2.0
// Whole computers: topology (synthetic, copied files, XML), affinity, environment, and the running machine.
#include "engine/hardware/detect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <numeric>
#include <thread>

#include "engine/hardware/profile/profile_json.h"
#include "tests/engine/hardware/fake_drivers.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using ::testing::ElementsAre;
using testing::FakeDriver;
using testing::FakeManagement;
using testing::FileTree;
using ::testing::HasSubstr;
using ::testing::Not;

DetectOptions optionsFor(const FileTree& tree, std::string synthetic) {
    DetectOptions options;
    options.files = tree.files();
    options.topology = {.kind = TopologySource::Kind::Synthetic, .text = std::move(synthetic), .cpuKinds = {}};
    options.readVariable = [](const std::string&) { return std::nullopt; };
    options.hypervisorSignature = [] { return std::string("KVMKVMKVM"); };
    auto driver = std::make_shared<FakeDriver>();
    driver->present = false;
    options.driver = driver;
    auto management = std::make_shared<FakeManagement>();
    management->present = false;
    options.management = management;
    return options;
}

HardwareProfile detected(const DetectOptions& options) {
    auto profile = detect(options);
    EXPECT_TRUE(profile) << describe(profile.error());
    return profile.value_or(HardwareProfile{});
}

constexpr const char* kDualSocket = "Package:2 [NUMANode(memory=34359738368)] L3:2 L2:2 L1:1 Core:1 PU:2";

int countNodes(const TopologyNode& node, TopologyKind kind) {
    return (node.kind == kind ? 1 : 0) +
           std::accumulate(node.children.begin(), node.children.end(), 0,
                           [kind](int sum, const TopologyNode& child) { return sum + countNodes(child, kind); });
}

TEST(Detect, DualSocketWithTwoNumaNodes) {
    const FileTree tree("dual_socket");
    const auto profile = detected(optionsFor(tree, kDualSocket));
    const CpuInfo& cpu = profile.cpu;
    EXPECT_EQ(cpu.packages.value, 2);
    EXPECT_EQ(cpu.cores.value, 8);
    EXPECT_EQ(cpu.threads.value, 16);
    EXPECT_EQ(cpu.allowedCores.value, 8);
    EXPECT_EQ(cpu.allowedCpus.value, 16);
    EXPECT_EQ(cpu.usableThreads.value, 8) << "cores, not hyperthreads";
    ASSERT_EQ(cpu.numa.value->size(), 2U);
    EXPECT_EQ(cpu.numa.value->at(1).index, 1);
    EXPECT_EQ(cpu.numa.value->at(1).cpus.size(), 8U);
    EXPECT_EQ(cpu.numa.value->at(1).memoryBytes, std::int64_t{32} << 30);
    ASSERT_EQ(cpu.kinds.value->size(), 1U);
    EXPECT_EQ(cpu.kinds.value->at(0).name, "uniform");
    EXPECT_EQ(cpu.kinds.value->at(0).cores, 8);
    bool foundL3 = false;
    for (const auto& cache : *cpu.caches.value) {
        if (cache.level != 3) continue;
        foundL3 = true;
        EXPECT_EQ(cache.count, 4);
        EXPECT_EQ(cache.sharedByThreads, 4);
        EXPECT_EQ(cache.type, "unified");
    }
    EXPECT_TRUE(foundL3);
    EXPECT_EQ(cpu.name.value, "AMD EPYC 9354 32-Core Processor");
    EXPECT_EQ(profile.environment.virtualMachine.value, "none");
    EXPECT_EQ(profile.environment.machine.value, "Supermicro AS-2025HS-TNR");
    EXPECT_EQ(profile.environment.container.value, "none");
    EXPECT_EQ(profile.environment.os.value, "Debian GNU/Linux 12 (bookworm)");
    EXPECT_FALSE(cpu.quotaCores.isKnown());
}

TEST(Detect, TreeGoesFromPackageOverMemoryAndCacheToThread) {
    const FileTree tree("dual_socket");
    const auto machine = detected(optionsFor(tree, kDualSocket)).cpu.topology;
    EXPECT_EQ(machine.kind, TopologyKind::Machine);
    ASSERT_EQ(machine.children.size(), 2U);
    const auto& package = machine.children[1];
    EXPECT_EQ(package.kind, TopologyKind::Package);
    ASSERT_EQ(package.children.size(), 1U);
    const auto& numa = package.children[0];
    EXPECT_EQ(numa.kind, TopologyKind::Numa);
    EXPECT_EQ(numa.bytes, std::int64_t{32} << 30);
    ASSERT_EQ(numa.children.size(), 2U);
    const auto& cache = numa.children[0];
    EXPECT_EQ(cache.kind, TopologyKind::Cache);
    EXPECT_EQ(cache.cacheLevel, 3);
    ASSERT_EQ(cache.children.size(), 2U);
    EXPECT_EQ(cache.children[0].kind, TopologyKind::Core);
    EXPECT_EQ(cache.children[0].children.size(), 2U);
    EXPECT_EQ(countNodes(machine, TopologyKind::Thread), 16);
    EXPECT_EQ(countNodes(machine, TopologyKind::Core), 8);
}

TEST(Detect, NumaSizesThatDoNotAddUpAreUnknown) {
    FileTree tree("dual_socket");
    tree.write("/proc/meminfo", "MemTotal:       200000000 kB\nMemAvailable: 100 kB\n");
    const auto profile = detected(optionsFor(tree, kDualSocket));
    EXPECT_FALSE(profile.cpu.numa.value->at(0).memoryBytes);
    EXPECT_FALSE(profile.cpu.topology.children[0].children[0].bytes);
}

TEST(Detect, OneNodeHoldsAllMemory) {
    const FileTree tree("virtual_machine");
    const auto profile = detected(optionsFor(tree, "[NUMANode(memory=12308393984)] L3:1 Core:2 PU:1"));
    EXPECT_EQ(profile.cpu.numa.value->at(0).memoryBytes, 24684084LL * 1024) << "hwloc misses memory that was added";
}

TEST(Detect, TasksetMaskLeavesSomeCores) {
    const FileTree tree("dual_socket");
    auto options = optionsFor(tree, kDualSocket);
    options.affinity = {4, 5, 6, 999};
    const auto profile = detected(options);
    const CpuInfo& cpu = profile.cpu;
    EXPECT_EQ(cpu.threads.value, 16) << "the machine is shown whole";
    EXPECT_EQ(cpu.allowedCpus.value, 3);
    EXPECT_EQ(cpu.allowedCores.value, 2) << "two threads of one core and one of another";
    EXPECT_THAT(*cpu.allowedCpuList.value, ElementsAre(4, 5, 6));
    EXPECT_EQ(cpu.usableThreads.value, 2);
    EXPECT_TRUE(cpu.topology.children[0].allowed);
    EXPECT_FALSE(cpu.topology.children[1].allowed);

    options.affinity = {999};
    EXPECT_FALSE(detect(options));
}

TEST(Detect, ContainersQuotaLimitsTheThreads) {
    const FileTree tree("container_v2");
    auto options = optionsFor(tree, "Package:1 [NUMANode] L3:1 Core:8 PU:2");
    options.readVariable = [](const std::string& name) {
        return name == "KUBERNETES_SERVICE_HOST" ? std::optional<std::string>("10.0.0.1") : std::nullopt;
    };
    const auto profile = detected(options);
    EXPECT_EQ(profile.cpu.quotaCores.value, 2.5);
    EXPECT_EQ(profile.cpu.usableThreads.value, 2);
    EXPECT_EQ(profile.memory.limitBytes.value, std::int64_t{4} << 30);
    EXPECT_EQ(profile.environment.container.value, "kubernetes");
    EXPECT_EQ(profile.environment.virtualMachine.value, "kvm");
    EXPECT_EQ(profile.cpu.baseMhz.value, 2700);
    EXPECT_THAT(*profile.cpu.isa.value, ::testing::IsSupersetOf({"avx512", "amx_bf16", "avx512_fp16"}));
}

TEST(Detect, Version1Container) {
    const FileTree tree("container_v1");
    const auto profile = detected(optionsFor(tree, "Package:1 Core:4 PU:1"));
    EXPECT_EQ(profile.cpu.usableThreads.value, 1) << "floor of 1.5";
    EXPECT_EQ(profile.environment.container.value, "docker");
}

TEST(Detect, AVirtualMachineDoesNotKnowItsClocks) {
    const FileTree tree("virtual_machine");
    const auto profile = detected(optionsFor(tree, "Package:1 L3:1 Core:2 PU:1"));
    for (const auto* clock : {&profile.cpu.baseMhz, &profile.cpu.maxMhz, &profile.cpu.currentMhz}) {
        EXPECT_FALSE(clock->isKnown());
        EXPECT_EQ(clock->reason, "not reported in a virtual machine");
    }
    EXPECT_FALSE(profile.cpu.governor.isKnown());
    EXPECT_THAT(profile.cpu.caches.source, HasSubstr("virtual machine"));
    EXPECT_THAT(profile.gpus, ::testing::IsEmpty());
    EXPECT_EQ(profile.gpuReason, "No GPU on the PCI bus");
}

TEST(Detect, RegisteredKindsOfCores) {
    const FileTree tree("virtual_machine");
    auto options = optionsFor(tree, "Package:1 L3:1 Core:6 PU:1");
    options.topology.cpuKinds = {{2, 3, 4, 5}, {0, 1}};  // slowest first
    const auto profile = detected(options);
    ASSERT_EQ(profile.cpu.kinds.value->size(), 2U);
    EXPECT_EQ(profile.cpu.kinds.value->at(0).name, "efficiency");
    EXPECT_EQ(profile.cpu.kinds.value->at(0).cores, 4);
    EXPECT_EQ(profile.cpu.kinds.value->at(1).name, "performance");
    EXPECT_LT(profile.cpu.kinds.value->at(0).efficiencyRank, profile.cpu.kinds.value->at(1).efficiencyRank);
    EXPECT_THAT(profile.cpu.kinds.value->at(1).cpus, ElementsAre(0, 1));
}

// The kernel's files for two performance cores with two threads each, and four efficiency cores sharing one L2.
void addHybridCpus(FileTree& tree) {
    const std::string root = "/sys/devices/system/cpu/";
    for (const char* name : {"online", "possible", "present"}) tree.write(root + name, "0-7\n");
    const auto mask = [](unsigned bits) {
        std::ostringstream text;
        text << std::hex << bits << "\n";
        return text.str();
    };
    for (unsigned cpu = 0; cpu < 8; ++cpu) {
        const std::string folder = root + "cpu" + std::to_string(cpu) + "/";
        const bool fast = cpu < 4;
        const unsigned core = fast ? cpu / 2 : cpu - 2;
        const unsigned own = fast ? 0x3U << (core * 2) : 1U << cpu;
        tree.write(folder + "cpufreq/cpuinfo_max_freq", fast ? "4600000\n" : "3400000\n");
        tree.write(folder + "topology/physical_package_id", "0\n");
        tree.write(folder + "topology/core_id", std::to_string(core) + "\n");
        tree.write(folder + "topology/thread_siblings", mask(own));
        tree.write(folder + "topology/core_cpus", mask(own));
        tree.write(folder + "topology/core_siblings", mask(0xff));
        tree.write(folder + "topology/package_cpus", mask(0xff));
        const std::vector<std::tuple<int, const char*, const char*, unsigned>> caches = {
            {1, "Data", fast ? "48K" : "32K", own},
            {1, "Instruction", fast ? "32K" : "64K", own},
            {2, "Unified", fast ? "1280K" : "2048K", fast ? own : 0xf0U},
            {3, "Unified", "12288K", 0xff}};
        for (std::size_t i = 0; i < caches.size(); ++i) {
            const auto& [level, type, size, shared] = caches[i];
            const std::string cache = folder + "cache/index" + std::to_string(i) + "/";
            tree.write(cache + "level", std::to_string(level) + "\n");
            tree.write(cache + "type", std::string(type) + "\n");
            tree.write(cache + "size", std::string(size) + "\n");
            tree.write(cache + "shared_cpu_map", mask(shared));
        }
    }
}

TEST(Detect, HybridLaptopFromItsOwnFiles) {
    FileTree tree("hybrid_laptop");
    addHybridCpus(tree);
    auto options = optionsFor(tree, "");
    options.topology = {.kind = TopologySource::Kind::FileRoot, .text = tree.root(), .cpuKinds = {}};
    const auto profile = detected(options);
    const CpuInfo& cpu = profile.cpu;
    EXPECT_EQ(cpu.cores.value, 6);
    EXPECT_EQ(cpu.threads.value, 8);
    ASSERT_EQ(cpu.kinds.value->size(), 2U);
    EXPECT_EQ(cpu.kinds.value->at(0).name, "efficiency");
    EXPECT_EQ(cpu.kinds.value->at(0).cores, 4);
    EXPECT_EQ(cpu.kinds.value->at(1).name, "performance");
    EXPECT_EQ(cpu.kinds.value->at(1).cores, 2);
    EXPECT_EQ(cpu.kinds.value->at(1).maxMhz, 4600);
    EXPECT_THAT(cpu.kinds.value->at(1).cpus, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(cpu.maxMhz.value, 4600);
    EXPECT_EQ(cpu.baseMhz.value, 2500);
    EXPECT_EQ(cpu.vendor.value, "Intel");
    EXPECT_FALSE(cpu.architecture.isKnown()) << "copied files do not tell";

    // An L2 shared by four cores is drawn; that of a single core is only listed.
    EXPECT_EQ(countNodes(cpu.topology, TopologyKind::Cache), 2);
    EXPECT_EQ(countNodes(cpu.topology, TopologyKind::Core), 6);
    std::vector<int> l2Shares;
    for (const auto& cache : *cpu.caches.value) {
        if (cache.level == 2) l2Shares.push_back(cache.sharedByThreads);
    }
    EXPECT_THAT(l2Shares, ::testing::UnorderedElementsAre(2, 4));
}

TEST(Detect, XmlDescription) {
    const FileTree tree("virtual_machine");
    auto options = optionsFor(tree, "");
    options.topology.kind = TopologySource::Kind::Xml;
    // In hwloc's formatting, which its minimal parser requires without libxml.
    options.topology.text = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <object type="NUMANode" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
    <object type="Core" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
      <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
    </object>
  </object>
</topology>
)";
    const auto profile = detected(options);
    EXPECT_EQ(profile.cpu.cores.value, 1);
    EXPECT_EQ(profile.cpu.threads.value, 2);
    EXPECT_FALSE(profile.cpu.packages.isKnown()) << "none is told";
    EXPECT_FALSE(profile.cpu.caches.isKnown());
    options.topology.text = "<topology";
    EXPECT_FALSE(detect(options));
    options.topology = {.kind = TopologySource::Kind::Synthetic, .text = "Socks:2", .cpuKinds = {}};
    EXPECT_EQ(detect(options).error().kind, ErrorKind::InvalidArgument);
}

TEST(Detect, EnvironmentSigns) {
    FileTree tree("virtual_machine");
    auto options = optionsFor(tree, "Package:1 Core:1 PU:1");
    EXPECT_EQ(detected(options).environment.container.value, "none");
    tree.write("/run/.containerenv", "");
    EXPECT_EQ(detected(options).environment.container.value, "podman");
    tree.remove("/run/.containerenv");
    tree.write("/proc/self/cgroup", "0::/lxc/web\n");
    EXPECT_EQ(detected(options).environment.container.value, "lxc");
    tree.write("/run/systemd/container", "systemd-nspawn\n");
    EXPECT_EQ(detected(options).environment.container.value, "systemd-nspawn");

    options.hypervisorSignature = [] { return std::string("VMwareVMware"); };
    EXPECT_EQ(detected(options).environment.virtualMachine.value, "vmware");
    options.hypervisorSignature = [] { return std::string("SomebodyElse"); };
    EXPECT_EQ(detected(options).environment.virtualMachine.value, "other");
    tree.write("/sys/class/dmi/id/sys_vendor", "QEMU\n");
    EXPECT_EQ(detected(options).environment.virtualMachine.value, "qemu");

    EXPECT_EQ(detected(options).environment.wsl.value, false);
    tree.write("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");
    EXPECT_EQ(detected(options).environment.wsl.value, true);
    EXPECT_EQ(detected(options).environment.virtualMachine.value, "hyper-v");
}

TEST(Detect, AnEmptyComputerIsAllReasons) {
    const FileTree tree;
    const auto profile = detected(optionsFor(tree, "Package:1 Core:2 PU:1"));
    EXPECT_EQ(profile.cpu.cores.value, 2);
    for (const Fact<std::string>* fact : {&profile.cpu.name, &profile.cpu.governor, &profile.environment.os,
                                          &profile.environment.kernel, &profile.environment.virtualMachine}) {
        EXPECT_FALSE(fact->isKnown());
        EXPECT_NE(fact->reason, "");
    }
    EXPECT_EQ(profile.gpuReason, "The PCI bus is not visible");
}

TEST(Detect, FactsStandInTheJsonWithTheirSource) {
    const FileTree tree("dual_socket");
    const auto profile = detected(optionsFor(tree, kDualSocket));
    const auto read = profileFromJson(toJson(profile));
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(*read, profile);
}

TEST(Doctor, ShowsReadingsAndNoNames) {
    const FileTree tree("hybrid_laptop");
    auto options = optionsFor(tree, "Package:1 L3:1 Core:6 PU:1");
    options.readVariable = [](const std::string& name) -> std::optional<std::string> {
        if (name == "USER") return "zoe-walker";
        if (name == "HOME") return "/home/zoe-walker";
        if (name == "CUDA_VISIBLE_DEVICES") return "GPU-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
        if (name == "LD_LIBRARY_PATH") return "/home/zoe-walker/lib";
        return std::nullopt;
    };
    const std::string report = doctorReport(detected(options), options);
    for (const char* part : {"13th Gen", "intel_pstate", "0000:01:00.0: 10de:25a2", "nouveau", "libcuda.so.1",
                             "MemTotal", "user-N.slice", "removed from this report", "Package:1"}) {
        EXPECT_THAT(report, HasSubstr(part));
    }
    for (const char* secret : {"kitchen-laptop", "zoe-walker", "0f1e2d3c", "user-1000"}) {
        EXPECT_THAT(report, Not(HasSubstr(secret)));
    }
}

// The machine that runs the tests.
TEST(ThisMachine, HasCoresAndMemory) {
    const auto profile = detect();
    ASSERT_TRUE(profile) << describe(profile.error());
    EXPECT_GE(profile->cpu.threads.valueOr(0), 1);
    EXPECT_GE(profile->cpu.allowedCpus.valueOr(0), 1);
    EXPECT_GE(profile->cpu.usableThreads.valueOr(0), 1);
    EXPECT_LE(profile->cpu.usableThreads.valueOr(0), profile->cpu.allowedCpus.valueOr(0));
    EXPECT_LE(profile->cpu.allowedCpus.valueOr(0), profile->cpu.threads.valueOr(0));
    EXPECT_GT(profile->memory.totalBytes.valueOr(0), 0);
    EXPECT_EQ(profile->gpus.empty(), !profile->gpuReason.empty());
    EXPECT_THAT(doctorReport(*profile), HasSubstr("## Processor"));
}

TEST(ThisMachine, FollowsTheAffinityMaskOfItsThread) {
    // In a separate thread, so that the mask ends with it.
    std::thread([] {
        cpu_set_t set;
        CPU_ZERO(&set);
        ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
        int first = 0;
        while (!CPU_ISSET(first, &set)) ++first;
        CPU_ZERO(&set);
        CPU_SET(first, &set);
        ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
        DetectOptions options;
        options.probeGpus = false;
        const auto profile = detect(options);
        ASSERT_TRUE(profile);
        EXPECT_EQ(profile->cpu.allowedCpus.value, 1);
        EXPECT_THAT(*profile->cpu.allowedCpuList.value, ElementsAre(first));
        EXPECT_EQ(profile->cpu.usableThreads.value, 1);
        EXPECT_EQ(profile->gpuReason, "GPU detection was skipped");
    }).join();
}

}  // namespace
}  // namespace steelyard::hardware
