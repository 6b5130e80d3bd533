// SPDX-License-Identifier: Apache-2.0
// The arithmetic of eight-bit inference (plan/quantisation.h) that every backend has in common, and its calibration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute {

// How a backend multiplies bytes. A Backend may implement it beside Backend; without it nothing limits the weights.
class EightBitProducts {
public:
    EightBitProducts() = default;
    EightBitProducts(const EightBitProducts&) = delete;
    EightBitProducts& operator=(const EightBitProducts&) = delete;
    virtual ~EightBitProducts() = default;
    // Largest magnitude of a rounded weight: 127, or 63 where two products are added in 16 bits.
    [[nodiscard]] virtual int weightLevels() const = 0;
};
[[nodiscard]] int weightLevelsOf(Backend& backend);

// Rows of weights, each to a step of its own: row r is steps[r] q, the largest magnitude of it being `levels`. To the
// nearest, ties to even; a row of zeros has step 1. rounded.size() == weights.size(), a multiple of steps.size().
void roundWeightRows(std::span<const float> weights, int levels, std::span<std::int8_t> rounded,
                     std::span<float> steps);

// Writes weights and states of a seed: writeInitialValues, or writeComparedValues for what is compared.
using WriteValues = Result<void> (*)(Executable& executable, std::uint64_t seed);

// What is calibrated for: the values and the threads of the reference.
struct CalibrationOptions {
    std::uint64_t seed = 1;
    int threads = 1;
    WriteValues write = nullptr;  // null: writeInitialValues
};

// Runs the network with the weights of a seed on some seeded samples, exactly, and returns the magnitudes of its
// tensors. As many samples as the reference does in seconds, 1 to 8; the samples are not those of the same seed that
// timing and verification use. `options` is the step that will run; tensors have the same ids in it.
// Errors are those of the reference.
[[nodiscard]] Result<plan::Quantisation> calibrate(Backend& reference, Backend& backend, const model::Graph& graph,
                                                   const plan::PlanOptions& options,
                                                   const CalibrationOptions& calibration);

// The plan of the options; of Int8, after calibration where they have none yet.
[[nodiscard]] Result<plan::Plan> lowerCalibrated(Backend& reference, Backend& backend, const model::Graph& graph,
                                                 plan::PlanOptions options, const CalibrationOptions& calibration);

}  // namespace steelyard::compute
