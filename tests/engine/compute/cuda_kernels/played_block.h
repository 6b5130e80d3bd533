// SPDX-License-Identifier: Apache-2.0
// Plays the threads of a block on the host for kernels written in the words of device/tensor_core.h, whose meaning
// played_block.cpp writes down after the PTX ISA: where a thread waits for others, the next one runs.
#pragma once

#include <functional>

namespace steelyard::compute::cuda::kernels {

// Copies into shared memory arrive as late as the waits allow, or at once: what does not wait for them, or overwrites
// what others still read, then goes wrong.
enum class Copies { Late, AtOnce };

// thread: what each thread does.
void playBlock(int threads, Copies copies, const std::function<void()>& thread);

}  // namespace steelyard::compute::cuda::kernels
