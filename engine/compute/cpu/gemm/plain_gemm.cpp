// SPDX-License-Identifier: Apache-2.0
// Products of two operands that both may change between steps, without packing: what a library achieves without
// pre-packed weights.
#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"

namespace steelyard::compute::cpu {

Result<void> emitPlainProduct(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Product>(op.layer);
    const auto a = compiler.plainValue(op.inputs[0]);
    const auto b = compiler.plainValue(op.inputs[1]);
    const auto c = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto& dims = compiler.tensor(op.output).dims;  // [B, M, N]
    const auto depth = compiler.tensor(op.inputs[0]).dims[layer.transposeA ? 1 : 2];
    const Product product{dims[1], dims[2], depth, layer.transposeA, layer.transposeB, kindOf(a.desc), kindOf(c.desc)};
    const auto sampleOf = [&](const Value& value, std::int64_t sample) {
        return value.viewed(value.desc, sample * bytesOf(value.desc) / dims[0]);
    };
    for (std::int64_t sample = 0; sample < dims[0]; ++sample)
        emitProduct(compiler, product, sampleOf(a, sample), sampleOf(b, sample), sampleOf(c, sample));
    return {};
}

}  // namespace steelyard::compute::cpu
