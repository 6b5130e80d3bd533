// SPDX-License-Identifier: Apache-2.0
// The header of a GGUF file (versions 2 and 3, little-endian): metadata and tensor list. Safe for untrusted files:
// every count is checked against the remaining bytes before allocating, lengths are bounded, reading is forward-only.
// Weights are not read. Format: docs/gguf.md of ggml. Stateless functions; any thread. Errors: CorruptData with the
// byte offset; Unsupported for another architecture or tensor type; InvalidArgument if it is not a regular file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/model/decoder/decoder_spec.h"

namespace steelyard::model {

struct GgufTensor {
    std::string name;
    std::vector<std::int64_t> sizes;  // fastest first
    TensorType type = TensorType::F32;
    std::uint64_t offset = 0;  // from the start of the data

    [[nodiscard]] double bytes() const;
};

struct GgufArray {
    std::uint64_t length = 0;
    std::vector<double> numbers;  // elements of a short numeric array
};
using GgufValue = std::variant<std::int64_t, double, bool, std::string, GgufArray>;

struct GgufHeader {
    std::uint32_t version = 0;
    std::map<std::string, GgufValue, std::less<>> values;
    std::vector<GgufTensor> tensors;
    bool hasData = true;          // false: the file ends after its header
    std::uint64_t dataStart = 0;  // file offset to which tensor offsets are relative

    [[nodiscard]] const GgufTensor* findTensor(std::string_view name) const;
};

// Source of bytes: fills as much of the target as available from `offset`, at least 1 byte unless at the end.
using GgufSource = std::function<Result<std::size_t>(std::uint64_t offset, std::span<char> target)>;
[[nodiscard]] Result<GgufHeader> readGgufHeader(const std::string& name, std::uint64_t size, const GgufSource& source);
[[nodiscard]] Result<GgufHeader> readGgufHeader(const std::filesystem::path& file);
[[nodiscard]] Result<GgufHeader> ggufHeaderFromBytes(const std::string& name, std::string_view bytes);

// Architectures llama (with Mistral and Mixtral), qwen2, qwen2moe, qwen3, qwen3moe, gemma2, gemma3, phi3, gpt-oss,
// deepseek2, olmo2, smollm3 and gpt2. `name`: subject of errors.
[[nodiscard]] Result<DecoderSpec> decoderFromGguf(const std::string& name, const GgufHeader& header);

// The GGUF architecture name of a family: "qwen3_moe" is "qwen3moe". Empty: none.
[[nodiscard]] std::string_view ggufArchitecture(std::string_view family);

struct GgufWeights {
    double total = 0, readPerToken = 0, expertsPerToken = 0;  // as WeightBytes
    std::string scheme;  // as for --weights, from general.file_type; empty: unknown
};
[[nodiscard]] GgufWeights weightsOf(const GgufHeader& header, const DecoderSpec& spec);

}  // namespace steelyard::model
