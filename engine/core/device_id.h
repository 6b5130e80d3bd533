// SPDX-License-Identifier: Apache-2.0
// The name of one device: "cpu", "reference", or a GPU by its index in the driver, "cuda:0". Several devices that share
// a case are a DeviceGroup (engine/bench/multi_device/device_group.h). Pure functions.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace steelyard {

struct DeviceId {
    static constexpr std::string_view kGpuPrefix = "cuda:";

    std::string name;        // as stored and shown
    std::optional<int> gpu;  // GPU index, if it is a GPU

    // Accepts any text; names other than "cuda:" with a number are not GPUs.
    [[nodiscard]] static DeviceId parse(std::string_view text) {
        DeviceId id{std::string(text), {}};
        if (!text.starts_with(kGpuPrefix)) return id;
        text.remove_prefix(kGpuPrefix.size());
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size() && number >= 0) id.gpu = number;
        return id;
    }
    [[nodiscard]] static DeviceId ofGpu(int number) {
        return {std::string(kGpuPrefix) + std::to_string(number), number};
    }
    [[nodiscard]] bool isGpu() const { return gpu.has_value(); }

    friend bool operator==(const DeviceId&, const DeviceId&) = default;
};

}  // namespace steelyard
