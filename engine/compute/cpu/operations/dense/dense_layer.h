// SPDX-License-Identifier: Apache-2.0
// Implementation choice of a dense layer: the layout of its weights, and the implementation of each pass, chosen by
// trials.
#pragma once

#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {

struct DenseShape {
    std::int64_t rows = 0, features = 0, units = 0;  // features as stored, including padded channels
    Desc source;                                     // [rows, features], or a flattened image in its layout
    bool bias = false;
    DataKind kind = DataKind::f32;
    std::optional<model::ActivationKind> activation;

    [[nodiscard]] bool isImage() const { return dimsOf(source).size() == 4; }
    [[nodiscard]] Desc sourceRows() const { return plainDesc(Dims{rows, features}, kind); }
    [[nodiscard]] Desc target() const { return plainDesc(Dims{rows, units}, kind); }
    [[nodiscard]] Desc weightRows(DataKind weightKind) const { return plainDesc(Dims{units, features}, weightKind); }
    [[nodiscard]] Desc biasDesc() const { return bias ? plainDesc(Dims{units}, DataKind::f32) : Desc(); }
    // The rows of weights, with a flattened image's features in the Plan's order.
    [[nodiscard]] Desc storedRows(DataKind weightKind) const;
    [[nodiscard]] Desc anyWeights(DataKind weightKind) const {
        auto dims = dimsOf(source);
        dims[0] = units;
        return anyDesc(dims, weightKind);
    }
    [[nodiscard]] Product product(plan::Pass pass) const;
};

// The choice; the forward pass leaves it for the backward passes. Operands as in implementation.h: data in the layout
// of shape.source, results and their gradients in that of shape.target().
struct DenseChoice {
    DenseShape shape;
    bool blocked = false;  // weights in the library's blocked layout, otherwise as rows of features
    bool packed = false;   // weights as the forward implementation, a product of matrices, packs them
    Implementation forward, data, weights;
    Desc master;  // bf16 training with blocked weights: the layout of their gradient; otherwise empty

    // In the layout of the forward pass.
    [[nodiscard]] Desc weightsDesc() const { return forward.weights; }
};

// Chooses the fastest affordable implementation of each pass. `op`: the layer's forward operation.
[[nodiscard]] DenseChoice chooseDense(Compiler& compiler, const DenseShape& shape, const plan::Operation& op);

}  // namespace steelyard::compute::cpu
