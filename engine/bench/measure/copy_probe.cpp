// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/copy_probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace steelyard::bench {
namespace {

std::optional<double> rateOf(compute::HostCopies& copies, const compute::CopyRequest& request, const Clock& clock,
                             int count) {
    const auto copy = copies.prepareCopy(request);
    if (!copy) return std::nullopt;
    double best = 0;
    for (int i = 0; i <= count; ++i) {
        const auto start = clock.nowNanoseconds();
        const auto deviceSeconds = (*copy)->run();
        if (!deviceSeconds) return std::nullopt;
        const double seconds = deviceSeconds->value_or(secondsBetween(start, clock.nowNanoseconds()).value());
        if (i > 0 && seconds > 0) best = std::max(best, static_cast<double>(request.bytes.value()) / seconds);
    }
    if (best <= 0 || !(*copy)->check()) return std::nullopt;
    return best;
}

}  // namespace

CopyRates measureCopies(compute::HostCopies& copies, const std::string& device, const Clock& clock,
                        const CopyProbeOptions& options) {
    const auto rate = [&](bool toDevice, bool pinned) {
        return rateOf(copies, {device, toDevice, pinned, options.bytes}, clock, options.copies);
    };
    CopyRates rates;
    rates.toDevicePinned = rate(true, true);
    rates.toDevicePageable = rate(true, false);
    rates.toHostPinned = rate(false, true);
    rates.toHostPageable = rate(false, false);
    return rates;
}

void recordCopyRates(CaseRecord& record, const CopyRates& rates) {
    const auto note = [&](const char* name, const std::optional<double>& rate) {
        if (rate) record.conditions[fmt::format("{}_bytes_per_second", name)] = fmt::format("{:.4g}", *rate);
    };
    note("to_device_pinned", rates.toDevicePinned);
    note("to_device_pageable", rates.toDevicePageable);
    note("to_host_pinned", rates.toHostPinned);
    note("to_host_pageable", rates.toHostPageable);
}

}  // namespace steelyard::bench
