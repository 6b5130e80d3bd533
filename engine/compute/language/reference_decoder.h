// SPDX-License-Identifier: Apache-2.0
// The decoder written down: weights de-quantised exactly, every product summed in double, activations and the cache in
// float32, one loop after the other. It is what fast decoders are compared with, so it stays naive.
#pragma once

#include <memory>

#include "engine/compute/language/decoder_weights.h"
#include "engine/compute/language/language_decoder.h"

namespace steelyard::compute {

[[nodiscard]] std::unique_ptr<LanguageDecoder> makeReferenceDecoder(DecoderWeights weights, std::int64_t context);

}  // namespace steelyard::compute
