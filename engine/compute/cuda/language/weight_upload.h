// SPDX-License-Identifier: Apache-2.0
// Copies the matrices of a GGUF file to a device, split into the parts of kernels/language/stored_weights.h.
#pragma once

#include <cstdint>

#include "engine/compute/cuda/execute/device_runtime.h"
#include "engine/compute/cuda/kernels/language/stored_weights.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute::cuda {

class WeightUpload {
public:
    // Reserves pinned memory; errors of the device.
    [[nodiscard]] static Result<WeightUpload> make(DeviceRuntime& runtime);
    // Blocks the thread until the weights are there. `target.data` must be set.
    [[nodiscard]] Result<void> copy(const model::StoredMatrix& matrix, const kernels::StoredWeights& target);

private:
    WeightUpload(DeviceRuntime& runtime, DeviceMemory staging) : m_runtime(&runtime), m_staging(std::move(staging)) {}
    [[nodiscard]] Result<void> copyValues(const model::StoredMatrix& matrix, const kernels::StoredWeights& target);

    DeviceRuntime* m_runtime;
    DeviceMemory m_staging;
};

}  // namespace steelyard::compute::cuda
