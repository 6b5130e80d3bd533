// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/gpu_sweep.h"

#include <algorithm>

#include "engine/bench/multi_device/device_group.h"
#include "engine/core/device_id.h"
#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

std::string firstGpus(int count, bool sideBySide) {
    DeviceGroup devices{.ids = {}, .sideBySide = sideBySide};
    for (int i = 0; i < count; ++i) devices.ids.push_back(DeviceId::ofGpu(i).name);
    return deviceName(devices);
}

std::string nodes(int count, bool /*sideBySide*/) {
    return deviceName({.ids = std::vector<std::string>(static_cast<std::size_t>(count), "cpu"), .sideBySide = false});
}

struct Sharing {
    std::string (*device)(int count, bool sideBySide);
    Message (*uneven)(const std::string& workload, std::int64_t batch, int count);
};

std::vector<Case> casesOver(const Case& base, const std::vector<int>& counts, const std::vector<ScalingKind>& scalings,
                            const Sharing& sharing, std::vector<Message>& notes) {
    const auto wants = [&](ScalingKind kind) {
        return std::find(scalings.begin(), scalings.end(), kind) != scalings.end();
    };
    std::vector<Case> cases;
    const auto add = [&](int count, std::int64_t batch, bool sideBySide) {
        auto spec = base;
        spec.device = sharing.device(count, sideBySide);
        spec.batch = batch;
        cases.push_back(std::move(spec));
    };
    for (const int count : counts) {
        if (count == 1) {
            add(1, base.batch, false);
            continue;
        }
        if (wants(ScalingKind::Strong) && base.batch % count != 0)
            notes.push_back(sharing.uneven(base.workload, base.batch, count));
        else if (wants(ScalingKind::Strong))
            add(count, base.batch, false);
        if (wants(ScalingKind::Weak)) add(count, base.batch * count, false);
        if (wants(ScalingKind::Experiments)) add(count, base.batch * count, true);
    }
    return cases;
}

}  // namespace

Result<std::vector<int>> gpuCounts(std::vector<int> counts, int available) {
    if (counts.empty()) {
        for (int count = 1; count < available; count *= 2) counts.push_back(count);
        counts.push_back(std::max(available, 2));
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    if (counts.back() > available)
        return fail(ErrorKind::Unsupported, {}, messages::notEnoughGpus(counts.back(), available));
    return counts;
}

std::vector<Case> casesOverGpus(const Case& base, const std::vector<int>& counts,
                                const std::vector<ScalingKind>& scalings, std::vector<Message>& notes) {
    const std::vector<ScalingKind> all(kScalingKinds.begin(), kScalingKinds.end());
    const Sharing sharing{firstGpus, [](const std::string& workload, std::int64_t batch, int count) {
                              return messages::unevenSkipped(workload, batch, count);
                          }};
    return casesOver(base, counts, scalings.empty() ? all : scalings, sharing, notes);
}

std::vector<Case> casesOverNodes(const Case& base, const std::vector<int>& counts,
                                 const std::vector<ScalingKind>& scalings, std::vector<Message>& notes) {
    auto kinds = scalings.empty() ? std::vector{ScalingKind::Strong, ScalingKind::Weak} : scalings;
    std::erase(kinds, ScalingKind::Experiments);
    const Sharing sharing{nodes, [](const std::string& workload, std::int64_t batch, int count) {
                              return messages::unevenNodes(workload, batch, count);
                          }};
    return casesOver(base, counts, kinds, sharing, notes);
}

}  // namespace steelyard::bench
