// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/control_groups.h"

#include <algorithm>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

// A version 1 group without a limit has the largest multiple of the page size; no real limit is close to it.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
constexpr std::size_t kMountInfoLimit = 1024 * 1024;
constexpr int kDeepestGroup = 64;

struct Mount {
    bool version2 = false;
    std::string root;  // the group shown at the mount point
    std::string point;
    std::string options;  // mount options: the controllers in version 1
};

// proc(5): space, tab, newline and backslash are written as \ooo.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool octal = text[i] == '\\' && i + 3 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '3' &&
                           text[i + 2] >= '0' && text[i + 2] <= '7' && text[i + 3] >= '0' && text[i + 3] <= '7';
        if (octal) {
            out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::vector<Mount> parseMounts(std::string_view mountInfo) {
    std::vector<Mount> mounts;
    for (std::string_view line : splitText(mountInfo, '\n')) {
        // 36 35 98:0 /root /point rw,noatime shared:1 - type source options
        const auto dash = line.find(" - ");
        if (dash == std::string_view::npos) continue;
        const auto left = splitText(line.substr(0, dash), ' ');
        const auto right = splitText(line.substr(dash + 3), ' ');
        if (left.size() < 5 || right.empty() || (right[0] != "cgroup" && right[0] != "cgroup2")) continue;
        mounts.push_back({right[0] == "cgroup2", unescaped(left[3]), unescaped(left[4]),
                          right.size() > 2 ? std::string(right[2]) : std::string()});
    }
    return mounts;
}

bool listContains(std::string_view list, std::string_view item) {
    const auto parts = splitText(list, ',');
    return std::find(parts.begin(), parts.end(), item) != parts.end();
}

// Path of this process's group for a version 1 controller, or for version 2 if `controller` is empty.
std::optional<std::string> groupPath(std::string_view ownGroups, std::string_view controller) {
    for (std::string_view line : splitText(ownGroups, '\n')) {
        // "4:memory:/docker/abc", "0::/user.slice"
        const auto first = line.find(':');
        const auto second = line.find(':', first == std::string_view::npos ? first : first + 1);
        if (second == std::string_view::npos) continue;
        const auto controllers = line.substr(first + 1, second - first - 1);
        const bool mine = controller.empty() ? controllers.empty() : listContains(controllers, controller);
        if (mine) return std::string(line.substr(second + 1));
    }
    return std::nullopt;
}

// The folders of the group and its visible ancestors, own group first.
std::vector<std::string> groupFolders(const SystemFiles& files, const Mount& mount, std::string path) {
    // In a container the group's path is often that of the host, while the mount only shows the part below it.
    const std::string root = mount.root == "/" ? std::string() : mount.root;
    if (path == root || path.starts_with(root + "/")) {
        path.erase(0, root.size());
    } else {
        path.clear();
    }
    if (path.find("/..") != std::string::npos) path.clear();
    std::vector<std::string> folders;
    for (int depth = 0; depth < kDeepestGroup; ++depth) {
        while (path.ends_with('/')) path.pop_back();
        const std::string folder = mount.point + path;
        if (files.exists(folder)) folders.push_back(folder);
        if (path.empty()) break;
        path.erase(path.rfind('/'));
    }
    return folders;
}

std::vector<std::string> foldersFor(const SystemFiles& files, const std::vector<Mount>& mounts,
                                    std::string_view ownGroups, std::string_view controller) {
    for (const Mount& mount : mounts) {
        const bool fits =
            controller.empty() ? mount.version2 : !mount.version2 && listContains(mount.options, controller);
        if (!fits) continue;
        if (const auto path = groupPath(ownGroups, controller)) return groupFolders(files, mount, *path);
    }
    return {};
}

void keepSmaller(std::optional<double>& least, std::string& source, double value, const char* from) {
    if (least && *least <= value) return;
    least = value;
    source = from;
}

void readCpuVersion2(const SystemFiles& files, const std::vector<std::string>& folders, ControlGroupLimits& limits) {
    for (const auto& folder : folders) {
        if (files.exists(folder + "/cpu.stat")) limits.cpuStatPaths.push_back(folder + "/cpu.stat");
        const auto line = files.readLine(folder + "/cpu.max");  // "200000 100000", "max 100000"
        if (!line) continue;
        const auto parts = splitText(*line, ' ');
        const auto quota = parts.empty() ? std::nullopt : parseInteger(parts[0]);
        const auto period = parts.size() < 2 ? std::optional<std::int64_t>(100'000) : parseInteger(parts[1]);
        if (!quota || !period || *quota <= 0 || *period <= 0) continue;
        keepSmaller(limits.cpus, limits.cpuSource, static_cast<double>(*quota) / static_cast<double>(*period),
                    "cgroup v2 cpu.max");
    }
}

void readCpuVersion1(const SystemFiles& files, const std::vector<std::string>& folders, ControlGroupLimits& limits) {
    for (const auto& folder : folders) {
        if (files.exists(folder + "/cpu.stat")) limits.cpuStatPaths.push_back(folder + "/cpu.stat");
        const auto quota = files.readInteger(folder + "/cpu.cfs_quota_us");  // -1: none
        const auto period = files.readInteger(folder + "/cpu.cfs_period_us");
        if (!quota || !period || *quota <= 0 || *period <= 0) continue;
        keepSmaller(limits.cpus, limits.cpuSource, static_cast<double>(*quota) / static_cast<double>(*period),
                    "cgroup v1 cpu.cfs_quota_us");
    }
}

// Memory that the kernel cannot reclaim: usage without inactive file cache.
std::optional<std::int64_t> workingSet(const SystemFiles& files, const std::string& usagePath,
                                       const std::string& statPath, std::string_view inactiveKey) {
    const auto usage = files.readInteger(usagePath);
    if (!usage) return std::nullopt;
    const auto stat = files.read(statPath);
    const auto inactive = stat ? valueOfKey(*stat, inactiveKey, ' ') : std::nullopt;
    const auto bytes = inactive ? parseInteger(*inactive) : std::nullopt;
    return std::max<std::int64_t>(0, *usage - bytes.value_or(0));
}

struct MemoryFiles {
    const char* limit;
    const char* usage;
    const char* inactiveKey;
    const char* source;
};
constexpr MemoryFiles kMemoryMax{"/memory.max", "/memory.current", "inactive_file", "cgroup v2 memory.max"};
// Above memory.high a job is throttled heavily, so it is treated as a limit.
constexpr MemoryFiles kMemoryHigh{"/memory.high", "/memory.current", "inactive_file", "cgroup v2 memory.high"};
constexpr MemoryFiles kMemoryLimit{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file",
                                   "cgroup v1 memory.limit_in_bytes"};

void readMemory(const SystemFiles& files, const std::vector<std::string>& folders, const MemoryFiles& names,
                ControlGroupLimits& limits) {
    for (const auto& folder : folders) {
        const auto limit = files.readInteger(folder + names.limit);  // "max" is no number
        if (!limit || *limit < 0 || *limit >= kUnlimited) continue;
        if (!limits.memoryBytes || *limit < *limits.memoryBytes) {
            limits.memoryBytes = *limit;
            limits.memorySource = names.source;
        }
        const auto used = workingSet(files, folder + names.usage, folder + "/memory.stat", names.inactiveKey);
        if (!used) continue;
        const std::int64_t left = std::max<std::int64_t>(0, *limit - *used);
        limits.memoryFreeBytes = std::min(limits.memoryFreeBytes.value_or(left), left);
    }
}

// The kernel's minimum over all ancestors, including those outside the container.
void readHierarchicalLimit(const SystemFiles& files, const std::vector<std::string>& folders,
                           ControlGroupLimits& limits) {
    if (folders.empty()) return;
    const auto stat = files.read(folders.front() + "/memory.stat");
    const auto value = stat ? valueOfKey(*stat, "hierarchical_memory_limit", ' ') : std::nullopt;
    const auto limit = value ? parseInteger(*value) : std::nullopt;
    if (!limit || *limit <= 0 || *limit >= kUnlimited) return;
    if (limits.memoryBytes && *limits.memoryBytes <= *limit) return;
    limits.memoryBytes = *limit;
    limits.memorySource = "cgroup v1 hierarchical_memory_limit";
    const auto used = workingSet(files, folders.front() + "/memory.usage_in_bytes", folders.front() + "/memory.stat",
                                 "total_inactive_file");
    if (used) limits.memoryFreeBytes = std::max<std::int64_t>(0, *limit - *used);
}

}  // namespace

ControlGroupLimits readControlGroups(const SystemFiles& files) {
    ControlGroupLimits limits;
    const auto ownGroups = files.read("/proc/self/cgroup");
    const auto mountInfo = files.read("/proc/self/mountinfo", kMountInfoLimit);
    const auto mounts = mountInfo ? parseMounts(*mountInfo) : std::vector<Mount>{};
    if (!ownGroups || mounts.empty()) {
        limits.cpuReason = limits.memoryReason = messages::noControlGroups();
        return limits;
    }
    const auto unified = foldersFor(files, mounts, *ownGroups, "");
    const auto cpu = foldersFor(files, mounts, *ownGroups, "cpu");
    const auto memory = foldersFor(files, mounts, *ownGroups, "memory");
    readCpuVersion1(files, cpu, limits);
    readCpuVersion2(files, unified, limits);
    readMemory(files, memory, kMemoryLimit, limits);
    readHierarchicalLimit(files, memory, limits);
    readMemory(files, unified, kMemoryMax, limits);
    readMemory(files, unified, kMemoryHigh, limits);
    if (!limits.cpus) limits.cpuReason = messages::noCpuLimit();
    if (!limits.memoryBytes) limits.memoryReason = messages::noMemoryLimit();
    return limits;
}

}  // namespace steelyard::hardware
