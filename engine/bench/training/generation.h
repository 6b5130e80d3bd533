// SPDX-License-Identifier: Apache-2.0
// Text generation with a trained character network: character by character from a sliding window, as in the Keras
// example lstm_text_generation (2017). Each character is one timed inference at batch 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/data/text/text.h"

namespace steelyard::bench {

struct GenerationOptions {
    std::int64_t characters = 400;
    double temperature = 0.5;  // above 0; lower values favour likely characters
    std::uint64_t seed = 1;    // of the first window's position and of sampling
};

struct GeneratedText {
    std::string start;            // the first window, UTF-8
    std::string text;             // generated
    Summary secondsPerCharacter;  // writing the window, the step, reading the result
};

// `network` infers at batch 1 on windows of `text`, one-hot or as ids; otherwise InvalidArgument.
[[nodiscard]] Result<GeneratedText> generateText(compute::Executable& network, const data::CharacterText& text,
                                                 const GenerationOptions& options, const Clock& clock);

// Samples an index from the probabilities, raised to 1 / temperature and normalised; `uniform` in [0, 1).
[[nodiscard]] std::int32_t sampleCharacter(std::span<const float> probabilities, double temperature, double uniform);

}  // namespace steelyard::bench
