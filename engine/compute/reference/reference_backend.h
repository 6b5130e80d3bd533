// SPDX-License-Identifier: Apache-2.0
// The naive backend that all others are compared with. Every tensor of the plan has its own buffer, operations run one
// by one in plan order, without fusion, and sums are in double. Not meant to be timed, but fast enough to verify a
// batch of a few samples. CompileOptions::threads apply to matrix products; results do not depend on them. Unlike other
// executables its steps allocate.
//
// All tensors of a plan can be read after a step, including gradients and activations. write() refuses class indices
// and token ids out of range (InvalidArgument). Running statistics and weights are zero until written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct ReferenceOptions {
    // Off: plans of every precision are computed in Float32 with sums in double. On: emulates the effect of the plan's
    // precision. Int8: plan/quantisation.h. Weights that are read and results that are stored are rounded to their type
    // in the plan (bf16, fp16), to ten significant bits in tf32, to sixteen in fp32. The last two are coarser than the
    // effect of any summation order, so that rare ReLUs or maxima that another order would switch are among those
    // switched here; values close to a ReLU's kink are moved to its other side, since rounding does not change signs or
    // the upper limit of six. Mean and deviation of a normalisation are rounded to twenty bits: kernels sum them in
    // Float32, which matters if the mean is many times the deviation, above all in gradients that are zero in exact
    // arithmetic, such as that of a bias before a normalisation (resnet56). The same applies to the terms that its
    // backward pass subtracts, dx = a (dy - sum(dy) / N - x^ sum(dy x^) / N): an error of these sums shifts a whole
    // channel and becomes all of such a gradient. A Float32 sum of N terms has an error of about log2(N) to N^(1/2)
    // half units (2^-24) of the sum of their magnitudes, depending on the order (N. J. Higham, Accuracy and Stability
    // of Numerical Algorithms, 2002, chapter 4): here those of batch normalisations are changed by 2^-20 of it, up or
    // down by channel.
    bool emulatePrecision = false;

    // With emulation: stochastic rounding with this seed instead of rounding to nearest. One rounding is a single
    // sample of the error, and that of few values (the gradient of two samples' logits) may by chance be many times
    // smaller than usual; seeds give more samples. The error is 2^(1/2) times as large.
    std::optional<std::uint64_t> roundingSeed;
};

[[nodiscard]] std::unique_ptr<Backend> makeReferenceBackend(const ReferenceOptions& options = {});

}  // namespace steelyard::compute
