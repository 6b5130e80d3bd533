// SPDX-License-Identifier: Apache-2.0
// A fourth form of kernels (execution.h): blocks of Size threads that use shared memory in phases.
//   phased<Size, State, Shared, Resident>(stream, blocks, work)   work(phases, block); so many blocks should fit in the
//                   registers of a multiprocessor
// State is per thread (registers on a device), Shared per block; both are uninitialized, so work must set what it
// reads. Work is a sequence of phases, the same for all threads:
//   phases.run(f)   f(thread, state, shared) by each thread, followed by a barrier
//   phases.runFreely(f)   the same without the barrier, for phases whose threads do not exchange anything
//   phases.addWarps<N>(f)   adds N floats, f(state), over the 32 threads of each warp; all of them get the sums
//   phases.multiplyBytes<Signed>(f)   a product of bytes by each warp, on tensor cores: f(state) gives each thread's
//                   part of the operands (ByteFragments)
//   phases.isLast(counter, blocks)   whether this is the last of so many blocks that ask, whose earlier writes it sees;
//                   `counter`, in device memory, is 0 before and afterwards
// The host twin simulates the threads of a phase sequentially, so a phase that reads what another thread writes in the
// same phase is wrong on both. Work may have prefetch(block, thread), which is called before earlier kernels are
// complete and may touch only memory that no kernel writes. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

#if !defined(__CUDACC__)
#include <memory>
#include <vector>
#endif

namespace steelyard::compute::cuda::kernels {

// A thread's part of an instruction mma.sync.m16n8k32, sums [16, 8] += a [16, 32] b [32, 8], with g = lane / 4 and
// t = lane % 4. A word holds four neighbours in depth.
//   a     word 0: row g, depth 4t; 1: row g + 8; 2: row g, depth 4t + 16; 3: row g + 8, depth 4t + 16
//   b     word 0: depth 4t, column g; 1: depth 4t + 16, column g; always signed
//   sums  at 0, 1: row g, columns 2t, 2t + 1; at 2, 3: row g + 8
struct ByteFragments {
    std::int32_t* sums;
    std::uint32_t a[4];
    std::uint32_t b[2];
};

#if defined(__CUDACC__)

// Compute capability 8.0: one instruction; 7.5: four of half the rows and depth.
template <bool Signed>
__device__ __forceinline__ void multiplyBytesOfWarp(const ByteFragments& f) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (Signed)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(f.sums[0]), "+r"(f.sums[1]), "+r"(f.sums[2]), "+r"(f.sums[3])
            : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]));
    else
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(f.sums[0]), "+r"(f.sums[1]), "+r"(f.sums[2]), "+r"(f.sums[3])
            : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        auto* sums = f.sums + i % 2 * 2;
        if constexpr (Signed)
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+r"(sums[0]), "+r"(sums[1])
                         : "r"(f.a[i]), "r"(f.b[i / 2]));
        else
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+r"(sums[0]), "+r"(sums[1])
                         : "r"(f.a[i]), "r"(f.b[i / 2]));
    }
#endif
}

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
    template <typename F>
    __host__ __device__ void runFreely(const F& f) {
#if defined(__CUDA_ARCH__)
        f(static_cast<int>(threadIdx.x), m_state, m_shared);
#endif
    }

    template <int N, typename F>
    __host__ __device__ void addWarps(const F& f) {
#if defined(__CUDA_ARCH__)
        float* values = f(m_state);
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2)
#pragma unroll
            for (int i = 0; i < N; ++i) values[i] += __shfl_xor_sync(0xffffffffU, values[i], offset);
#endif
    }
    template <bool Signed, typename F>
    __host__ __device__ void multiplyBytes(const F& f) {
#if defined(__CUDA_ARCH__)
        multiplyBytesOfWarp<Signed>(f(m_state));
#endif
    }
    __host__ __device__ bool isLast(unsigned* counter, unsigned blocks) {
#if defined(__CUDA_ARCH__)
        __shared__ bool last;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            last = atomicAdd(counter, 1U) == blocks - 1;
            if (last) *counter = 0;
        }
        __syncthreads();
        __threadfence();
        return last;
#else
        return false;
#endif
    }

private:
    State m_state;
    Shared& m_shared;
};

