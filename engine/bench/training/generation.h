// SPDX-License-Identifier: Apache-2.0
// A trained character network writes a text: character by character, each from the window of the characters before it,
// as in the Keras example lstm_text_generation (2017). Each character is one inference at batch 1, and timed as such.
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
    double temperature = 0.5;  // above 0; below 1 the likely characters become likelier
    std::uint64_t seed = 1;    // chooses where in the text the first window lies, and every draw
};

struct GeneratedText {
    std::string start;            // the window it began with, UTF-8
    std::string text;             // what the network wrote
    Summary secondsPerCharacter;  // writing the window, the step, reading the answer
};

// `network` infers at batch 1 and takes the windows of `text`, one-hot or as ids. InvalidArgument when it does not.
[[nodiscard]] Result<GeneratedText> generateText(compute::Executable& network, const data::CharacterText& text,
                                                 const GenerationOptions& options, const Clock& clock);

// Draws an index: the probabilities are raised to 1 / temperature and scaled to a sum of 1; `uniform` in [0, 1)
// chooses.
[[nodiscard]] std::int32_t drawCharacter(std::span<const float> probabilities, double temperature, double uniform);

}  // namespace steelyard::bench
