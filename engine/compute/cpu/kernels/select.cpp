// SPDX-License-Identifier: Apache-2.0
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {
namespace {

Kernels choose() {
    Kernels table{};
    __builtin_cpu_init();
    // oneDNN knows the environment's limit, and whether the operating system saves the wide registers.
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    const auto allows = [isa](dnnl::cpu_isa wanted) {
        return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
    };
    if (allows(dnnl::cpu_isa::avx512_core)) {
        table.instructionSet = "avx512";
        avx512::fill(table);
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

}  // namespace steelyard::compute::cpu
