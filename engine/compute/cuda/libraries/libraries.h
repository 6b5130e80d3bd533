// SPDX-License-Identifier: Apache-2.0
// Implementations of the library interfaces with CUDA. Internal to the plugin. The factories for cuBLASLt and cuDNN
// return BackendUnavailable with the loader's message if the library cannot be opened.
#pragma once

#include <memory>
#include <vector>

#include "engine/compute/cuda/cuda_backend.h"

namespace steelyard::compute::cuda {

[[nodiscard]] Result<std::unique_ptr<DeviceRuntime>> openRuntime(int ordinal);
// Devices visible to the driver, in its order.
[[nodiscard]] Result<std::vector<DeviceFacts>> listDevices();

[[nodiscard]] Result<std::unique_ptr<MatrixLibrary>> openCublas(Stream stream);
[[nodiscard]] Result<std::unique_ptr<NetworkLibrary>> openCudnn(Stream stream);
// Needs no device.
[[nodiscard]] Result<std::string> cublasVersion();
[[nodiscard]] Result<std::string> cudnnVersion();

}  // namespace steelyard::compute::cuda
