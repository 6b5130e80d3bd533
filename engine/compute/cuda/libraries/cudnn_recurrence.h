// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with cuDNN, and helpers shared with cudnn.cpp. Internal to the plugin.
#pragma once

#include <cudnn.h>

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

inline constexpr const char* kCudnnName = "libcudnn.so.9";

// Error of `call` with the library's message; Unsupported for CUDNN_STATUS_NOT_SUPPORTED and related.
[[nodiscard]] Result<void> checkedCudnn(cudnnStatus_t status, const char* call);
[[nodiscard]] cudnnDataType_t cudnnTypeOf(ElementType type);

[[nodiscard]] Result<RecurrenceSpaces> cudnnSpacesOf(cudnnHandle_t handle, const Recurrence& recurrence);
[[nodiscard]] Result<std::unique_ptr<LibraryCall>> prepareCudnn(cudnnHandle_t handle, const Recurrence& recurrence);

}  // namespace steelyard::compute::cuda
