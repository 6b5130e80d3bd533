// SPDX-License-Identifier: Apache-2.0
// What a Backend can do beside its interface when it computes in ordinary memory: be one rank of several. Afterwards
// CompileOptions::ranks, which then names this rank and size, makes executables that share their steps.
#pragma once

#include <memory>

#include "engine/compute/backend.h"
#include "engine/compute/parallel/host_communicator.h"

namespace steelyard::compute {

class HostRanks {
public:
    HostRanks() = default;
    HostRanks(const HostRanks&) = delete;
    HostRanks& operator=(const HostRanks&) = delete;
    virtual ~HostRanks() = default;

    // Executables made before keep theirs.
    virtual void join(std::shared_ptr<HostCommunicator> communicator) = 0;
};

// Null where the backend cannot.
[[nodiscard]] inline HostRanks* hostRanksOf(Backend& backend) {
    return dynamic_cast<HostRanks*>(&backend);
}

}  // namespace steelyard::compute
