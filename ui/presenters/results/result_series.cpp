// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/result_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/bench/multi_device/device_group.h"
#include "engine/core/device_id.h"

namespace steelyard::ui {
namespace {

constexpr double kLinearSpan = 40;  // largest ratio of values on a linear axis

}  // namespace

int deviceColour(const std::string& device) {
    if (device == "reference") return 6;
    // For several devices, that of the first.
    const auto first = DeviceId::parse(bench::deviceGroup(device).ids.front());
    return first.gpu ? 1 + *first.gpu % 5 : 0;
}

int freeColour(const std::string& device, std::set<int>& taken) {
    int colour = deviceColour(device);
    for (int tries = 0; tries < 7 && taken.count(colour) > 0; ++tries) colour = (colour + 1) % 7;
    taken.insert(colour);
    return colour;
}

std::string jobKey(const bench::Case& spec) {
    return fmt::format("{}\n{}\n{}\n{}", spec.workload, toString(spec.mode), spec.device, toString(spec.precision));
}

ChartInterval extremesOf(const ChartSpec& spec) {
    ChartInterval result{0, 0};
    for (const auto& series : spec.series) {
        for (const auto& point : series.points) {
            if (!point.y || *point.y <= 0) continue;
            result.low = result.low == 0 ? *point.y : std::min(result.low, *point.y);
            result.high = std::max(result.high, *point.y);
        }
    }
    return result;
}

bool isWide(const ChartInterval& extremes) {
    return extremes.low > 0 && extremes.high / extremes.low > kLinearSpan;
}

}  // namespace steelyard::ui
