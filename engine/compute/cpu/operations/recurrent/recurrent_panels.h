// SPDX-License-Identifier: Apache-2.0
// Weights of recurrent layers in panels of columns, and the products of a step with them by the native gemm kernels.
// Internal to the native implementations.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm_packing.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/recurrent/recurrent.h"

namespace steelyard::compute::cpu {

inline constexpr std::int64_t kGateColumns = 64;  // of a panel

// `count` rounded up to whole words; zero-padded.
inline std::int64_t inWords(DataKind kind, std::int64_t count) {
    return kind == DataKind::f32 ? count : blocks(count, 2) * 2;
}

// Rows of A times columns of B, which is stored in panels of columns, each [depth, width] in words.
struct StepProduct {
    DataKind kind = DataKind::f32;
    std::int64_t depth = 0, columns = 0;  // depth fills words
    bool accumulate = false;

    [[nodiscard]] std::int64_t bytes() const { return depth * columns * (kind == DataKind::f32 ? kFloat : 2); }
    // Whether native kernels for it run on this processor.
    [[nodiscard]] bool runsHere() const;
    template <class T>
    void run(const T* a, const ProductWord<T>* b, float* c, std::int64_t rows) const {
        run(a, b, c, rows, 0, columns);
    }
    // Only columns from `begin` to `end` of B and C.
    template <class T>
    void run(const T* a, const ProductWord<T>* b, float* c, std::int64_t rows, std::int64_t begin,
             std::int64_t end) const {
        PanelProduct<T> product;
        product.m = rows;
        product.k = product.rowStride = depth;  // splitting k would load and store sums more often: a fifth slower
        product.leadingC = columns;
        product.accumulate = accumulate;
        product.a = a;
        for (auto column = begin; column < end; column += product.n) {
            const auto panel = column / kGateColumns * kGateColumns;
            product.leadingB = std::min(kGateColumns, columns - panel);
            product.n = std::min(panel + product.leadingB, end) - column;
            product.b = b + depth / kElementsOfAWord<T> * panel + column - panel;
            product.c = c + column;
            kernels().products<T>().multiply(product);
        }
    }
};

// Weights of a product in panels: packed once for inference, in each step for training. `fill` packs one panel, whose
// first word, first column and width it is given.
template <class T, class Fill>
Value emitPanels(Compiler& compiler, const StepProduct& product, std::initializer_list<Value> sources, Fill fill) {
    const auto desc = plainDesc(Dims{product.bytes()}, DataKind::u8);
    if (!compiler.training()) compiler.beginPreparation();
    const auto panels = compiler.training() ? compiler.scratch(desc) : compiler.prepared(desc);
    std::vector<Value> uses(sources);
    uses.push_back(panels);
    compiler.task("native:pack_weights", std::span<const Value>(uses), [=](const StepState&) {
        parallelRows(blocks(product.columns, kGateColumns), kGateColumns * product.depth,
                     [&](std::int64_t begin, std::int64_t end) {
                         for (auto column = begin * kGateColumns;
                              column < std::min(product.columns, end * kGateColumns); column += kGateColumns)
                             fill(panels.as<ProductWord<T>>() + product.depth / kElementsOfAWord<T> * column, column,
                                  std::min(kGateColumns, product.columns - column));
                     });
    });
    if (!compiler.training()) compiler.endPreparation();
    return panels;
}

// Gates of a step, or their gradients, in newly allocated memory, for trials.
struct TrialGates {
    RecurrentShape s;
    bool backward = false;
    dnnl::memory gates, recurrent, bias, before, after, dHidden;  // before, after: states, then cells

    TrialGates(const RecurrentShape& shape, bool back, const dnnl::engine& engine);
    [[nodiscard]] float* gatesOf(std::int64_t sample) const {
        return static_cast<float*>(gates.get_data_handle()) + sample * s.gateWidth();
    }
    [[nodiscard]] float* stateOf(const dnnl::memory& states, std::int64_t sample, bool cell) const {
        return static_cast<float*>(states.get_data_handle()) + (cell ? s.batch * s.units : 0) + sample * s.units;
    }
    void run(std::int64_t begin, std::int64_t end) const;

private:
    template <class Rows>
    void fill(Rows& rows, std::int64_t begin, std::int64_t end) const;
};

// So many steps of one library product, then the gates; in the backward pass, their gradients.
[[nodiscard]] TrialMaker stepByStepTrial(const Compiler& compiler, const RecurrentShape& s,
                                         const dnnl::matmul::primitive_desc& product, bool backward,
                                         std::int64_t steps);

}  // namespace steelyard::compute::cpu
