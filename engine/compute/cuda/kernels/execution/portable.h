// SPDX-License-Identifier: Apache-2.0
// Portable arithmetic of the kernels: functions for host and device (STEELYARD_HD; STEELYARD_CALLED if never inlined
// there), 16-bit types, packs of neighbouring values with vectorized loads. Internal to kernels/. Rounds to nearest,
// ties to even, on both sides; the device uses its conversion instructions if available.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/compute/cuda/kernels/execution/types.h"

#if defined(__CUDACC__)
#define STEELYARD_HD __host__ __device__ inline
#define STEELYARD_HD_MEMBER __host__ __device__
#define STEELYARD_CALLED __host__ __device__ __noinline__
#else
#define STEELYARD_HD inline
#define STEELYARD_HD_MEMBER
#define STEELYARD_CALLED
#endif
#if defined(__CUDA_ARCH__)
#define STEELYARD_UNROLL _Pragma("unroll")
#else
#define STEELYARD_UNROLL
#endif

namespace steelyard::compute::cuda::kernels {

struct Half {
    std::uint16_t bits;
};
struct Bfloat16 {
    std::uint16_t bits;
};

// binary32 to IEEE 754 binary16.
STEELYARD_HD std::uint16_t halfBits(float value) {
#if defined(__CUDA_ARCH__)
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    const auto whole = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (whole >> 16) & 0x8000U;
    const std::uint32_t x = whole & 0x7fffffffU;
    if (x >= 0x7f800000U) return static_cast<std::uint16_t>(sign | (x > 0x7f800000U ? 0x7e00U : 0x7c00U));
    if (x >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7c00U);  // 65536 and more
    if (x < 0x33000000U) return static_cast<std::uint16_t>(sign);             // below 2^-25
    std::uint32_t mantissa = x, dropped = 13, base = 0;
    if (x < 0x38800000U) {  // below 2^-14: steps of 2^-24
        mantissa = (x & 0x7fffffU) | 0x800000U;
        dropped = 126 - (x >> 23);
    } else {
        base = 0x38000000U >> 13;
    }
    std::uint32_t result = (mantissa >> dropped) - base;
    const std::uint32_t rest = mantissa & ((1U << dropped) - 1), half = 1U << (dropped - 1);
    if (rest > half || (rest == half && (result & 1U) != 0)) ++result;
    return static_cast<std::uint16_t>(sign | result);
#endif
}

STEELYARD_HD float halfValue(std::uint16_t bits) {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = (bits >> 10) & 31U, mantissa = bits & 0x3ffU;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
#endif
}

STEELYARD_HD std::uint16_t bfloat16Bits(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    const auto x = std::bit_cast<std::uint32_t>(value);
    if ((x & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((x >> 16) | 0x40U);  // stays a NaN
    return static_cast<std::uint16_t>((x + 0x7fffU + ((x >> 16) & 1U)) >> 16);
#endif
}

STEELYARD_HD float toFloat(float value) {
    return value;
}
STEELYARD_HD float toFloat(Half value) {
    return halfValue(value.bits);
}
STEELYARD_HD float toFloat(Bfloat16 value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

template <typename T>
struct FromFloat;
template <>
struct FromFloat<float> {
    STEELYARD_HD_MEMBER static float of(float value) { return value; }
};
template <>
struct FromFloat<Half> {
    STEELYARD_HD_MEMBER static Half of(float value) { return {halfBits(value)}; }
};
template <>
struct FromFloat<Bfloat16> {
    STEELYARD_HD_MEMBER static Bfloat16 of(float value) { return {bfloat16Bits(value)}; }
};
template <typename T>
STEELYARD_HD T fromFloat(float value) {
    return FromFloat<T>::of(value);
}

// N neighbours, loaded and stored with the fewest instructions.
template <typename T, int N>
struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) Pack {
    T at[N];
};
template <int N, typename T>
STEELYARD_HD Pack<T, N> load(const T* from) {
    return *reinterpret_cast<const Pack<T, N>*>(from);
}
template <int N, typename T>
STEELYARD_HD void store(T* to, const Pack<T, N>& pack) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(pack) == 16) {  // one instruction, since nvcc may split the pack; to global memory
        const auto words = std::bit_cast<uint4>(pack);
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(words.x),
                     "r"(words.y), "r"(words.z), "r"(words.w)
                     : "memory");
        return;
    }
#endif
    *reinterpret_cast<Pack<T, N>*>(to) = pack;
}

// Neighbours of one type that fill 16 bytes.
template <typename T>
inline constexpr int kPack = 16 / static_cast<int>(sizeof(T));

// Whether packs of 16 bytes may start here; null pointers are allowed.
template <typename... Pointers>
bool areAligned(const Pointers*... pointers) {
    return ((reinterpret_cast<std::uintptr_t>(pointers) % 16 == 0) && ...);
}

// Division with a fast path for operands below 2^32, much cheaper on a device.
STEELYARD_HD std::int64_t divided(std::int64_t a, std::int64_t b) {
    if (((a | b) >> 32) == 0)
        return static_cast<std::int64_t>(static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b));
    return a / b;
}
struct Split {
    std::int64_t quotient, rest;
};
STEELYARD_HD Split split(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = divided(a, b);
    return {quotient, a - quotient * b};
}
[[nodiscard]] constexpr std::int64_t ceilDivided(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// 1 / sqrt(x), on a device within two units in the last place.
STEELYARD_HD float inverseRoot(float x) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(x);
#else
    return 1.0F / std::sqrt(x);
#endif
}

// a / b for |b| below 2^126, on a device within two units in the last place.
STEELYARD_HD float ratio(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

// e^x; for operands or results of a 16-bit type T with the device's fast instruction.
template <typename T>
STEELYARD_HD float exponential(float x) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) < sizeof(float)) return __expf(x);
#endif
    return std::exp(x);
}

// Calls f with a value of the element's C++ type.
template <typename F>
Status withType(ElementType type, const F& f) {
    switch (type) {
        case ElementType::F32:
            return f(float{});
        case ElementType::F16:
            return f(Half{});
        case ElementType::Bf16:
            return f(Bfloat16{});
    }
    return kInvalidValue;
}

[[nodiscard]] constexpr std::int64_t paddedBytes(std::int64_t bytes) {
    return ceilDivided(bytes, 256) * 256;
}

}  // namespace steelyard::compute::cuda::kernels
