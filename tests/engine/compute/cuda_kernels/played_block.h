// SPDX-License-Identifier: Apache-2.0
// Emulates the threads of a block on the host for kernels written with device/tensor_core.h, whose semantics
// played_block.cpp implements from the PTX ISA: when a thread waits for others, the next one runs.
#pragma once

#include <functional>

namespace steelyard::compute::cuda::kernels {

// Asynchronous copies into shared memory complete as late as the waits permit, or immediately: kernels that do not wait
// for them, or overwrite data still being read, then fail.
enum class Copies { Late, AtOnce };

// thread: the code of each thread.
void playBlock(int threads, Copies copies, const std::function<void()>& thread);

}  // namespace steelyard::compute::cuda::kernels
