// SPDX-License-Identifier: Apache-2.0
// The naive backend every other backend is compared with. Every tensor of the plan has a buffer of its own, operations
// run one by one in the plan's order, nothing is fused, and sums are taken in double. It is kept for ever and is not
// meant to be timed; it is quick enough to check a batch of a few samples. CompileOptions::threads share the matrix
// products; results do not depend on it. Unlike other executables its steps allocate.
//
// Everything a plan names can be read after a step, gradients and activations included. Class indices and token ids
// outside their range are refused by write (InvalidArgument). Running statistics and weights are zero until written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/compute/backend.h"

namespace steelyard::compute {

struct ReferenceOptions {
    // Off: plans of every precision are computed in Float32 with sums in double. On: what the plan's precision may do
    // to the result. Int8: plan/quantisation.h. Weights as they are read and what an operation stores are rounded to
    // the type the plan gives them (bf16, fp16), to ten significant bits in tf32, to sixteen in fp32. The last two are
    // coarser than any order of summation makes them, so that the rare ReLU or maximum that another order switches is
    // among those this one switches; what lies next to a ReLU's bend is put on its other side, since rounding changes
    // no sign and leaves at six what is cut off there. Mean and deviation of a normalisation are rounded to twenty:
    // kernels sum them in Float32, and where the mean is many times the deviation it shows, above all in gradients that
    // are zero in exact arithmetic, such as that of a bias before a normalisation (resnet56). So does what its backward
    // pass subtracts, dx = a (dy - sum(dy) / N - x^ sum(dy x^) / N): an error of those sums moves a whole channel one
    // way and becomes all of such a gradient. A sum of N terms in Float32 is known to about log2(N) to N^(1/2) half
    // units (2^-24) of the sum of their magnitudes, by the order it is taken in (N. J. Higham, Accuracy and Stability
    // of Numerical Algorithms, 2002, chapter 4): here those of batch normalisations are off by 2^-20 of it, up or down
    // by channel.
    bool emulatePrecision = false;

    // When emulating: what operations store is rounded at random by this seed, up or down, instead of to the nearest.
    // One rounding is one draw of the error, and the error of a few values (the gradient of two samples' logits) can be
    // many times smaller than usual by chance; seeds give more draws. The error is 2^(1/2) times as large.
    std::optional<std::uint64_t> roundingSeed;
};

[[nodiscard]] std::unique_ptr<Backend> makeReferenceBackend(const ReferenceOptions& options = {});

}  // namespace steelyard::compute
