// SPDX-License-Identifier: Apache-2.0
// Common to all kernels. A kernel here is a function that enqueues work on a stream and returns immediately. Two
// libraries implement the same functions, and a program links one of them: kernels_device, from .cu files (pointers are
// device memory, Stream is a cudaStream_t), and kernels_host, its twin in plain C++ (pointers are host memory, the
// stream is ignored and the work is done on return), with the same arithmetic in the same order. Tests without a GPU
// compare the twin with the reference backend, and a simulated device launches it.
//
// Rules for every kernel:
// - Tensors are dense and row-major unless documented otherwise; `type` is the element type of all void* of a call.
// Sums
//   are in Float32 for all types.
// - Counts and indices are 64-bit. A count of 0 is a no-op and Ok.
// - No allocation. If a kernel needs scratch memory, a function returns its size in bytes (a multiple of 256).
// - Results do not depend on timing or device size: no floating-point atomics, sums in a fixed order.
// - Structures are read during the call, except those documented as device memory.
// - `accumulate`: add to existing values instead of overwriting them.
// - In elementwise kernels an output may alias an input of the same type and count.
#pragma once

#include <cstdint>

namespace steelyard::compute::cuda::kernels {

enum class ElementType : std::uint8_t { F32, F16, Bf16 };

[[nodiscard]] constexpr std::int64_t bytesOf(ElementType type) {
    return type == ElementType::F32 ? 4 : 2;
}

using Stream = void*;
using Status = int;  // a cudaError_t; the twin returns one of these
inline constexpr Status kOk = 0;
inline constexpr Status kInvalidValue = 1;    // cudaErrorInvalidValue: an argument is out of its range
inline constexpr Status kNotSupported = 801;  // cudaErrorNotSupported: by this device, or by the twin

// Activations of an image in either layout; all others with channels = 1 as [batch, 1, height, width].
//   channelsLast false: [batch, channels, height, width]; true: [batch, height, width, channels]
struct ImageLayout {
    std::int64_t batch = 1, channels = 1, height = 1, width = 1;
    bool channelsLast = false;

    [[nodiscard]] constexpr std::int64_t pixels() const { return height * width; }
    [[nodiscard]] constexpr std::int64_t elements() const { return batch * channels * pixels(); }
};

// Channel axis of a tensor [outer, channels, inner]. Channels last, and [B, F] or [B, T, F]: inner = 1.
struct ChannelAxes {
    std::int64_t outer = 1, channels = 1, inner = 1;

    [[nodiscard]] constexpr std::int64_t elements() const { return outer * channels * inner; }
    [[nodiscard]] constexpr std::int64_t perChannel() const { return outer * inner; }
};

[[nodiscard]] constexpr ChannelAxes channelAxes(const ImageLayout& l) {
    if (l.channelsLast) return {l.batch * l.pixels(), l.channels, 1};
    return {l.batch, l.channels, l.pixels()};
}

// Values that change between steps. In device memory, copied there before a step, so that a captured graph stays valid.
struct StepControl {
    std::uint64_t dropoutSeed = 0;  // compute::dropoutSeed(seed, step)
    float rate = 0;                 // kernels::stepRate: learning rate after decay and, for Adam, bias correction
    float unused = 0;
};

// State of dynamic loss scaling (P. Micikevicius et al., Mixed Precision Training, 2018), in device memory across
// steps.
struct LossScale {
    float scale = 65536;         // loss multiplier in the backward pass
    std::int32_t goodSteps = 0;  // since the last change
    std::int32_t skipped = 0;    // steps with non-finite gradients, since the start
    std::int32_t unused = 0;
};

}  // namespace steelyard::compute::cuda::kernels
