// SPDX-License-Identifier: Apache-2.0
// Optional interface of a Backend that computes in host memory: being one rank of several. After join(),
// CompileOptions::ranks with this rank and size creates executables that share their steps.
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

    // Existing executables keep their communicator.
    virtual void join(std::shared_ptr<HostCommunicator> communicator) = 0;
};

// Null if the backend does not support it.
[[nodiscard]] inline HostRanks* hostRanksOf(Backend& backend) {
    return dynamic_cast<HostRanks*>(&backend);
}

}  // namespace steelyard::compute
