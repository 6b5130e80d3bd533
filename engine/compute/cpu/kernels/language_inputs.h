// SPDX-License-Identifier: Apache-2.0
// Activations in 8 bits (QuantisedRows) as products of weights in blocks read them.
#pragma once

#include <cstdint>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Of some tokens; blocks have 32 columns, halves 16.
struct Inputs {
    const std::int8_t* q;
    const float *steps, *sums, *halfSums;
    const std::int32_t* compensations;
    std::int64_t columns;  // per token

    STEELYARD_INLINE Inputs(const QuantisedRows& rows, std::int64_t perToken, std::int64_t token)
        : q(rows.q + token * perToken),
          steps(rows.steps + token * (perToken / 32)),
          sums(rows.sums + token * (perToken / 32)),
          halfSums(rows.halfSums + token * (perToken / 16)),
          compensations(rows.compensations + token * (perToken / 16)),
          columns(perToken) {}

    [[nodiscard]] STEELYARD_INLINE const std::int8_t* at(int token, std::int64_t block) const {
        return q + token * columns + 32 * block;
    }
    [[nodiscard]] STEELYARD_INLINE float step(int token, std::int64_t block) const {
        return steps[token * (columns / 32) + block];
    }
    [[nodiscard]] STEELYARD_INLINE float sum(int token, std::int64_t block) const {
        return sums[token * (columns / 32) + block];
    }
    [[nodiscard]] STEELYARD_INLINE float halfSum(int token, std::int64_t half) const {
        return halfSums[token * (columns / 16) + half];
    }
    [[nodiscard]] STEELYARD_INLINE std::int32_t compensation(int token, std::int64_t half) const {
        return compensations[token * (columns / 16) + half];
    }
};

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
