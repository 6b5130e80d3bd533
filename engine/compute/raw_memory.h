// SPDX-License-Identifier: Apache-2.0
// Memory of a device as plain bytes, for testing it with patterns (engine/bench/check). Optional interface of a Backend
// whose devices have their own memory, obtained with rawMemoryOf(); not needed to run a plan.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// An allocation; released by the destructor.
class RawMemory {
public:
    RawMemory() = default;
    RawMemory(const RawMemory&) = delete;
    RawMemory& operator=(const RawMemory&) = delete;
    virtual ~RawMemory() = default;
    [[nodiscard]] virtual std::int64_t bytes() const = 0;
    // Complete on return. Offset and size are within the allocation.
    [[nodiscard]] virtual Result<void> write(std::int64_t offset, std::span<const std::byte> values) = 0;
    [[nodiscard]] virtual Result<void> read(std::int64_t offset, std::span<std::byte> values) = 0;
};

class RawMemorySource {
public:
    RawMemorySource() = default;
    RawMemorySource(const RawMemorySource&) = delete;
    RawMemorySource& operator=(const RawMemorySource&) = delete;
    virtual ~RawMemorySource() = default;
    [[nodiscard]] virtual Result<Bytes> freeMemory(const std::string& device) = 0;
    // OutOfMemory with needed and available bytes.
    [[nodiscard]] virtual Result<std::unique_ptr<RawMemory>> allocateRaw(const std::string& device, Bytes bytes) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline RawMemorySource* rawMemoryOf(Backend& backend) {
    return dynamic_cast<RawMemorySource*>(&backend);
}

}  // namespace steelyard::compute
