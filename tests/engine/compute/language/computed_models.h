// SPDX-License-Identifier: Apache-2.0
// Small models in tests/data/decoders/computed, with results computed by llama.cpp (make_computed.py).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/compute/language/decoder_weights.h"
#include "engine/compute/language/language_decoder.h"

namespace steelyard::compute {

inline const std::filesystem::path kComputed =
    std::filesystem::path(STEELYARD_SOURCE_DIR) / "tests/data/decoders/computed";

struct ComputedModel {
    std::vector<std::int32_t> tokens, generated;
    std::vector<float> logits;
};

inline ComputedModel computedModel(const std::string& name) {
    std::ifstream stream(kComputed / (name + ".json"));
    const auto document = nlohmann::json::parse(stream);
    return {document["tokens"], document["generated"], document["logits"]};
}

inline DecoderWeights weightsOf(const std::string& name, std::int64_t context = 128) {
    auto file = model::GgufWeightFile::open((kComputed / (name + ".gguf")).string()).value();
    return decoderWeights(std::move(file), context).value();
}

inline double relativeError(std::span<const float> values, std::span<const float> expected) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto difference = static_cast<double>(values[i]) - static_cast<double>(expected[i]);
        error += difference * difference;
        size += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    }
    return std::sqrt(error / size);
}

inline std::vector<std::int32_t> continuation(LanguageDecoder& decoder, std::span<const float> logits, int count) {
    std::vector<std::int32_t> tokens;
    while (static_cast<int>(tokens.size()) < count) {
        tokens.push_back(greedyToken(logits));
        logits = decoder.append({&tokens.back(), 1}).value();
    }
    return tokens;
}

}  // namespace steelyard::compute
