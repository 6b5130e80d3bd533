// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/memory_headroom.h"

#include <algorithm>
#include <utility>

namespace steelyard::compute::cpu {

std::vector<std::int64_t> headroomBeside(const plan::Plan& plan) {
    const auto count = plan.operations.size();
    std::vector<std::pair<std::size_t, std::size_t>> lives(plan.storages.size(), {count, 0});
    const auto use = [&](plan::TensorId id, std::size_t at) {
        if (id == plan::kNoTensor) return;
        auto& [first, last] = lives[static_cast<std::size_t>(plan.tensor(id).storage)];
        first = std::min(first, at);
        last = std::max(last, at);
    };
    for (std::size_t i = 0; i < count; ++i) {
        for (const auto id : plan.operations[i].reads()) use(id, i);
        for (const auto id : plan.operations[i].writes()) use(id, i);
    }
    std::vector<std::int64_t> live(count, 0);
    for (std::size_t s = 0; s < lives.size(); ++s) {
        if (plan.storages[s].persistent) continue;
        for (auto i = lives[s].first; i < count && i <= lives[s].second; ++i) live[i] += plan.storages[s].bytes;
    }
    const auto most = live.empty() ? 0 : *std::max_element(live.begin(), live.end());
    for (auto& bytes : live) bytes = most - bytes;
    return live;
}

}  // namespace steelyard::compute::cpu
