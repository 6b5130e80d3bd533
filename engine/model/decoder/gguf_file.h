// SPDX-License-Identifier: Apache-2.0
// The header of a GGUF file (versions 2 and 3, little-endian): its facts and the list of its tensors. Made for files of
// strangers: every count is compared with the bytes that are left before anything is reserved, lengths are bounded, the
// reading goes forward only. The weights themselves are not read. Format: docs/gguf.md of ggml. Functions without
// state; any thread. Errors: CorruptData with the byte offset; Unsupported for another architecture or type of tensor;
// InvalidArgument for what is not a regular file.
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
    std::uint64_t offset = 0;  // from the beginning of the data

    [[nodiscard]] double bytes() const;
};

struct GgufArray {
    std::uint64_t length = 0;
    std::vector<double> numbers;  // the elements of a short array of numbers
};
using GgufValue = std::variant<std::int64_t, double, bool, std::string, GgufArray>;

struct GgufHeader {
    std::uint32_t version = 0;
    std::map<std::string, GgufValue, std::less<>> values;
    std::vector<GgufTensor> tensors;
    bool hasData = true;          // false: the file ends with its header
    std::uint64_t dataStart = 0;  // where in the file the offsets of its tensors begin

    [[nodiscard]] const GgufTensor* findTensor(std::string_view name) const;
};

// Where the bytes come from: fills as much of the target as there is from `offset`, at least 1 unless the source ends.
using GgufSource = std::function<Result<std::size_t>(std::uint64_t offset, std::span<char> target)>;
[[nodiscard]] Result<GgufHeader> readGgufHeader(const std::string& name, std::uint64_t size, const GgufSource& source);
[[nodiscard]] Result<GgufHeader> readGgufHeader(const std::filesystem::path& file);
[[nodiscard]] Result<GgufHeader> ggufHeaderFromBytes(const std::string& name, std::string_view bytes);

// Architectures llama (with Mistral and Mixtral), qwen2, qwen2moe, qwen3, qwen3moe, gemma2, gemma3, phi3, gpt-oss,
// deepseek2, olmo2, smollm3 and gpt2. `name` is what errors speak of.
[[nodiscard]] Result<DecoderSpec> decoderFromGguf(const std::string& name, const GgufHeader& header);

// The architecture under which GGUF files have a family: "qwen3_moe" is "qwen3moe". Empty: none.
[[nodiscard]] std::string_view ggufArchitecture(std::string_view family);

struct GgufWeights {
    double total = 0, readPerToken = 0, expertsPerToken = 0;  // as WeightBytes
    std::string scheme;  // of --weights, from general.file_type; empty: another one
};
[[nodiscard]] GgufWeights weightsOf(const GgufHeader& header, const DecoderSpec& spec);

}  // namespace steelyard::model
