// SPDX-License-Identifier: Apache-2.0
// The CUDA backend on top of a device provider: the CUDA libraries in the plugin, simulated ones in tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/parallel/communicator.h"

namespace steelyard::compute::cuda {

// Opens devices. Each set is one stream with its own library handles, for one executable.
class DeviceProvider {
public:
    virtual ~DeviceProvider() = default;
    [[nodiscard]] virtual std::vector<DeviceFacts> devices() const = 0;
    // Names and versions, for the record; a missing library has the reason instead of a version.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> libraries() const = 0;
    // Empty, or why the matrix or network library is missing.
    [[nodiscard]] virtual Message whyNoMatrices() const = 0;
    [[nodiscard]] virtual Message whyNoNetworks() const = 0;
    [[nodiscard]] virtual Result<std::shared_ptr<DeviceSet>> open(int ordinal) = 0;
    // Connects to the other ranks. Collective, with this device current.
    [[nodiscard]] virtual Result<std::shared_ptr<Communicator>> connect(const RankGroup& group) = 0;
};

// Images are channels-last in 16-bit types, as tensor cores require; in float32 both layouts are timed when a plan with
// convolutions is compiled, and the faster one is kept.
[[nodiscard]] std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<DeviceProvider> provider);

}  // namespace steelyard::compute::cuda
