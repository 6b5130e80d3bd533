// SPDX-License-Identifier: Apache-2.0
// Text in, value out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/gpu/gpu_probe.h"
#include "engine/hardware/gpu/pci_scan.h"
#include "engine/hardware/profile/redaction.h"
#include "engine/hardware/system/environment_probe.h"
#include "engine/hardware/system/sensor_readings.h"
#include "engine/hardware/system/system_files.h"
#include "engine/hardware/system/text_parsing.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using ::testing::ElementsAre;
using testing::FileTree;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(TextParsing, Numbers) {
    EXPECT_EQ(parseInteger(" 42\n"), 42);
    EXPECT_EQ(parseInteger("0x10de"), 0x10de);
    EXPECT_EQ(parseInteger("-1"), -1);
    EXPECT_FALSE(parseInteger(""));
    EXPECT_FALSE(parseInteger("max"));
    EXPECT_FALSE(parseInteger("4 2"));
    EXPECT_FALSE(parseInteger("99999999999999999999"));
    EXPECT_EQ(parseReal("2.5"), 2.5);
    EXPECT_FALSE(parseReal("2.5 GT/s"));
    EXPECT_EQ(kibibytesOfKey("MemTotal:  24 kB\n", "MemTotal"), 24 * 1024);
    EXPECT_FALSE(kibibytesOfKey("MemTotal:  99999999999999999 kB\n", "MemTotal"));
    EXPECT_FALSE(kibibytesOfKey("MemTotal:  24 kB\n", "Mem"));
}

TEST(TextParsing, CpuLists) {
    EXPECT_THAT(*parseCpuList("0-2,8,10-11\n"), ElementsAre(0, 1, 2, 8, 10, 11));
    EXPECT_THAT(*parseCpuList(""), IsEmpty());
    for (const char* text : {"a", "3-1", "1-", "-1", "0-99999999"}) EXPECT_FALSE(parseCpuList(text)) << text;
}

