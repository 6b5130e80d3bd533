// SPDX-License-Identifier: Apache-2.0
// The network between the processes of a group, measured before anything is shared over it: messages between rank 0
// and each other rank, and all-reduces of all. The columns are those of nccl-tests (doc/PERFORMANCE.md): algbw is bytes
// over time, busbw of an all-reduce algbw 2 (n - 1) / n, which does not depend on n. Results are checked.
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
    double seconds = 0;             // median; of a message in one direction
    double algorithmBandwidth = 0;  // bytes/s
    double busBandwidth = 0;
    std::int64_t wrong = 0;  // values that are not what they must be
};

struct PeerTimes {
    int rank = 0;  // the other one
    std::vector<NetworkTime> times;
    compute::LinearTime fit;  // of a message
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
    Seconds size{1};  // that a size may take; larger ones are left out once one takes longer
    bool peers = true;
};

// Every rank calls it and gets the same. A group of one: nothing to measure (InvalidArgument).
[[nodiscard]] Result<NetworkMeasurement> measureNetwork(compute::HostCommunicator& ranks,
                                                        const NetworkLimits& limits = {});

}  // namespace steelyard::bench
