// SPDX-License-Identifier: Apache-2.0
// Attention on tensor cores: kernels using tensor_forward.h and tensor_backward.h, and their launches. Device only;
// tensor_attention.cpp is the host twin.
#include "engine/compute/cuda/kernels/attention/tensor_attention.h"

#include <cuda_runtime.h>

#include <atomic>
#include <climits>

#include "engine/compute/cuda/kernels/device/tensor_backward.h"
#include "engine/compute/cuda/kernels/device/tensor_forward.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr std::int64_t kMost = 1 << 30;  // tokens, and elements of a pitch: the kernels use 32-bit counts

template <typename Block, typename Arguments>
__global__ void __launch_bounds__(kTensorThreads, Block::kBlocks) tensorKernel(const Arguments a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    extern __shared__ __align__(128) unsigned char shared[];
    Block(a, blockIdx.x, shared).run();
#endif
}

// Opts in to more shared memory than the default, once per kernel and device.
template <typename Block, typename Arguments>
Status allowShared() {
    static std::atomic<std::uint64_t> allowed = 0;
    int device = 0;
    if (const auto status = cudaGetDevice(&device); status != cudaSuccess) return static_cast<Status>(status);
    const std::uint64_t bit = std::uint64_t{1} << (device % 64);
    if ((allowed.load() & bit) != 0 && device < 64) return kOk;
    const auto status =
        cudaFuncSetAttribute(tensorKernel<Block, Arguments>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(Block::kSharedBytes));
    if (status == cudaSuccess) allowed.fetch_or(bit);
    return static_cast<Status>(status);
}

template <typename Block, typename Arguments>
Status launch(Stream stream, const Arguments& a) {
    const std::int64_t blocks = a.s.batch * a.s.heads * ceilDivided(a.s.tokens, Block::kRows);
    if (blocks == 0) return kOk;
    if (blocks > INT_MAX) return kInvalidValue;
    if (const Status status = allowShared<Block, Arguments>(); status != kOk) return status;
    tensorKernel<Block, Arguments>
        <<<static_cast<unsigned>(blocks), kTensorThreads, Block::kSharedBytes, static_cast<cudaStream_t>(stream)>>>(a);
    return launched();
}

template <typename T, int Width, int Tiles>
Status backward(Stream stream, const TensorBackward<T>& a) {
    if (const Status status = launch<TensorBackwardQueries<T, Width, Tiles>>(stream, a); status != kOk) return status;
    return launch<TensorBackwardKeys<T, Width, Tiles>>(stream, a);
}

template <typename F>
Status with16BitType(ElementType type, const F& f) {
    if (type == ElementType::F16) return f(Half{});
    if (type == ElementType::Bf16) return f(Bfloat16{});
    return kNotSupported;
}

// For the current device.
bool canDevice(std::int64_t sharedBytes) {
    int device = 0, major = 0, shared = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess && major >= 8 &&
           cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
           shared >= sharedBytes;
}

bool isRegular(const AttentionShape& s, int blockRows) {
    return isValid(s) && (blockRows == 64 || (blockRows == 128 && s.width <= 64)) && s.width % kPiece == 0 &&
           s.inputPitch % kPiece == 0 && s.outputPitch % kPiece == 0 && s.scale > 0 && s.tokens <= kMost &&
           s.inputPitch <= kMost && s.outputPitch <= kMost;
}

}  // namespace

bool tensorAttentionFits(ElementType type, const AttentionShape& s, int blockRows) {
    return type != ElementType::F32 && isRegular(s, blockRows) &&
           canDevice(TensorBackwardKeys<Half, 128, 1>::kSharedBytes);
}

Status tensorAttentionForward(Stream stream, ElementType type, const AttentionShape& s, int blockRows, const void* q,
                              const void* k, const void* v, void* output, float* logSums) {
    if (!isRegular(s, blockRows) || !areAligned(q, k, v, output)) return kInvalidValue;
    return with16BitType(type, [&](auto tag) {
        using T = decltype(tag);
        const TensorForward<T> a{s,
                                 static_cast<const T*>(q),
                                 static_cast<const T*>(k),
                                 static_cast<const T*>(v),
                                 static_cast<T*>(output),
                                 logSums};
        if (s.width > 64) return launch<TensorForwardBlock<T, 128, 1>>(stream, a);
        if (blockRows == 64) return launch<TensorForwardBlock<T, 64, 1>>(stream, a);
        return launch<TensorForwardBlock<T, 64, 2>>(stream, a);
    });
}

Status tensorAttentionBackward(Stream stream, ElementType type, const AttentionShape& s, int blockRows,
                               const AttentionGradients& g) {
    if (!isRegular(s, blockRows) || !areAligned(g.q, g.k, g.v, g.output, g.dOutput, g.dQ, g.dK, g.dV))
        return kInvalidValue;
    if (g.logSums == nullptr || g.rowSums == nullptr || g.output == nullptr) return kInvalidValue;
    return with16BitType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto a = tensorBackwardOf<T>(s, g);
        if (s.width > 64) return backward<T, 128, 1>(stream, a);
        return blockRows == 64 ? backward<T, 64, 1>(stream, a) : backward<T, 64, 2>(stream, a);
    });
}

}  // namespace steelyard::compute::cuda::kernels
