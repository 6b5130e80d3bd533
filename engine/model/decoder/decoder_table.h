// SPDX-License-Identifier: Apache-2.0
// The known language models, and how a name or a file becomes a specification:
//   llama_3_1_8b         an entry of resources/models/decoders.json; case, dots and hyphens do not matter
//   ./config.json        a Hugging Face configuration (whatever contains a slash, or ends in .json)
//   ./model.gguf         a GGUF file; only its header is read
// Loaded once; afterwards read-only, any thread. CorruptData names the place in the file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/decoder/decoder_spec.h"

namespace steelyard::model {

struct DecoderTable {
    std::vector<DecoderSpec> models;
    std::string collected;  // the day on which the table was put together

    [[nodiscard]] const DecoderSpec* find(std::string_view name) const;
};
[[nodiscard]] Result<DecoderTable> decoderTableFromJson(std::string_view name, std::string_view text);
// models/decoders.json of the resources.
[[nodiscard]] Result<DecoderTable> loadDecoderTable(const std::filesystem::path& resources);

// Every figure of a specification as one JSON object.
[[nodiscard]] std::string toJson(const DecoderSpec& spec, int indent = 2);

struct ResolvedDecoder {
    DecoderSpec spec;
    std::vector<std::string> unread;  // members of config.json that say nothing about size or speed, or are not known
    std::optional<double> fileWeightBytes;   // of a GGUF file: as its tensors are stored
    std::optional<double> fileReadPerToken;  // ... without an input embedding and without inactive experts
    std::optional<double> fileExpertsPerToken;
    std::string fileScheme;  // ... the mixture whose base most of its bytes have; empty: not one this program knows
};

// Whether a name is one of the table or of a file this reads: config.json, *.gguf, or JSON with a model_type.
[[nodiscard]] bool namesDecoder(const DecoderTable& table, const std::string& name);
// NotFound with the nearest name; errors of the readers.
[[nodiscard]] Result<ResolvedDecoder> resolveDecoder(const DecoderTable& table, const std::string& name);

}  // namespace steelyard::model