TEST(SystemFiles, ReadsBelowItsRootAndWithinBounds) {
    FileTree tree;
    tree.write("/proc/x", "0x1f\nsecond line\n");
    tree.write("/proc/long", std::string(100'000, 'a'));
    tree.write("/proc/empty", "");
    const SystemFiles files = tree.files();
    EXPECT_EQ(files.readLine("/proc/x"), "0x1f");
    EXPECT_EQ(files.readInteger("/proc/x"), 0x1f);
    EXPECT_EQ(files.read("/proc/long")->size(), SystemFiles::kDefaultLimit);
    EXPECT_EQ(files.read("/proc/long", 5000)->size(), 5000U);
    EXPECT_FALSE(files.readLine("/proc/empty"));
    EXPECT_EQ(files.read("/proc/none").error().kind, ErrorKind::NotFound);
    EXPECT_FALSE(files.read("/proc")) << "a folder has no text";
    EXPECT_THAT(files.list("/proc"), ElementsAre("empty", "long", "x"));
    EXPECT_THAT(files.list("/nowhere"), IsEmpty());
}

TEST(CpuInfoText, Intel) {
    const CpuText cpu = parseCpuInfo(
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R)  Xeon(R) Platinum 8481C\n"
        "flags\t\t: fpu sse4_2 avx f16c fma avx2 avx512f avx512dq avx512cd avx512bw avx512vl avx512_vnni amx_bf16 "
        "amx_tile amx_int8 hypervisor aperfmperf\n\nprocessor\t: 1\nvendor_id\t: Other\n");
    EXPECT_EQ(cpu.name, "Intel(R) Xeon(R) Platinum 8481C");
    EXPECT_EQ(cpu.vendor, "Intel");
    EXPECT_TRUE(cpu.x86);
    EXPECT_TRUE(cpu.hypervisor);
    EXPECT_TRUE(cpu.countsCycles);
    EXPECT_THAT(cpu.isa, ElementsAre("sse4_2", "avx", "f16c", "fma", "avx2", "avx512", "avx512_vnni", "amx_tile",
                                     "amx_int8", "amx_bf16"));
}

TEST(CpuInfoText, Avx512NeedsAllItsUsualParts) {
    EXPECT_THAT(isaNames({"avx2", "avx512f", "avx512cd"}), ElementsAre("avx2")) << "as on Knights Landing";
}

TEST(CpuInfoText, Arm) {
    const CpuText cpu = parseCpuInfo(
        "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd asimdhp asimddp sve i8mm bf16\n"
        "CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\n");
    EXPECT_EQ(cpu.name, "Arm Neoverse-V2");
    EXPECT_EQ(cpu.vendor, "Arm");
    EXPECT_FALSE(cpu.x86);
    EXPECT_THAT(cpu.isa, ElementsAre("neon", "neon_fp16", "neon_dot", "neon_bf16", "neon_i8mm", "sve"));
    EXPECT_EQ(parseCpuInfo("CPU implementer : 0x41\nCPU part : 0xfff\n").name, "Arm core 0xfff");
}

TEST(CpuInfoText, NothingIsNothing) {
    const CpuText cpu = parseCpuInfo("");
    EXPECT_EQ(cpu.name, "");
    EXPECT_THAT(cpu.isa, IsEmpty());
}

TEST(Clocks, ComeFromTheDriverOrTheName) {
    const FileTree hybrid("hybrid_laptop");
    const auto clocks = readClocks(hybrid.files(), CpuText{});
    EXPECT_EQ(clocks.baseMhz, 2500) << "of the fastest kind";
    EXPECT_EQ(clocks.maxMhz, 4600);
    EXPECT_EQ(clocks.governor, "powersave");
    const FileTree dual("dual_socket");
    EXPECT_EQ(readClocks(dual.files(), CpuText{}).governor, "performance, powersave");
    EXPECT_EQ(readClocks(dual.files(), CpuText{}).baseMhz, 3250);
    CpuText text;
    text.name = "Intel(R) Xeon(R) CPU @ 2.20GHz";
    const FileTree nothing;
    const auto named = readClocks(nothing.files(), text);
    EXPECT_EQ(named.baseMhz, 2200);
    EXPECT_EQ(named.baseSource, "processor name");
    EXPECT_FALSE(named.maxMhz);
    EXPECT_EQ(named.governor, "");
}

TEST(Clocks, CurrentIsAMeanOrUnknown) {
    const FileTree hybrid("hybrid_laptop");
    EXPECT_EQ(readCurrentMhz(hybrid.files(), {0, 4}, false), 2500);
    EXPECT_EQ(readCurrentMhz(hybrid.files(), {4}, false), 2000);
    const FileTree virtualMachine("virtual_machine");
    EXPECT_FALSE(readCurrentMhz(virtualMachine.files(), {0}, false)) << "a constant is no measurement";
    EXPECT_EQ(readCurrentMhz(virtualMachine.files(), {0}, true), 2596.138);
}

TEST(UsableThreads, AreTheSmallestLimitAndAtLeastOne) {
    CpuInfo cpu;
    EXPECT_FALSE(deriveUsableThreads(cpu).isKnown());
    cpu.allowedCpus = known(16, "mask");
    EXPECT_EQ(deriveUsableThreads(cpu).value, 16);
    cpu.allowedCores = known(8, "mask");
    EXPECT_EQ(deriveUsableThreads(cpu).value, 8);
    cpu.quotaCores = known(2.9, "quota");
    EXPECT_EQ(deriveUsableThreads(cpu).value, 2);
    EXPECT_THAT(deriveUsableThreads(cpu).source, HasSubstr("CPU quota"));
    cpu.quotaCores = known(0.5, "quota");
    EXPECT_EQ(deriveUsableThreads(cpu).value, 1);
}

TEST(OsRelease, PrettyName) {
    EXPECT_EQ(parseOsRelease("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n"),
              "Debian GNU/Linux 13 (trixie)");
    EXPECT_EQ(parseOsRelease("NAME=Alpine\n"), "Alpine");
    EXPECT_EQ(parseOsRelease("PRETTY_NAME=\"\"\nNAME='Void'\n"), "Void");
    EXPECT_EQ(parseOsRelease("nonsense"), "");
}

TEST(Pci, Names) {
    const std::string list =
        "# comment\n1002  AMD\n\t25a2  Other\n10de  NVIDIA\n\t25a2  GA107M\n\t\t17aa 3e31  Sub\n\t2684  AD102\n8086  "
        "Intel\n";
    EXPECT_EQ(nameInPciIds(list, 0x10de, 0x25a2), "GA107M");
    EXPECT_EQ(nameInPciIds(list, 0x10de, 0x2684), "AD102");
    EXPECT_EQ(nameInPciIds(list, 0x1002, 0x2684), "") << "another maker's device";
    EXPECT_EQ(nameInPciIds(list, 0x8086, 0x1), "");
    EXPECT_EQ(nameInPciIds(list, 0x1234, 0x1), "");
    EXPECT_EQ(nameInPciIds("", 0x10de, 0x1), "");
}

TEST(Pci, SpeedsAndIds) {
    EXPECT_EQ(pcieGenerationOfSpeed("2.5 GT/s PCIe"), 1);
    EXPECT_EQ(pcieGenerationOfSpeed("16.0 GT/s PCIe"), 4);
    EXPECT_EQ(pcieGenerationOfSpeed("64.0 GT/s PCIe"), 6);
    EXPECT_FALSE(pcieGenerationOfSpeed("Unknown"));
    EXPECT_FALSE(pcieGenerationOfSpeed(""));
    EXPECT_EQ(normalizedBusId("00000000:A1:00.0"), "0000:a1:00.0");
    EXPECT_EQ(normalizedBusId("0000:a1:00.0"), "0000:a1:00.0");
    EXPECT_EQ(normalizedBusId("10000:a1:00.0"), "10000:a1:00.0") << "a domain that needs its digits";
}

TEST(Gpu, Versions) {
    EXPECT_EQ(cudaVersionText(13000), "13.0");
    EXPECT_EQ(cudaVersionText(12040), "12.4");
    EXPECT_EQ(
        parseKernelModuleVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12\nGCC 12.2"),
        "535.183.01");
    EXPECT_EQ(parseKernelModuleVersion("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release"),
              "580.65.06");
    EXPECT_EQ(parseKernelModuleVersion("GCC version: 12.2.0"), "");
}

TEST(Gpu, ThrottleReasons) {
    EXPECT_THAT(throttleReasonNames(0x1 | 0x2 | 0x100), IsEmpty()) << "idle or chosen clocks are no slow-down";
    EXPECT_THAT(throttleReasonNames(0x4 | 0x40),
                ElementsAre(::testing::Eq("power cap"), ::testing::Eq("hardware thermal slowdown")));
}

TEST(Readings, CpuTimes) {
    const char* stat = "cpu  1 1 1 1 1\ncpu0 100 10 50 800 20 5 10 5 7 0\ncpu1 0 0 0 1000 0 0 0 0 0 0\nintr 5\n";
    const auto first = parseCpuTimes(stat, {0});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->total, 1000) << "guest time is part of user time and not counted twice";
    EXPECT_EQ(first->busy, 180);
    EXPECT_EQ(parseCpuTimes(stat, {})->total, 2000);
    EXPECT_FALSE(parseCpuTimes(stat, {9}));
    EXPECT_FALSE(parseCpuTimes("", {}));
    EXPECT_EQ(busyFraction({10, 100}, {35, 150}), 0.5);
    EXPECT_FALSE(busyFraction({10, 100}, {10, 100}));
    EXPECT_EQ(busyFraction({10, 100}, {9, 150}), 0.0);
}

