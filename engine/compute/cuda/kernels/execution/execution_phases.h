// SPDX-License-Identifier: Apache-2.0
// A fourth form of kernels (execution.h): blocks of Size threads that use shared memory in phases.
//   phased<Size, State, Shared>(stream, blocks, work)   work(phases, block)
// State is per thread (registers on a device), Shared per block; both are uninitialized, so work must set what it
// reads. Work is a sequence of phases, the same for all threads:
//   phases.run(f)   f(thread, state, shared) by each thread, followed by a barrier
// The host twin simulates the threads of a phase sequentially, so a phase that reads what another thread writes in the
// same phase is wrong on both. Internal to kernels/.
// same phase is wrong on both sides. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

#if !defined(__CUDACC__)
#include <memory>
#include <vector>
#endif

namespace steelyard::compute::cuda::kernels {

#if defined(__CUDACC__)

template <int Size, typename State, typename Shared>
class Phases {
public:
    __host__ __device__ explicit Phases(Shared& shared) : m_shared(shared) {}
    template <typename F>
    __host__ __device__ void run(const F& f) {
#if defined(__CUDA_ARCH__)
        f(static_cast<int>(threadIdx.x), m_state, m_shared);
        __syncthreads();
#endif
    }

private:
    State m_state;
    Shared& m_shared;
};

template <int Size, typename State, typename Shared, typename Work>
__global__ void __launch_bounds__(Size) phasedKernel(std::int64_t blocks, const __grid_constant__ Work work) {
    static_assert(sizeof(Shared) <= 48 * 1024);
    beginKernel();
    __shared__ Shared shared;
    Phases<Size, State, Shared> phases(shared);
    for (std::int64_t block = blockIdx.x; block < blocks; block += gridDim.x) work(phases, block);
}

template <int Size, typename State, typename Shared, typename Work>
Status phased(Stream stream, std::int64_t blocks, const Work& work) {
    if (blocks < 0) return kInvalidValue;
    if (blocks == 0) return kOk;
    return launchKernel(phasedKernel<Size, State, Shared, Work>, blocksFor(blocks, 1), Size, stream, blocks, work);
}

#else

template <int Size, typename State, typename Shared>
class Phases {
public:
    Phases() : m_states(Size), m_shared(std::make_unique<Shared>()) {}
    template <typename F>
    void run(const F& f) {
        for (int thread = 0; thread < Size; ++thread) f(thread, m_states[static_cast<std::size_t>(thread)], *m_shared);
    }

private:
    std::vector<State> m_states;
    std::unique_ptr<Shared> m_shared;
};

template <int Size, typename State, typename Shared, typename Work>
Status phased(Stream /*stream*/, std::int64_t blocks, const Work& work) {
    if (blocks < 0) return kInvalidValue;
    Phases<Size, State, Shared> phases;
    for (std::int64_t block = 0; block < blocks; ++block) work(phases, block);
    return kOk;
}

#endif

}  // namespace steelyard::compute::cuda::kernels
