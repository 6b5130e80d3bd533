// SPDX-License-Identifier: Apache-2.0
// A specification from the config.json of a Hugging Face model. Reads llama, mistral, mixtral, qwen2, qwen2_moe, qwen3,
// qwen3_moe, gemma2, gemma3 (and its text part), phi3, gpt_oss, deepseek_v2, deepseek_v3, olmo2, smollm3 and gpt2, with
// the defaults of transformers' configuration classes. Unsupported names another model_type; a member that would change
// the shape and is not understood is InvalidArgument, never guessed. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/decoder/decoder_spec.h"

namespace steelyard::model {

struct ConfigFile {
    DecoderSpec spec;
    std::vector<std::string> unread;  // names of members that were not used and are not known to be harmless
};
[[nodiscard]] Result<ConfigFile> decoderFromConfig(std::string_view name, std::string_view text);
[[nodiscard]] std::vector<std::string_view> configFamilies();

}  // namespace steelyard::model
