// SPDX-License-Identifier: Apache-2.0
// How a dense layer is computed: the layout of its weights, and for each pass the library and the primitive, chosen by
// trying. Functions of DensePrimitives throw dnnl::error where the library has no such primitive.
#pragma once

#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"

namespace steelyard::compute::cpu {

// InnerProduct: weights in the library's blocked layout; the others: weights as rows of features.
enum class DenseWay { InnerProduct, InnerProductOfRows, MatMul, OpenBlas, PackedGemm };

struct DenseShape {
    std::int64_t rows = 0, features = 0, units = 0;  // features as they lie, with padded channels
    Desc source;                                     // [rows, features], or a flattened image as it lies
    bool bias = false;
    DataKind kind = DataKind::f32;
    std::optional<model::ActivationKind> activation;

    [[nodiscard]] bool isImage() const { return dimsOf(source).size() == 4; }
    [[nodiscard]] Desc sourceRows() const { return plainDesc(Dims{rows, features}, kind); }
    [[nodiscard]] Desc target() const { return plainDesc(Dims{rows, units}, kind); }
    [[nodiscard]] Desc weightRows(DataKind weightKind) const { return plainDesc(Dims{units, features}, weightKind); }
    [[nodiscard]] Desc biasDesc() const { return bias ? plainDesc(Dims{units}, DataKind::f32) : Desc(); }
    // The rows of weights, described so that a flattened image's features are in the Plan's order.
    [[nodiscard]] Desc storedRows(DataKind weightKind) const;
    [[nodiscard]] Desc anyWeights(DataKind weightKind) const {
        auto dims = dimsOf(source);
        dims[0] = units;
        return anyDesc(dims, weightKind);
    }
    [[nodiscard]] Product product(plan::Pass pass) const;
};

// What the choice is, and forward leaves for backward.
struct DenseMemory {
    DenseShape shape;
    bool blocked = false;
    bool packed = false;  // weights, for own products forward, which then are the choice
    DenseWay forward = DenseWay::InnerProduct, data = DenseWay::InnerProduct, weights = DenseWay::InnerProduct;
    std::optional<dnnl::inner_product_forward::primitive_desc> hint;  // of the chosen layout
};

// Makes the primitives of one layer in one layout of its weights.
class DensePrimitives {
public:
    DensePrimitives(const Compiler& compiler, const DenseShape& shape, bool blocked)
        : m_compiler(compiler), m_shape(shape), m_blocked(blocked) {}

    [[nodiscard]] dnnl::inner_product_forward::primitive_desc forward() const;
    [[nodiscard]] dnnl::inner_product_backward_data::primitive_desc backwardData() const;
    [[nodiscard]] dnnl::inner_product_backward_weights::primitive_desc backwardWeights() const;
    [[nodiscard]] dnnl::matmul::primitive_desc matMul(plan::Pass pass) const;
    [[nodiscard]] Desc source() const { return m_blocked ? m_shape.source : m_shape.sourceRows(); }

private:
    [[nodiscard]] Desc weights(DataKind kind) const {
        return m_blocked ? m_shape.anyWeights(kind) : m_shape.weightRows(kind);
    }

    const Compiler& m_compiler;
    const DenseShape& m_shape;
    bool m_blocked;
};

// Own products of a pass, as far as the step affords scratch memory. packed: forward, the weights lie as they read
// them.
[[nodiscard]] PackedGemm packedGemm(const Compiler& compiler, const DenseShape& shape, plan::Pass pass, bool packed);

// The fastest way of each pass that the step can afford. `op` is the layer's forward operation.
[[nodiscard]] DenseMemory chooseDense(Compiler& compiler, const DenseShape& shape, const plan::Operation& op);

}  // namespace steelyard::compute::cpu
