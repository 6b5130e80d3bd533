// SPDX-License-Identifier: Apache-2.0
// What the link between host and device moves, measured here and now: beside the link's generation and width in a
// record, and what an end-to-end figure with real data is judged against.
#pragma once

#include <optional>

#include "engine/bench/record/record.h"
#include "engine/compute/host_copies.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

// byte/s, the best of several copies; unset where one failed or its bytes did not arrive.
struct CopyRates {
    std::optional<double> toDevicePinned, toDevicePageable, toHostPinned, toHostPageable;
};

struct CopyProbeOptions {
    Bytes bytes{std::int64_t{64} << 20};
    int copies = 5;  // of each kind, after one that is not counted
};

// Takes about 0.2 s. By the device's events where it has some, else by the clock.
[[nodiscard]] CopyRates measureCopies(compute::HostCopies& copies, const std::string& device, const Clock& clock,
                                      const CopyProbeOptions& options = {});

// As "to_device_pinned_bytes_per_second" and so on.
void recordCopyRates(CaseRecord& record, const CopyRates& rates);

}  // namespace steelyard::bench
