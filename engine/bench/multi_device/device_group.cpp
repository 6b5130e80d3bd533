// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/multi_device/device_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/messages/bench.h"
#include "engine/core/messages/core.h"

namespace steelyard::bench {
namespace {

constexpr char kTogether = '+', kSideBySide = '/';

// The sum; unset if a value is.
template <typename Member>
auto sumOf(const std::vector<CaseRecord>& records, Member member) {
    auto sum = member(records.front());
    for (std::size_t i = 1; i < records.size() && sum; ++i) {
        const auto value = member(records[i]);
        if (value)
            *sum += *value;
        else
            sum.reset();
    }
    return sum;
}

std::optional<Utilization> sumOfUse(const std::vector<CaseRecord>& records) {
    const auto each = [&](auto member) {
        return sumOf(records, [member](const CaseRecord& record) -> std::optional<double> {
            return record.utilization ? record.utilization.value().*member : std::nullopt;
        });
    };
    const auto flops = sumOf(records, [](const CaseRecord& record) -> std::optional<double> {
        if (!record.utilization) return std::nullopt;
        return record.utilization->achievedFlops;
    });
    if (!flops) return std::nullopt;
    Utilization use;
    use.achievedFlops = *flops;
    use.peakFlops = each(&Utilization::peakFlops);
    if (use.peakFlops && *use.peakFlops > 0) use.fraction = use.achievedFlops / *use.peakFlops;
    use.achievedBytes = each(&Utilization::achievedBytes);
    use.peakBytes = each(&Utilization::peakBytes);
    return use;
}

}  // namespace

DeviceGroup deviceGroup(std::string_view device) {
    DeviceGroup devices;
    devices.sideBySide = device.find(kSideBySide) != std::string_view::npos;
    const char between = devices.sideBySide ? kSideBySide : kTogether;
    while (true) {
        const auto end = device.find(between);
        devices.ids.emplace_back(device.substr(0, end));
        if (end == std::string_view::npos) return devices;
        device.remove_prefix(end + 1);
    }
}

std::string deviceName(const DeviceGroup& devices) {
    return fmt::format("{}", fmt::join(devices.ids, std::string(1, devices.sideBySide ? kSideBySide : kTogether)));
}

Result<Case> caseOfRank(const Case& spec, int rank) {
    const auto devices = deviceGroup(spec.device);
    if (spec.batch % devices.count() != 0)
        return fail(ErrorKind::InvalidArgument, caseLabel(spec), messages::unevenBatch(spec.batch, devices.count()));
    if (spec.data != "synthetic") return fail(ErrorKind::Unsupported, caseLabel(spec), messages::syntheticOnly());
    auto own = spec;
    own.device = devices.ids[static_cast<std::size_t>(rank)];
    own.batch = spec.batch / devices.count();
    own.seed = spec.seed + static_cast<std::uint64_t>(rank);  // different samples per rank
    return own;
}

CaseRecord mergedRecord(const Case& spec, const std::vector<CaseRecord>& ofRanks) {
    auto merged = ofRanks.front();
    merged.spec = spec;
    if (!merged.parallel) merged.parallel.emplace();
    merged.parallel->devices = deviceGroup(spec.device).ids;
    merged.parallel->rankStepSeconds.clear();
    for (std::size_t rank = 0; rank < ofRanks.size(); ++rank) {
        const auto& record = ofRanks[rank];
        if (record.stepSeconds) merged.parallel->rankStepSeconds.push_back(record.stepSeconds->median);
        if (rank == 0) continue;
        if (!merged.deviceName.ends_with(record.deviceName)) merged.deviceName += " + " + record.deviceName;
        for (const auto& warning : record.warnings)
            if (std::find(merged.warnings.begin(), merged.warnings.end(), warning) == merged.warnings.end())
                merged.warnings.push_back(steelyard::messages::withDetail(record.spec.device, warning));
    }
    const auto rate = sumOf(ofRanks, [](const CaseRecord& record) -> std::optional<double> {
        if (!record.throughput) return std::nullopt;
        return record.throughput->value;
    });
    if (rate && merged.throughput)
        merged.throughput->value = *rate;
    else
        merged.throughput.reset();
    merged.flopsPerStep = sumOf(ofRanks, [](const CaseRecord& record) { return record.flopsPerStep; });
    merged.bytesPerStep = sumOf(ofRanks, [](const CaseRecord& record) { return record.bytesPerStep; });
    merged.energyJoulesPerStep = sumOf(ofRanks, [](const CaseRecord& record) { return record.energyJoulesPerStep; });
    merged.utilization = sumOfUse(ofRanks);
    return merged;
}

}  // namespace steelyard::bench
