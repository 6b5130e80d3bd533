// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/text_parsing.h"

#include <algorithm>

namespace steelyard::hardware {

std::optional<std::vector<int>> parseCpuList(std::string_view text) {
    constexpr std::int64_t kMost = 65536;
    std::vector<int> cpus;
    for (std::string_view part : splitText(trimmed(text), ',')) {
        const auto dash = part.find('-');
        const auto first = parseInteger(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parseInteger(part.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= kMost) return std::nullopt;
        for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

}  // namespace steelyard::hardware
