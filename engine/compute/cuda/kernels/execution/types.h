// SPDX-License-Identifier: Apache-2.0
// What all kernels share. A kernel here is a function that enqueues work on a stream and returns at once. There are two
// libraries with these very functions, and a program links one of them: kernels_device, of .cu files (pointers are
// device memory, Stream is a cudaStream_t), and kernels_host, its twin in plain C++ (pointers are host memory, the
// stream is ignored and the work is done when the call returns), which runs the same arithmetic in the same order. The
// twin is what tests compare with the reference backend where there is no GPU, and what a simulated device launches.
//
// Rules for every kernel:
// - Tensors are dense and row-major unless a parameter says otherwise; `type` is the element type of every void* of the
//   call, float* and int32* are what they say. Sums are in Float32 whatever the type.
// - Counts and indices are 64-bit. A count of 0 enqueues nothing and is Ok.
// - Nothing is allocated. Where a kernel needs scratch, a function beside it says how many bytes (a multiple of 256).
// - Results do not depend on time or on the device's size: no floating-point atomics, sums in a fixed order.
// - Structures are read during the call, except those said to lie in device memory.
// - `accumulate`: add to what is there instead of overwriting it.
// - An output may be the same memory as an input of the same type and count, if the kernel is elementwise.
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
inline constexpr Status kNotSupported = 801;  // cudaErrorNotSupported: not by this device, or not by the twin

// Activations of an image in either order; of everything else with channels = 1 as [batch, 1, height, width].
//   channelsLast false: [batch, channels, height, width]; true: [batch, height, width, channels]
struct ImageLayout {
    std::int64_t batch = 1, channels = 1, height = 1, width = 1;
    bool channelsLast = false;

    [[nodiscard]] constexpr std::int64_t pixels() const { return height * width; }
    [[nodiscard]] constexpr std::int64_t elements() const { return batch * channels * pixels(); }
};

// Where the channel of an element is: x is [outer, channels, inner]. Channels last, and [B, F] or [B, T, F]: inner = 1.
struct ChannelAxes {
    std::int64_t outer = 1, channels = 1, inner = 1;

    [[nodiscard]] constexpr std::int64_t elements() const { return outer * channels * inner; }
    [[nodiscard]] constexpr std::int64_t perChannel() const { return outer * inner; }
};

[[nodiscard]] constexpr ChannelAxes channelAxes(const ImageLayout& l) {
    if (l.channelsLast) return {l.batch * l.pixels(), l.channels, 1};
    return {l.batch, l.channels, l.pixels()};
}

// What changes from step to step. It lies in device memory and is copied there before a step, so that a captured graph
// of the step stays valid.
struct StepControl {
    std::uint64_t dropoutSeed = 0;  // compute::dropoutSeed(seed, step)
    float rate = 0;                 // kernels::stepRate: learning rate after decay and, for Adam, bias correction
    float unused = 0;
};

// Dynamic loss scaling (P. Micikevicius and others, Mixed Precision Training, 2018), in device memory from step to
// step.
struct LossScale {
    float scale = 65536;         // what losses are multiplied with in the backward pass
    std::int32_t goodSteps = 0;  // since the last change
    std::int32_t skipped = 0;    // steps whose gradients were not finite, since the start
    std::int32_t unused = 0;
};

}  // namespace steelyard::compute::cuda::kernels
