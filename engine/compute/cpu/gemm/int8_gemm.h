// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit matrices by native kernels (AVX2, VNNI, AMX), whose sums are scaled, added to a shortcut and
// rounded tile by tile: a candidate for dense layers and convolutions of Int8 plans, on channels-last rows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/compute/cpu/gemm/window_rows.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// y = clamp(factors (x w) + offsets + shortcutFactor y, low, high). With an activation: y = resultFactor
// activation(factors (x w) + offsets + shortcutFactor y), where y is Float if there is a shortcut.
struct Int8Gemm {
    std::int64_t rows = 0, features = 0, units = 0;  // x is [rows, features], y [rows, units], both contiguous
    std::optional<ImageWindows> windows;             // x are images, each row a window
    int threads = 1;
    StoredAs source = StoredAs::Unsigned;  // not Float
    StoredAs target = StoredAs::Unsigned;  // of y
    std::optional<StoredAs> shortcut;      // what y holds before, in elements of the same size
    float shortcutFactor = 1;
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
    std::optional<ActivationKind> activation;
    float resultFactor = 1;  // 1 if y is Float
    const EightBitKernels* products = &kernels().eightBit;

    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Weights: panels of 64 units, words of four features; in the dimensions [units, features].
    [[nodiscard]] Desc packedDesc() const;
    // Whether run() reads `start`: per unit -128 times the sum of its weights, as sumUnits() computes it.
    [[nodiscard]] bool needsStart() const { return source == StoredAs::Signed && products->needsStart; }
    void sumUnits(const void* weights, std::int32_t* start) const;
    void run(const void* x, const void* weights, const float* factors, const float* offsets, const std::int32_t* start,
             void* y, void* scratch) const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;

private:
    void activateBytes(const Int8Product& product) const;
};

}  // namespace steelyard::compute::cpu