TEST(Readings, Temperatures) {
    FileTree tree("hybrid_laptop");
    EXPECT_THAT(findCpuThermometers(tree.files()), ElementsAre("/sys/class/hwmon/hwmon3/temp1_input"))
        << "the package stands for its cores, a disk for nothing";
    EXPECT_EQ(readHottest(tree.files(), findCpuThermometers(tree.files())), 86.0);
    tree.remove("/sys/class/hwmon");
    tree.write("/sys/class/thermal/thermal_zone0/type", "acpitz\n");
    tree.write("/sys/class/thermal/thermal_zone0/temp", "27800\n");
    tree.write("/sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    tree.write("/sys/class/thermal/thermal_zone1/temp", "45500\n");
    EXPECT_EQ(readHottest(tree.files(), findCpuThermometers(tree.files())), 45.5);
    EXPECT_FALSE(readHottest(tree.files(), {}));
    tree.write("/sys/class/thermal/thermal_zone1/temp", "0\n");
    EXPECT_FALSE(readHottest(tree.files(), findCpuThermometers(tree.files())));
}

TEST(Readings, Pressure) {
    EXPECT_DOUBLE_EQ(*parsePressure("some avg10=12.50 avg60=1.00\n"), 0.125);
    EXPECT_FALSE(parsePressure("full avg10=1.00"));
}

TEST(Redaction, TakesOutWhatIdentifies) {
    const std::string text = redacted(
        "host kitchen, user ada, /home/ada/x, adapter\n"
        "GPU-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0 and 02:42:ac:11:00:02\n"
        "/docker/0123456789abcdef0123456789abcdef.scope user-1000.slice\n"
        "Serial\t\t: 10000000abcdef\n"
        "0000:01:00.0 flags avx2 cafe 580.65.06\n",
        {"kitchen", "ada", "/home/ada"});
    for (const char* secret :
         {"kitchen", " ada,", "/home/ada", "0f1e2d3c", "a5b4c3d2e1f0", "02:42", "0123456789abcdef", "1000", "abcdef"}) {
        EXPECT_THAT(text, Not(HasSubstr(secret)));
    }
    for (const char* kept : {"adapter", "0000:01:00.0", "cafe", "580.65.06", "user-N.slice", "GPU-<removed> and"}) {
        EXPECT_THAT(text, HasSubstr(kept));
    }
    EXPECT_EQ(redacted("", {"x"}), "");
    EXPECT_EQ(redacted("a b", {"a"}), "a b") << "one letter is no secret";
}

}  // namespace
}  // namespace steelyard::hardware
