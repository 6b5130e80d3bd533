// SPDX-License-Identifier: Apache-2.0
// The parts of a kernel table, one per source that is compiled once per instruction set. STEELYARD_INSTRUCTION_SET is
// the namespace, set by CMake.
#pragma once

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {

void fillPointwise(Kernels& table);
void fillRows(Kernels& table);
void fillSequence(Kernels& table);
void fillUpdate(Kernels& table);
void fillF32Gemm(Kernels& table);       // avx512 alone
void fillF32Winograd(Kernels& table);   // avx512 alone
void fillBf16Gemm(Kernels& table);      // avx512_bf16 alone
void fillBf16Winograd(Kernels& table);  // avx512_bf16 alone
bool fillAmxGemm(Kernels& table);       // amx alone

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
