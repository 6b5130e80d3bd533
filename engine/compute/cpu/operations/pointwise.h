// SPDX-License-Identifier: Apache-2.0
// Element-wise building blocks shared by several families of operations.
#pragma once

#include <limits>
#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// Calls function(T{}) with the element type, float or BFloat16.
template <class Function>
decltype(auto) withElementType(DataKind kind, Function&& function) {
    return kind == DataKind::bf16 ? function(BFloat16{}) : function(float{});
}
template <class Function>
decltype(auto) withElementType(const Desc& desc, Function&& function) {
    return withElementType(kindOf(desc), function);
}

// target = a + b, or max(0, a + b); all in the same layout, target may be a or b.
void emitSum(Compiler& compiler, const Value& target, const Value& a, const Value& b, bool rectify = false);

struct EltwiseKind {
    dnnl::algorithm algorithm = dnnl::algorithm::undef;
    float alpha = 0, beta = 0;
};
[[nodiscard]] EltwiseKind eltwiseKind(model::ActivationKind kind);

struct Limits {
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
};
// What an activation, or none, limits its argument to; unset if it does anything else.
[[nodiscard]] std::optional<Limits> limitsOf(const std::optional<model::ActivationKind>& kind);

}  // namespace steelyard::compute::cpu
