// SPDX-License-Identifier: Apache-2.0
// The arithmetic of int8 inference (plan/quantisation.h) that all backends share, and its calibration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute {

// 8-bit products of a backend. Optional interface of a Backend; without it weights have the full range.
class EightBitProducts {
public:
    EightBitProducts() = default;
    EightBitProducts(const EightBitProducts&) = delete;
    EightBitProducts& operator=(const EightBitProducts&) = delete;
    virtual ~EightBitProducts() = default;
    // Maximum magnitude of a quantised weight: 127, or 63 if two products are added in 16 bits.
    [[nodiscard]] virtual int weightLevels() const = 0;
};
[[nodiscard]] int weightLevelsOf(Backend& backend);

// Quantises rows of weights, one step per row: row r is steps[r] q, with maximum magnitude `levels`. Rounds to nearest,
// ties to even; a row of zeros has step 1. rounded.size() == weights.size(), a multiple of steps.size().
// `declared`: empty, or the steps of a quantised file, which are used with 127 levels for rows within 128 steps, so
// that the file's integers result (-127 for -128).
void roundWeightRows(std::span<const float> weights, std::span<const float> declared, int levels,
                     std::span<std::int8_t> rounded, std::span<float> steps);

// Writes weights and states for a seed: writeInitialValues, or writeComparedValues for comparisons.
using WriteValues = Result<void> (*)(Executable& executable, std::uint64_t seed);

// Values and threads for calibration in the reference backend.
struct CalibrationOptions {
    std::uint64_t seed = 1;
    int threads = 1;
    WriteValues write = nullptr;  // null: writeInitialValues
};

// Runs the network in Float32 with the weights of a seed on seeded samples, and returns the magnitudes of its tensors.
// Uses as many samples as the reference computes in seconds, 1 to 8; they differ from those of timing and verification
// with the same seed. Magnitudes in a quantised file take precedence; nothing is run if it has all of them.
// `options`: the step that will run, which has the same tensor ids. Errors are those of the reference.
[[nodiscard]] Result<plan::Quantisation> calibrate(Backend& reference, Backend& backend, const model::Graph& graph,
                                                   const plan::PlanOptions& options,
                                                   const CalibrationOptions& calibration);

// Lowers with the options; for Int8, calibrates first if they have no calibration.
[[nodiscard]] Result<plan::Plan> lowerCalibrated(Backend& reference, Backend& backend, const model::Graph& graph,
                                                 plan::PlanOptions options, const CalibrationOptions& calibration);

}  // namespace steelyard::compute
