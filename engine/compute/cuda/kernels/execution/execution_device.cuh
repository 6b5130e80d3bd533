// SPDX-License-Identifier: Apache-2.0
// execution.h on the device; only nvcc reads it. Internal to kernels/.
#pragma once

#include <cuda_runtime.h>

#include <atomic>

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr int kBlock = 256;
inline constexpr std::int64_t kMostBlocks = std::int64_t{1} << 20;  // above it threads process several items

// First in every kernel: the next kernel of the stream may be launched while this one runs, and this one waits until
// the earlier ones are complete and their results visible. Hides the latency of launches (compute capability 9.0).
__device__ inline void beginKernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <typename Partial>
__device__ Partial shuffledDown(const Partial& value, int offset) {
    static_assert(sizeof(Partial) % 4 == 0);
    union Words {
        Partial partial;
        unsigned words[sizeof(Partial) / 4];
        __device__ Words() {}
    } from, to;
    from.partial = value;
#pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(Partial) / 4); ++i)
        to.words[i] = __shfl_down_sync(0xffffffffU, from.words[i], static_cast<unsigned>(offset));
    return to.partial;
}
template <typename Partial>
__device__ Partial shuffledFromFirst(const Partial& value) {
    union Words {
        Partial partial;
        unsigned words[sizeof(Partial) / 4];
        __device__ Words() {}
    } from, to;
    from.partial = value;
#pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(Partial) / 4); ++i)
        to.words[i] = __shfl_sync(0xffffffffU, from.words[i], 0);
    return to.partial;
}

// Size 32: one warp of a block that holds several teams. Larger: the whole block.
template <int Size>
class Team {
public:
    static constexpr int kSize = Size;
    static constexpr int kMostPartialBytes = 32;

    template <typename Partial, typename Take, typename Merge>
    __host__ __device__ Partial reduce(std::int64_t count, const Take& take, const Merge& merge) const {
        Partial mine{};
#if defined(__CUDA_ARCH__)
        for (std::int64_t i = rank(); i < count; i += Size) take(mine, i);
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) mine = merge(mine, shuffledDown(mine, offset));
        if constexpr (Size == 32) {
            return shuffledFromFirst(mine);
        } else {
            static_assert(sizeof(Partial) <= kMostPartialBytes);
            __shared__ alignas(16) unsigned char storage[Size / 32 * kMostPartialBytes];
            auto* warps = reinterpret_cast<Partial*>(storage);
            if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
            __syncthreads();
            Partial whole = warps[0];
            for (int warp = 1; warp < Size / 32; ++warp) whole = merge(whole, warps[warp]);
            __syncthreads();
            return whole;
        }
#else
        return mine;
#endif
    }
    template <typename F>
    __host__ __device__ void each(std::int64_t count, const F& f) const {
        for (std::int64_t i = rank(); i < count; i += Size) f(i);
    }
    template <typename F>
    __host__ __device__ void once(const F& f) const {
        if (rank() == 0) f();
    }

private:
    __host__ __device__ static int rank() {
#if defined(__CUDA_ARCH__)
        return static_cast<int>(threadIdx.x) % Size;
#else
        return 0;
#endif
    }
};

template <typename Work>
__global__ void __launch_bounds__(kBlock) elementsKernel(std::int64_t count, const __grid_constant__ Work work) {
    beginKernel();
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kBlock;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlock + threadIdx.x; i < count; i += step) work(i);
}

template <int N, typename Work>
__global__ void __launch_bounds__(kBlock)
    packsKernel(std::int64_t whole, std::int64_t count, const __grid_constant__ Work work) {
    beginKernel();
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kBlock;
    const std::int64_t turns = whole + (count - whole * N);
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlock + threadIdx.x; i < turns; i += step) {
        if (i < whole)
            work.template run<N>(i * N);
        else
            work.template run<1>(whole * N + (i - whole));
    }
}

template <int Size, int Threads, typename Work>
__global__ void __launch_bounds__(Threads) teamsKernel(std::int64_t rows, const __grid_constant__ Work work) {
    beginKernel();
    constexpr int kTeams = Threads / Size;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kTeams;
    for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kTeams + threadIdx.x / Size; row < rows;
         row += step)
        work(Team<Size>(), row);
}

inline unsigned blocksFor(std::int64_t turns, int perBlock) {
    const std::int64_t blocks = ceilDivided(turns, perBlock);
    return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
}
// Status of the last launch, which is cleared.
inline Status launched() {
    return static_cast<Status>(cudaGetLastError());
}
// Whether kernels of the current device may be launched while earlier ones run (beginKernel()).
inline bool launchesAhead() {
    constexpr int kMostDevices = 64;
    static std::atomic<int> known[kMostDevices];  // 0: not asked yet, 1: no, 2: yes
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess || device >= kMostDevices) return false;
    if (known[device] == 0) {
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) return false;
        known[device] = major >= 9 ? 2 : 1;
    }
    return known[device] == 2;
}
// Status of the launch; of an error, which is cleared.
template <typename... Parameters, typename... Arguments>
Status launchKernel(void (*kernel)(Parameters...), unsigned blocks, int threads, Stream stream,
                    const Arguments&... arguments) {
    cudaLaunchAttribute ahead{};
    ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    ahead.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.stream = static_cast<cudaStream_t>(stream);
    config.attrs = &ahead;
    config.numAttrs = launchesAhead() ? 1 : 0;
    const auto status = cudaLaunchKernelEx(&config, kernel, arguments...);
    static_cast<void>(cudaGetLastError());
    return static_cast<Status>(status);
}

template <typename Work>
Status elements(Stream stream, std::int64_t count, const Work& work) {
    if (count < 0) return kInvalidValue;
    if (count == 0) return kOk;
    return launchKernel(elementsKernel<Work>, blocksFor(count, kBlock), kBlock, stream, count, work);
}

template <int N, typename Work>
Status packs(Stream stream, std::int64_t count, bool aligned, const Work& work) {
    if (count < 0) return kInvalidValue;
    if (count == 0) return kOk;
    const std::int64_t whole = aligned ? count / N : 0;
    const std::int64_t turns = whole + (count - whole * N);
    return launchKernel(packsKernel<N, Work>, blocksFor(turns, kBlock), kBlock, stream, whole, count, work);
}

template <int Size, typename Work>
Status teams(Stream stream, std::int64_t rows, const Work& work) {
    if (rows < 0) return kInvalidValue;
    if (rows == 0) return kOk;
    constexpr int kThreads = Size == 32 ? 128 : Size;
    return launchKernel(teamsKernel<Size, kThreads, Work>, blocksFor(rows, kThreads / Size), kThreads, stream, rows,
                        work);
}

}  // namespace steelyard::compute::cuda::kernels
