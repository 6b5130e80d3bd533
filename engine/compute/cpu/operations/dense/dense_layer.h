// SPDX-License-Identifier: Apache-2.0
// How a dense layer is computed: the layout of its weights, and for each pass the implementation, chosen by trials.
#pragma once

#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {

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

// What is chosen; the forward pass leaves it for the backward passes. Operands as in implementation.h: data as
// shape.source says, results and their gradients as shape.target().
struct DenseChoice {
    DenseShape shape;
    bool blocked = false;  // weights in the library's blocked layout, else as rows of features
    bool packed = false;   // weights as the packed gemm reads them, which then is the forward implementation
    Implementation forward, data, weights;
    Desc master;  // training in bf16 with blocked weights: the layout of their gradient; else empty

    // As the forward pass reads them, in either layout.
    [[nodiscard]] Desc weightsDesc() const { return forward.weights; }
};

// The fastest implementation of each pass that the step can afford. `op` is the layer's forward operation.
[[nodiscard]] DenseChoice chooseDense(Compiler& compiler, const DenseShape& shape, const plan::Operation& op);

}  // namespace steelyard::compute::cpu
