// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/skypilot_devices.h"

#include <fmt/format.h>

#include "engine/core/csv.h"

namespace steelyard::catalog {
namespace {

// Upper bound of device memory, to select among variants with the same name; 0: any.
struct Name {
    std::string_view name;
    double maxGib;
    std::string_view hardware;
};
constexpr Name kNames[] = {
    {"A10", 0, "a10"},
    {"A10G", 0, "a10g"},
    {"A40", 0, "a40"},
    {"A100", 45, "a100_sxm_40"},
    {"A100", 0, "a100_sxm_80"},
    {"A100-80GB", 0, "a100_sxm_80"},
    {"A6000", 0, "rtxa6000"},
    {"RTXA6000", 0, "rtxa6000"},
    {"B200", 0, "b200_sxm"},
    {"B300", 0, "b300_sxm"},
    {"GH200", 0, "gh200_96"},
    {"H100", 85, "h100_sxm"},
    {"H100-SXM", 0, "h100_sxm"},
    {"H100-MEGA", 0, "h100_sxm"},
    {"H100-80GB", 0, "h100_sxm"},
    {"H100-PCIE", 0, "h100_pcie"},
    {"H200", 0, "h200_sxm"},
    {"H200-SXM", 0, "h200_sxm"},
    {"K80", 0, "k80_gk210"},
    {"L4", 0, "l4"},
    {"L40S", 0, "l40s"},
    {"M40", 0, "m40"},
    {"MI300X", 0, "mi300x"},
    {"P100", 0, "p100_pcie16"},
    {"RTX3060", 9, "rtx3060ti"},
    {"RTX3060", 0, "rtx3060_12"},
    {"RTX3070", 0, "rtx3070"},
    {"RTX3080", 11, "rtx3080_10"},
    {"RTX3080", 0, "rtx3080ti"},
    {"RTX3090", 0, "rtx3090"},
    {"RTX4070", 13, "rtx4070"},
    {"RTX4080", 0, "rtx4080"},
    {"RTX4090", 0, "rtx4090"},
    {"RTX5080", 0, "rtx5080"},
    {"RTX5090", 0, "rtx5090"},
    {"RTX2080Ti", 0, "rtx2080ti"},
    {"GTX1080", 0, "gtx1080"},
    {"GTX1080Ti", 0, "gtx1080ti"},
    {"T4", 0, "t4"},
    {"V100", 20, "v100_sxm2_16"},
    {"V100", 0, "v100_sxm2_32"},
    {"V100-32GB", 0, "v100_sxm2_32"},
};

struct TpuName {
    std::string_view prefix, hardware;
    double coresPerChip;
};
constexpr TpuName kTpus[] = {
    {"tpu-v2-", "tpu_v2", 2},   {"tpu-v3-", "tpu_v3", 2},         {"tpu-v4-", "tpu_v4", 2},
    {"tpu-v5p-", "tpu_v5p", 2}, {"tpu-v5litepod-", "tpu_v5e", 1}, {"tpu-v6e-", "tpu_v6e", 1},
};

struct Host {
    std::string_view accelerator;
    double count;
    std::string_view instance;
};
constexpr Host kHosts[] = {
    {"A100", 1, "a2-highgpu-1g"},       {"A100", 2, "a2-highgpu-2g"},       {"A100", 4, "a2-highgpu-4g"},
    {"A100", 8, "a2-highgpu-8g"},       {"A100", 16, "a2-megagpu-16g"},     {"A100-80GB", 1, "a2-ultragpu-1g"},
    {"A100-80GB", 2, "a2-ultragpu-2g"}, {"A100-80GB", 4, "a2-ultragpu-4g"}, {"A100-80GB", 8, "a2-ultragpu-8g"},
    {"L4", 1, "g2-standard-4"},         {"L4", 2, "g2-standard-24"},        {"L4", 4, "g2-standard-48"},
    {"L4", 8, "g2-standard-96"},        {"H100", 1, "a3-highgpu-1g"},       {"H100", 2, "a3-highgpu-2g"},
    {"H100", 4, "a3-highgpu-4g"},       {"H100", 8, "a3-highgpu-8g"},       {"H100-MEGA", 8, "a3-megagpu-8g"},
    {"H200", 8, "a3-ultragpu-8g"},      {"B200", 8, "a4-highgpu-8g"},
};
// Attached to a general-purpose machine; eight vCPUs each, as in the shipped catalogue.
constexpr std::string_view kAttached[] = {"K80", "P4", "P100", "T4", "V100"};

}  // namespace

bool isTpu(std::string_view name) {
    return name.starts_with("tpu-");
}

SkyPilotDevice skyPilotDevice(std::string_view name, double count, std::optional<Bytes> memory) {
    for (const auto& tpu : kTpus) {
        if (!name.starts_with(tpu.prefix)) continue;
        const auto size = numberFromText(name.substr(tpu.prefix.size()));
        return {std::string(tpu.hardware), size ? *size / tpu.coresPerChip : count};
    }
    const double gib = memory ? static_cast<double>(memory->value()) / (1U << 30U) : 0;
    for (const auto& known : kNames)
        if (known.name == name && (known.maxGib == 0 || gib <= known.maxGib))
            return {std::string(known.hardware), count};
    return {std::nullopt, count};
}

std::optional<std::string> googleHost(std::string_view accelerator, double count) {
    for (const auto& host : kHosts)
        if (host.accelerator == accelerator && host.count == count) return std::string(host.instance);
    for (auto attached : kAttached)
        if (attached == accelerator && (count == 1 || count == 2 || count == 4 || count == 8))
            return fmt::format("n1-standard-{:.0f}", 8 * count);
    return std::nullopt;
}

}  // namespace steelyard::catalog
