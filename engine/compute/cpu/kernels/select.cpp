// SPDX-License-Identifier: Apache-2.0
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {
namespace {

// oneDNN knows the environment's limit, and whether the operating system saves the wide registers.
bool allows(dnnl::cpu_isa wanted) {
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

Kernels choose() {
    Kernels table{};
    __builtin_cpu_init();
    if (allows(dnnl::cpu_isa::avx512_core)) {
        table.instructionSet = "avx512";
        avx512::fill(table);
        avx512::fillF32Gemm(table);
        avx512::fillF32Winograd(table);
        if (hasBfloat16Products()) {
            avx512_bf16::fillBf16Gemm(table);
            avx512_bf16::fillBf16Winograd(table);
            if (hasAmxTiles()) amx::fillAmxGemm(table);
        }
    } else if (allows(dnnl::cpu_isa::avx2) && __builtin_cpu_supports("fma")) {
        table.instructionSet = "avx2";
        avx2::fill(table);
    } else {
        table.instructionSet = "baseline";
        baseline::fill(table);
    }
    return table;
}

}  // namespace

const Kernels& kernels() {
    static const Kernels table = choose();
    return table;
}

bool hasBfloat16Products() {
    return allows(dnnl::cpu_isa::avx512_core_bf16);  // AMX comes with it
}

bool hasAmxTiles() {
    return allows(dnnl::cpu_isa::avx512_core_amx);
}

}  // namespace steelyard::compute::cpu
