// SPDX-License-Identifier: Apache-2.0
// Reads a specification from the config.json of a Hugging Face model: llama, mistral, mixtral, qwen2, qwen2_moe, qwen3,
// qwen3_moe, gemma2, gemma3 (and its text part), phi3, gpt_oss, deepseek_v2, deepseek_v3, olmo2, smollm3 and gpt2, with
// the defaults of transformers' configuration classes. Errors: Unsupported for another model_type; InvalidArgument for
// an unsupported member that would change shapes. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/decoder/decoder_spec.h"

namespace steelyard::model {

struct ConfigFile {
    DecoderSpec spec;
    std::vector<std::string> unread;  // members that were ignored and are not known to be irrelevant
};
[[nodiscard]] Result<ConfigFile> decoderFromConfig(std::string_view name, std::string_view text);
[[nodiscard]] std::vector<std::string_view> configFamilies();

}  // namespace steelyard::model
