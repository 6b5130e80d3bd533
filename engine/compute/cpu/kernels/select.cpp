// SPDX-License-Identifier: Apache-2.0
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

#define KERNELS(isa, source, fill) \
    namespace isa {                \
    void fill(Kernels& table);     \
    }
#include "engine/compute/cpu/kernels/kernels.def"
#undef KERNELS

namespace {

struct Entry {
    CpuIsa isa;
    void (*fill)(Kernels& table);
};
constexpr Entry kEntries[] = {
#define KERNELS(isa, source, fill) {CpuIsa::isa, isa::fill},
#include "engine/compute/cpu/kernels/kernels.def"
#undef KERNELS
};

// oneDNN respects ONEDNN_MAX_CPU_ISA, and checks that the operating system saves the larger registers.
bool allows(dnnl::cpu_isa wanted) {
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

Kernels choose() {
    Kernels table{};
    for (const auto isa : {CpuIsa::baseline, CpuIsa::avx2, CpuIsa::avx2_vnni, CpuIsa::avx512, CpuIsa::avx512_vnni,
                           CpuIsa::avx512_bf16, CpuIsa::amx})
        if (runsHere(isa)) fillKernels(isa, table);
    table.instructionSet = runsHere(CpuIsa::avx512) ? "avx512" : runsHere(CpuIsa::avx2) ? "avx2" : "baseline";
    return table;
}

}  // namespace

bool runsHere(CpuIsa isa) {
    switch (isa) {
        case CpuIsa::baseline:
            return true;
        case CpuIsa::avx2:
            __builtin_cpu_init();
            return allows(dnnl::cpu_isa::avx2) && __builtin_cpu_supports("fma");
        case CpuIsa::avx2_vnni:
            // oneDNN does not count it among the sets of a processor with AVX-512.
            return runsHere(CpuIsa::avx2) && (allows(dnnl::cpu_isa::avx2_vnni) || (allows(dnnl::cpu_isa::avx512_core) &&
                                                                                   __builtin_cpu_supports("avxvnni")));
        case CpuIsa::avx512:
            return allows(dnnl::cpu_isa::avx512_core);
        case CpuIsa::avx512_vnni:
            return allows(dnnl::cpu_isa::avx512_core_vnni);
        case CpuIsa::avx512_bf16:
            return allows(dnnl::cpu_isa::avx512_core_bf16);
        case CpuIsa::amx:
            return allows(dnnl::cpu_isa::avx512_core_amx);
    }
    return false;
}

void fillKernels(CpuIsa isa, Kernels& table) {
    for (const auto& entry : kEntries)
        if (entry.isa == isa) entry.fill(table);
}

const Kernels& kernels() {
    static const Kernels table = choose();
    return table;
}

bool hasBfloat16Products() {
    return runsHere(CpuIsa::avx512_bf16);
}

bool hasAmxTiles() {
    return runsHere(CpuIsa::amx);
}

ReadPattern preferredReadPattern() {
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0 ? ReadPattern::Sequential : ReadPattern::MultiStrided;
}

bool hasByteDotProducts() {
    return runsHere(CpuIsa::avx512_vnni) || allows(dnnl::cpu_isa::avx2_vnni);
}

}  // namespace steelyard::compute::cpu
