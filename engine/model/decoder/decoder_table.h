// SPDX-License-Identifier: Apache-2.0
// The known language models, and resolution of names and files to specifications:
//   llama_3_1_8b         an entry of resources/models/decoders.json; ignoring case, dots and hyphens
//   ./config.json        a Hugging Face configuration (any name with a slash, or ending in .json)
//   ./model.gguf         a GGUF file; only its header is read
// Loaded once, then read-only; any thread. CorruptData names the position in the file.
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
    std::string collected;  // date of the table

    [[nodiscard]] const DecoderSpec* find(std::string_view name) const;
};
[[nodiscard]] Result<DecoderTable> decoderTableFromJson(std::string_view name, std::string_view text);
// Reads models/decoders.json of the resources.
[[nodiscard]] Result<DecoderTable> loadDecoderTable(const std::filesystem::path& resources);

// All fields of a specification as a JSON object.
[[nodiscard]] std::string toJson(const DecoderSpec& spec, int indent = 2);

struct ResolvedDecoder {
    DecoderSpec spec;
    std::vector<std::string> unread;         // ignored members of config.json
    std::optional<double> fileWeightBytes;   // GGUF: total size of the tensors as stored
    std::optional<double> fileReadPerToken;  // GGUF: without input embedding and inactive experts
    std::optional<double> fileExpertsPerToken;
    std::string fileScheme;  // GGUF: scheme whose base type most bytes have; empty: unknown
};

// Whether a name refers to the table or a supported file: config.json, *.gguf, or JSON with a model_type.
[[nodiscard]] bool namesDecoder(const DecoderTable& table, const std::string& name);
// Errors: NotFound with the most similar name; those of the readers.
[[nodiscard]] Result<ResolvedDecoder> resolveDecoder(const DecoderTable& table, const std::string& name);

}  // namespace steelyard::model
