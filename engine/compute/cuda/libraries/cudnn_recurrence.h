// SPDX-License-Identifier: Apache-2.0
// Recurrent layers on cuDNN's calls, and what cudnn.cpp shares with them. Internal to the plugin.
#pragma once

#include <cudnn.h>

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

inline constexpr const char* kCudnnName = "libcudnn.so.9";

// `call` failed with the library's words; Unsupported for CUDNN_STATUS_NOT_SUPPORTED and its kin.
[[nodiscard]] Result<void> checkedCudnn(cudnnStatus_t status, const char* call);
[[nodiscard]] cudnnDataType_t cudnnTypeOf(ElementType type);

[[nodiscard]] Result<RecurrenceSpaces> cudnnSpacesOf(cudnnHandle_t handle, const Recurrence& recurrence);
[[nodiscard]] Result<std::unique_ptr<LibraryCall>> prepareCudnn(cudnnHandle_t handle, const Recurrence& recurrence);

}  // namespace steelyard::compute::cuda
