// SPDX-License-Identifier: Apache-2.0
// The reference decoder: weights dequantised exactly, sums in double, activations and KV cache in float32, plain loops.
// Fast decoders are compared with it.
#pragma once

#include <memory>

#include "engine/compute/language/decoder_weights.h"
#include "engine/compute/language/language_decoder.h"

namespace steelyard::compute {

[[nodiscard]] std::unique_ptr<LanguageDecoder> makeReferenceDecoder(DecoderWeights weights, std::int64_t context);

}  // namespace steelyard::compute
