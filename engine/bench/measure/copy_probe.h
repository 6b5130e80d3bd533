// SPDX-License-Identifier: Apache-2.0
// Measures the bandwidth of the link between host and device. Recorded beside the link's generation and width; the
// reference for end-to-end results with real data.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"
#include "engine/compute/host_copies.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

// byte/s, best of several copies; unset if a copy failed or its data were wrong.
struct CopyRates {
    std::optional<double> toDevicePinned, toDevicePageable, toHostPinned, toHostPageable;
};

struct CopyProbeOptions {
    Bytes bytes{std::int64_t{64} << 20};
    int copies = 5;  // of each kind, after one warm-up copy
};

// Takes about 0.2 s. Timed with the device's events if available, otherwise with the clock.
[[nodiscard]] CopyRates measureCopies(compute::HostCopies& copies, const std::string& device, const Clock& clock,
                                      const CopyProbeOptions& options = {});

// Recorded as "to_device_pinned_bytes_per_second" and so on.
void recordCopyRates(CaseRecord& record, const CopyRates& rates);

}  // namespace steelyard::bench
