// SPDX-License-Identifier: Apache-2.0
// Copies between the host's memory and a device's, alone, for their bandwidth. A Backend whose devices have memory of
// their own may implement HostCopies beside Backend; whoever wants it asks with hostCopiesOf(). Nothing of it is needed
// to run a plan.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct CopyRequest {
    std::string device;
    bool toDevice = true;  // false: to the host
    bool pinned = true;    // host memory that the device reads itself; false: pageable, copied through a buffer
    Bytes bytes;           // above 0
};

class HostCopy {
public:
    HostCopy() = default;
    HostCopy(const HostCopy&) = delete;
    HostCopy& operator=(const HostCopy&) = delete;
    virtual ~HostCopy() = default;
    // One copy of all bytes; returns when it is complete. The device's own time, where it has events.
    [[nodiscard]] virtual Result<std::optional<double>> run() = 0;
    // After a run: every byte arrived (Internal otherwise).
    [[nodiscard]] virtual Result<void> check() = 0;
};

class HostCopies {
public:
    HostCopies() = default;
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;
    virtual ~HostCopies() = default;
    // Allocates both sides. OutOfMemory with what is needed and what is there.
    [[nodiscard]] virtual Result<std::unique_ptr<HostCopy>> prepareCopy(const CopyRequest& request) = 0;
};

// Null where the backend offers none.
[[nodiscard]] inline HostCopies* hostCopiesOf(Backend& backend) {
    return dynamic_cast<HostCopies*>(&backend);
}

}  // namespace steelyard::compute
