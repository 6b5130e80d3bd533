// SPDX-License-Identifier: Apache-2.0
// Copies between host and device memory, for measuring their bandwidth. Optional interface of a Backend whose devices
// have their own memory, obtained with hostCopiesOf(); not needed to run a plan.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct CopyRequest {
    std::string device;
    bool toDevice = true;  // false: device to host
    bool pinned = true;    // page-locked host memory; false: pageable
    Bytes bytes;           // above 0
};

class HostCopy {
public:
    HostCopy() = default;
    HostCopy(const HostCopy&) = delete;
    HostCopy& operator=(const HostCopy&) = delete;
    virtual ~HostCopy() = default;
    // Copies all bytes once, synchronously. Returns device time if events are available.
    [[nodiscard]] virtual Result<std::optional<double>> run() = 0;
    // After a run: Internal unless all bytes are correct.
    [[nodiscard]] virtual Result<void> check() = 0;
};

class HostCopies {
public:
    HostCopies() = default;
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;
    virtual ~HostCopies() = default;
    // Allocates both sides. OutOfMemory with needed and available bytes.
    [[nodiscard]] virtual Result<std::unique_ptr<HostCopy>> prepareCopy(const CopyRequest& request) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline HostCopies* hostCopiesOf(Backend& backend) {
    return dynamic_cast<HostCopies*>(&backend);
}

}  // namespace steelyard::compute
