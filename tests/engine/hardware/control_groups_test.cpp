// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/control_groups.h"

#include <gtest/gtest.h>

#include "engine/hardware/system/memory_probe.h"
#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using testing::FileTree;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

TEST(ControlGroups, Version2TakesTheTightestOnTheWayUp) {
    const FileTree tree("container_v2");
    const auto limits = readControlGroups(tree.files());
    EXPECT_EQ(limits.cpus, 2.5) << "the group above grants less than the own one";
    EXPECT_EQ(limits.cpuSource, "cgroup v2 cpu.max");
    EXPECT_EQ(limits.memoryBytes, 4 * kGiB);
    EXPECT_EQ(limits.memoryFreeBytes, 3 * kGiB) << "8 - (6 - 1 inactive) and 4 - 1 GiB: both are 3";
    ASSERT_EQ(limits.cpuStatPaths.size(), 1U);
    EXPECT_TRUE(limits.cpuStatPaths[0].ends_with("pod1.slice/cpu.stat"));
}

TEST(ControlGroups, MemoryHighIsALimitToo) {
    FileTree tree("container_v2");
    tree.write("/sys/fs/cgroup here/kubepods.slice/pod1.slice/memory.high", "2147483648\n");
    const auto limits = readControlGroups(tree.files());
    EXPECT_EQ(limits.memoryBytes, 2 * kGiB);
    EXPECT_EQ(limits.memorySource, "cgroup v2 memory.high");
    EXPECT_EQ(limits.memoryFreeBytes, kGiB);
}

TEST(ControlGroups, AFullerGroupAboveLeavesLess) {
    FileTree tree("container_v2");
    tree.write("/sys/fs/cgroup here/kubepods.slice/memory.current", "8589934592\n");
    EXPECT_EQ(readControlGroups(tree.files()).memoryFreeBytes, kGiB);
    tree.write("/sys/fs/cgroup here/kubepods.slice/memory.current", "99589934592\n");
    EXPECT_EQ(readControlGroups(tree.files()).memoryFreeBytes, 0);
}

TEST(ControlGroups, Version1InAContainerThatSeesTheHostsPath) {
    const FileTree tree("container_v1");
    const auto limits = readControlGroups(tree.files());
    EXPECT_EQ(limits.cpus, 1.5);
    EXPECT_EQ(limits.cpuSource, "cgroup v1 cpu.cfs_quota_us");
    EXPECT_EQ(limits.memoryBytes, 2 * kGiB) << "set on a group that cannot be seen from here";
    EXPECT_EQ(limits.memorySource, "cgroup v1 hierarchical_memory_limit");
    EXPECT_EQ(limits.memoryFreeBytes, 2 * kGiB - (std::int64_t{512} << 20) + (std::int64_t{256} << 20));
}

TEST(ControlGroups, Version1NestedWithoutAContainer) {
    FileTree tree;
    tree.write("/proc/self/cgroup", "5:cpu:/jobs/a\n4:memory:/jobs/a\n");
    tree.write("/proc/self/mountinfo",
               "1 0 0:1 / /cg/cpu rw - cgroup cgroup rw,cpu\n2 0 0:2 / /cg/memory rw - cgroup cgroup rw,memory\n");
    tree.write("/cg/cpu/jobs/a/cpu.cfs_quota_us", "-1\n");
    tree.write("/cg/cpu/jobs/a/cpu.cfs_period_us", "100000\n");
    tree.write("/cg/cpu/jobs/cpu.cfs_quota_us", "300000\n");
    tree.write("/cg/cpu/jobs/cpu.cfs_period_us", "100000\n");
    tree.write("/cg/memory/jobs/a/memory.limit_in_bytes", "3221225472\n");
    tree.write("/cg/memory/jobs/memory.limit_in_bytes", "1073741824\n");
    const auto limits = readControlGroups(tree.files());
    EXPECT_EQ(limits.cpus, 3.0);
    EXPECT_EQ(limits.memoryBytes, kGiB);
    EXPECT_FALSE(limits.memoryFreeBytes) << "usage is not told";
}

TEST(ControlGroups, NoLimitIsUnknownWithAReason) {
    const FileTree open("dual_socket");
    const auto limits = readControlGroups(open.files());
    EXPECT_FALSE(limits.cpus);
    EXPECT_FALSE(limits.memoryBytes);
    EXPECT_NE(limits.cpuReason, "");
    const FileTree none("virtual_machine");
    EXPECT_EQ(readControlGroups(none.files()).memoryReason, "no control groups are visible");
}

TEST(ControlGroups, OddTextIsNoLimit) {
    FileTree tree("container_v2");
    for (const char* text : {"", "garbage", "0 100000", "-5 100000", "100000 0", "100000 x"}) {
        tree.write("/sys/fs/cgroup here/kubepods.slice/pod1.slice/cpu.max", text);
        EXPECT_EQ(readControlGroups(tree.files()).cpus, 4.0) << text << ": the own group's limit remains";
    }
    tree.write("/proc/self/cgroup", "0::/../../elsewhere\n");
    EXPECT_FALSE(readControlGroups(tree.files()).cpus)
        << "outside of what is mounted: only the mount's own group counts";
}

TEST(Memory, TheGroupsLimitAndRestCount) {
    const FileTree tree("container_v2");
    const auto memory = readMemoryInfo(tree.files(), readControlGroups(tree.files()));
    EXPECT_EQ(memory.totalBytes.value, 32000000LL * 1024);
    EXPECT_EQ(memory.limitBytes.value, 4 * kGiB);
    EXPECT_EQ(memory.availableBytes.value, 3 * kGiB);
    EXPECT_EQ(memory.swapTotalBytes.value, 0) << "zero, as told, is not unknown";
}

TEST(Memory, ALimitAboveTheMachineIsNone) {
    FileTree tree("container_v1");
    tree.write("/sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 99999999999999\n");
    const auto memory = readMemoryInfo(tree.files(), readControlGroups(tree.files()));
    EXPECT_FALSE(memory.limitBytes.isKnown());
    EXPECT_EQ(memory.availableBytes.value, 15000000LL * 1024);
}

TEST(Memory, MissingFileIsUnknown) {
    const FileTree tree;
    const auto memory = readMemoryInfo(tree.files(), readControlGroups(tree.files()));
    EXPECT_FALSE(memory.totalBytes.isKnown());
    EXPECT_NE(memory.totalBytes.reason, "");
}

}  // namespace
}  // namespace steelyard::hardware
