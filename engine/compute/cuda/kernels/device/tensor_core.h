// SPDX-License-Identifier: Apache-2.0
// Tensor core primitives of a warp, with the PTX ISA's names (mma.sync.m16n8k16, ldmatrix, cp.async): single
// instructions on the device; elsewhere only declared, and defined by a test that simulates a block's threads on the
// host (tests/engine/compute/cuda_kernels/played_block.h). Needs compute capability 8.0. Internal to kernels/.
//
// Layout of fragments, with g = lane / 4 and t = lane % 4; each word holds two neighbours, the first in its low half:
//   A [16 rows, 16 deep]    word 0: row g, deep 2t; 1: row g + 8; 2: row g, deep 2t + 8; 3: row g + 8, deep 2t + 8
//   B [16 deep, 8 columns]  word 0: deep 2t, column g; 1: deep 2t + 8, column g
//   sums [16 rows, 8 columns]   at 0, 1: row g, columns 2t, 2t + 1; at 2, 3: row g + 8
#pragma once

#include <cstdint>

#include "engine/compute/cuda/kernels/execution/portable.h"

#if defined(__CUDACC__)
#define STEELYARD_WARP __device__ __forceinline__
#define STEELYARD_ROLLED _Pragma("unroll 1")
#else
#define STEELYARD_WARP inline
#define STEELYARD_ROLLED
#endif

namespace steelyard::compute::cuda::kernels {

struct Fragment {  // an A, or two adjacent B
    std::uint32_t at[4];
};
struct Sums {
    float at[4];
};

#if defined(__CUDACC__)

STEELYARD_WARP int threadIndex() {
    return static_cast<int>(threadIdx.x);
}
STEELYARD_WARP void blockBarrier() {
    __syncthreads();
}
STEELYARD_WARP void warpBarrier() {
    __syncwarp();
}
STEELYARD_WARP float shuffledXor(float value, int mask) {
    return __shfl_xor_sync(0xffffffffU, value, mask);
}
STEELYARD_WARP float shuffledFrom(float value, int lane) {
    return __shfl_sync(0xffffffffU, value, lane);
}
STEELYARD_WARP float exp2Of(float value) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}
STEELYARD_WARP unsigned sharedAddress(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// Starts a copy into shared memory at `offset` bytes from `shared`; zeros if the source is absent. Both addresses are
// aligned to the size.
template <int Bytes>
STEELYARD_WARP void copyAsync(void* shared, int offset, const void* from, bool isPresent) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    static_assert(Bytes == 4 || Bytes == 16);
    const int bytes = isPresent ? Bytes : 0;
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(shared) +
                                                                           static_cast<unsigned>(offset)),
                     "l"(from), "r"(bytes)
                     : "memory");
    else
        asm volatile(
            "cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(sharedAddress(shared) + static_cast<unsigned>(offset)),
            "l"(from), "r"(bytes)
            : "memory");
#endif
}
STEELYARD_WARP void commitCopies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most Latest groups of this thread's copies are pending; a barrier makes the data visible to others.
template <int Latest>
STEELYARD_WARP void waitForCopies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Latest) : "memory");
#endif
}

// Loads four matrices of 8 rows of 16 bytes; lane i addresses row i % 8 of matrix i / 8, at `offset` bytes from
// `shared`. Word m: row g of matrix m, elements 2t, 2t + 1; transposed: rows 2t and 2t + 1, element g.
template <bool Transposed>
STEELYARD_WARP Fragment loadMatrices(const void* shared, int offset) {
    Fragment f{};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if constexpr (Transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(f.at[0]), "=r"(f.at[1]), "=r"(f.at[2]), "=r"(f.at[3])
                     : "r"(sharedAddress(shared) + static_cast<unsigned>(offset))
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(f.at[0]), "=r"(f.at[1]), "=r"(f.at[2]), "=r"(f.at[3])
                     : "r"(sharedAddress(shared) + static_cast<unsigned>(offset))
                     : "memory");
#endif
    return f;
}

// sums += a . B, where B is words `first` and first + 1 of b.
STEELYARD_WARP void multiplyAdd(Half /*type*/, Sums& sums, const Fragment& a, const Fragment& b, int first) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums.at[0]), "+f"(sums.at[1]), "+f"(sums.at[2]), "+f"(sums.at[3])
        : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[first]), "r"(b.at[first + 1]));
#endif
}
STEELYARD_WARP void multiplyAdd(Bfloat16 /*type*/, Sums& sums, const Fragment& a, const Fragment& b, int first) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums.at[0]), "+f"(sums.at[1]), "+f"(sums.at[2]), "+f"(sums.at[3])
        : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[first]), "r"(b.at[first + 1]));
#endif
}

// Two neighbours in a word, rounded to nearest, ties to even.
STEELYARD_WARP std::uint32_t wordOf(Half /*type*/, float low, float high) {
    std::uint32_t word = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
#endif
    return word;
}
STEELYARD_WARP std::uint32_t wordOf(Bfloat16 /*type*/, float low, float high) {
    std::uint32_t word = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
#endif
    return word;
}

// Memory as words, aligned to their size.
STEELYARD_WARP std::uint32_t loadWord(const void* from) {
    return *static_cast<const std::uint32_t*>(from);
}
STEELYARD_WARP void storeWord(void* to, std::uint32_t word) {
    *static_cast<std::uint32_t*>(to) = word;
}
STEELYARD_WARP Fragment loadWords(const void* from) {
    const uint4 words = *static_cast<const uint4*>(from);
    return {{words.x, words.y, words.z, words.w}};
}
STEELYARD_WARP void storeWords(void* to, const Fragment& words) {
    *static_cast<uint4*>(to) = make_uint4(words.at[0], words.at[1], words.at[2], words.at[3]);
}

#else

int threadIndex();
void blockBarrier();
void warpBarrier();
float shuffledXor(float value, int mask);
float shuffledFrom(float value, int lane);
float exp2Of(float value);
template <int Bytes>
void copyAsync(void* shared, int offset, const void* from, bool isPresent);
void commitCopies();
template <int Latest>
void waitForCopies();
template <bool Transposed>
Fragment loadMatrices(const void* shared, int offset);
void multiplyAdd(Half type, Sums& sums, const Fragment& a, const Fragment& b, int first);
void multiplyAdd(Bfloat16 type, Sums& sums, const Fragment& a, const Fragment& b, int first);
std::uint32_t wordOf(Half type, float low, float high);
std::uint32_t wordOf(Bfloat16 type, float low, float high);
std::uint32_t loadWord(const void* from);
void storeWord(void* to, std::uint32_t word);
Fragment loadWords(const void* from);
void storeWords(void* to, const Fragment& words);

#endif

}  // namespace steelyard::compute::cuda::kernels
