// SPDX-License-Identifier: Apache-2.0
// Measures the network between the processes of a group before it is used: messages between rank 0 and each other rank,
// and all-reduces over all ranks. Columns as in nccl-tests (doc/PERFORMANCE.md): algbw is bytes over time, busbw of an
// all-reduce is algbw 2 (n - 1) / n, which is independent of n. Results are verified.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/compute/parallel/host_communicator.h"
#include "engine/compute/parallel/scaling.h"
#include "engine/core/error.h"
#include "engine/core/units.h"

namespace steelyard::bench {

struct NetworkTime {
    std::int64_t bytes = 0;
    double seconds = 0;             // median; for one direction
    double algorithmBandwidth = 0;  // bytes/s
    double busBandwidth = 0;
    std::int64_t wrong = 0;  // number of wrong values
};

struct PeerTimes {
    int rank = 0;  // the peer
    std::vector<NetworkTime> times;
    compute::LinearTime fit;  // of one message
};

struct NetworkMeasurement {
    int ranks = 1;
    std::vector<PeerTimes> peers;
    std::vector<NetworkTime> allReduce;
    compute::Link link;  // fitted to the all-reduces
};

struct NetworkLimits {
    Bytes largestMessage{std::int64_t{64} << 20};
    Bytes largestAllReduce{std::int64_t{1} << 30};
    Seconds size{1};  // limit per size; larger sizes are skipped once one exceeds it
    bool peers = true;
};

// Collective; all ranks get the same result. InvalidArgument for a group of one.
[[nodiscard]] Result<NetworkMeasurement> measureNetwork(compute::HostCommunicator& ranks,
                                                        const NetworkLimits& limits = {});

}  // namespace steelyard::bench
