// SPDX-License-Identifier: Apache-2.0
// The seams of the lowering on the CUDA libraries. Internal to the plugin. The factories of cuBLASLt and cuDNN answer
// BackendUnavailable with the loader's words where the library cannot be opened.
#pragma once

#include <memory>
#include <vector>

#include "engine/compute/cuda/cuda_backend.h"

namespace steelyard::compute::cuda {

[[nodiscard]] Result<std::unique_ptr<DeviceRuntime>> openRuntime(int ordinal);
// Of the devices that the driver shows, in its order.
[[nodiscard]] Result<std::vector<DeviceFacts>> listDevices();

[[nodiscard]] Result<std::unique_ptr<MatrixLibrary>> openCublas(Stream stream);
[[nodiscard]] Result<std::unique_ptr<NetworkLibrary>> openCudnn(Stream stream);
// Without a device.
[[nodiscard]] Result<std::string> cublasVersion();
[[nodiscard]] Result<std::string> cudnnVersion();

}  // namespace steelyard::compute::cuda
