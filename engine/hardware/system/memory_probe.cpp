// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/memory_probe.h"

#include <algorithm>

#include "engine/core/address_space.h"
#include "engine/core/messages/hardware.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kMemInfo = "/proc/meminfo";

Fact<std::int64_t> factOf(const Result<std::string>& text, std::string_view key) {
    if (!text) return unknown<std::int64_t>(messageOf(text.error()), kMemInfo);
    const auto bytes = kibibytesOfKey(*text, key);
    if (!bytes) return unknown<std::int64_t>(messages::kernelLacks(key), kMemInfo);
    return known(*bytes, kMemInfo);
}

}  // namespace

MemoryInfo readMemoryInfo(const SystemFiles& files, const ControlGroupLimits& limits) {
    const auto text = files.read(kMemInfo);
    MemoryInfo memory;
    memory.totalBytes = factOf(text, "MemTotal");
    memory.availableBytes = factOf(text, "MemAvailable");
    memory.swapTotalBytes = factOf(text, "SwapTotal");
    memory.swapFreeBytes = factOf(text, "SwapFree");

    const auto total = memory.totalBytes.value;
    if (!limits.memoryBytes) {
        memory.limitBytes = unknown<std::int64_t>(limits.memoryReason);
    } else if (total && *limits.memoryBytes >= *total) {
        memory.limitBytes = unknown<std::int64_t>(messages::limitAboveMemory(), limits.memorySource);
    } else {
        memory.limitBytes = known(*limits.memoryBytes, limits.memorySource);
    }
    if (limits.memoryFreeBytes && *limits.memoryFreeBytes < memory.availableBytes.valueOr(INT64_MAX)) {
        memory.availableBytes = known(*limits.memoryFreeBytes, limits.memorySource + " less what the group uses");
    }
    if (const auto left = addressSpaceLeft(); left && *left < memory.availableBytes.valueOr(INT64_MAX))
        memory.availableBytes = known(*left, "the limit of this process's address space (ulimit -v, -d)");
    return memory;
}

}  // namespace steelyard::hardware
