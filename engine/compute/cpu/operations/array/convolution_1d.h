// SPDX-License-Identifier: Apache-2.0
// One-dimensional convolutions by the float microkernels: the taps of sixty-four columns are packed side by side, so
// that each block of the result is one product that stays in the cache. A candidate for imported convolutions.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"
#include "engine/model/activation_kind.h"

namespace steelyard::compute::cpu {

struct Convolution1d {
    std::int64_t batch = 1, groups = 1, inChannels = 0, outChannels = 0;  // channels of all groups
    std::int64_t in = 0, out = 0;                                         // lengths
    std::int64_t taps = 1, stride = 1, dilation = 1, before = 0;          // `before`: zeros before the first element
    std::optional<model::ActivationKind> activation{};
    int threads = 1;  // maximum number

    // Whether the processor is supported.
    [[nodiscard]] static bool runsHere();
    // Of weights in the file's order, [outChannels, inChannels / groups, taps]: the taps are the outer dimension of a
    // row.
    [[nodiscard]] Desc weightsDesc() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // y [batch, outChannels, out] from x [batch, inChannels, in]; `bias` may be null. Scratch must be aligned to a
    // cache line.
    void run(const float* x, const float* weights, const float* bias, float* y, void* scratch) const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;

    [[nodiscard]] std::int64_t depth() const { return inChannels / groups * taps; }
    [[nodiscard]] double flops() const {
        return 2.0 * static_cast<double>(batch * outChannels * out) * static_cast<double>(depth());
    }
};

}  // namespace steelyard::compute::cpu