template <int Size, int Resident, typename State, typename Shared, typename Work>
__global__ void __launch_bounds__(Size, Resident) phasedKernel(std::int64_t blocks, const __grid_constant__ Work work) {
    static_assert(sizeof(Shared) <= 48 * 1024);
    __shared__ Shared shared;
    Phases<Size, State, Shared> phases(shared);
    if constexpr (requires { work.prefetch(std::int64_t{}, int{}); })
        work.prefetch(static_cast<std::int64_t>(blockIdx.x), static_cast<int>(threadIdx.x));
    beginKernel();
    for (std::int64_t block = blockIdx.x; block < blocks; block += gridDim.x) work(phases, block);
}

template <int Size, typename State, typename Shared, int Resident = 1, typename Work>
Status phased(Stream stream, std::int64_t blocks, const Work& work) {
    if (blocks < 0) return kInvalidValue;
    if (blocks == 0) return kOk;
    return launchKernel(phasedKernel<Size, Resident, State, Shared, Work>, blocksFor(blocks, 1), Size, stream, blocks,
                        work);
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
    template <typename F>
    void runFreely(const F& f) {
        run(f);
    }

    template <int N, typename F>
    void addWarps(const F& f) {
        constexpr int kWarp = 32;
        for (int warp = 0; warp < Size; warp += kWarp)
            for (int i = 0; i < N; ++i) {
                float values[kWarp];
                for (int lane = 0; lane < kWarp; ++lane)
                    values[lane] = f(m_states[static_cast<std::size_t>(warp + lane)])[i];
                for (int offset = kWarp / 2; offset > 0; offset /= 2)
                    for (int lane = 0; lane < offset; ++lane) values[lane] += values[lane + offset];
                for (int lane = 0; lane < kWarp; ++lane)
                    f(m_states[static_cast<std::size_t>(warp + lane)])[i] = values[0];
            }
    }
    template <bool Signed, typename F>
    void multiplyBytes(const F& f) {
        constexpr int kWarp = 32, kRows = 16, kColumns = 8, kDepth = 32;
        const auto unpack = [](std::uint32_t word, bool isSigned, std::int32_t* to) {
            for (int i = 0; i < 4; ++i) {
                const auto byte = static_cast<std::uint8_t>(word >> (8 * i));
                to[i] = isSigned ? static_cast<std::int32_t>(static_cast<std::int8_t>(byte)) : std::int32_t{byte};
            }
        };
        for (int warp = 0; warp < Size; warp += kWarp) {
            std::int32_t a[kRows][kDepth], b[kColumns][kDepth];
            std::int32_t* sums[kWarp];
            for (int lane = 0; lane < kWarp; ++lane) {
                const ByteFragments mine = f(m_states[static_cast<std::size_t>(warp + lane)]);
                const int g = lane / 4, t = lane % 4;
                sums[lane] = mine.sums;
                for (int i = 0; i < 4; ++i) unpack(mine.a[i], Signed, &a[g + i % 2 * 8][4 * t + i / 2 * 16]);
                for (int i = 0; i < 2; ++i) unpack(mine.b[i], true, &b[g][4 * t + i * 16]);
            }
            for (int row = 0; row < kRows; ++row)
                for (int column = 0; column < kColumns; ++column) {
                    std::int32_t sum = 0;
                    for (int k = 0; k < kDepth; ++k) sum += a[row][k] * b[column][k];
                    sums[row % 8 * 4 + column / 2][row / 8 * 2 + column % 2] += sum;
                }
        }
    }
    bool isLast(unsigned* counter, unsigned blocks) {
        if (++*counter < blocks) return false;
        *counter = 0;
        return true;
    }

private:
    std::vector<State> m_states;
    std::unique_ptr<Shared> m_shared;
};

template <int Size, typename State, typename Shared, int Resident = 1, typename Work>
Status phased(Stream /*stream*/, std::int64_t blocks, const Work& work) {
    if (blocks < 0) return kInvalidValue;
    Phases<Size, State, Shared> phases;
    for (std::int64_t block = 0; block < blocks; ++block) work(phases, block);
    return kOk;
}

#endif

}  // namespace steelyard::compute::cuda::kernels
