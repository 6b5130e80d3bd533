// SPDX-License-Identifier: Apache-2.0
// Convolutions with cuDNN's graph interface, which has more and faster engines than the legacy API (cudnn.cpp), above
// all for tensor cores. Internal to the plugin.
#pragma once

#include <cudnn.h>

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"

namespace steelyard::compute::cuda {

// Plans of one handle, shared by equal layers of a network. One thread at a time.
class CudnnGraphs {
public:
    CudnnGraphs();
    ~CudnnGraphs();
    // Candidates are the engines in the order of cuDNN's heuristic. Unsupported if there is none for this convolution.
    [[nodiscard]] Result<std::unique_ptr<LibraryCall>> prepare(cudnnHandle_t handle, const Convolution& convolution);

private:
    struct Known;
    std::unique_ptr<Known> m_known;
};

}  // namespace steelyard::compute::cuda
