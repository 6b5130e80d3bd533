// SPDX-License-Identifier: Apache-2.0
// Convolutions on cuDNN's graph interface, which knows more and faster engines than its older calls (cudnn.cpp), above
// all for tensor cores. Internal to the plugin.
#pragma once

#include <cudnn.h>

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

// What one handle has planned; the layers of a network that are alike share it. Belongs to one thread at a time.
class CudnnGraphs {
public:
    CudnnGraphs();
    ~CudnnGraphs();
    // Candidates are the engines in the order of cuDNN's heuristic. Unsupported where it has none for this convolution.
    [[nodiscard]] Result<std::unique_ptr<LibraryCall>> prepare(cudnnHandle_t handle, const Convolution& convolution);

private:
    struct Known;
    std::unique_ptr<Known> m_known;
};

}  // namespace steelyard::compute::cuda
