// SPDX-License-Identifier: Apache-2.0
// The measurement of a language model as a workload name:
//   llama_3_2_1b(mode=decode,weights=q4_0,context=4096)     one token after a context
//   llama_3_2_1b(mode=decode,weights=q4_0,context=4096,cache=q8_0)  the same with a KV cache in q8_0 instead of f16
//   llama_3_2_1b(mode=prefill,weights=q8_0,prompt=512)      a prompt in one pass
//   qwen3_0_6b(mode=generate,weights=bf16,prompt=128,tokens=64)  a prompt, then single tokens
//   ./model.gguf(mode=decode,context=128)#1a2b3c4d          weights of a file; the optional hash covers its size and
//                                                           beginning
// For names of the table and config.json, weights are random. Ids contain all options, in this order; cache=f16 is
// omitted. Whether the model exists is checked when it is opened. Stateless functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/decoder/decoder_spec.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

enum class LanguageTask { Prefill, Decode, Generate };
inline constexpr std::array kLanguageTasks{LanguageTask::Prefill, LanguageTask::Decode, LanguageTask::Generate};
[[nodiscard]] std::string_view toString(LanguageTask task);  // "prefill", "decode", "generate"
[[nodiscard]] std::optional<LanguageTask> languageTaskFromString(std::string_view name);

// Tokens; above any practical context, and bounds the memory planned before running.
inline constexpr std::int64_t kMostTokens = 1 << 24;

struct LanguageName {
    std::string model;  // "llama_3_2_1b", "./model.gguf"
    LanguageTask task = LanguageTask::Decode;
    std::string weights;         // scheme of drawn weights, "q4_0"; empty for a GGUF file
    std::int64_t context = 128;  // decode: tokens in the cache
    std::int64_t prompt = 128;   // prefill and generate
    std::int64_t tokens = 64;    // generate: at least 2
    CacheType cache = CacheType::F16;
    std::string hash;  // of a GGUF file; empty: unknown

    [[nodiscard]] bool isFile() const { return model.ends_with(".gguf"); }
    [[nodiscard]] std::int64_t tokensOfStep() const;  // counted by the throughput
    [[nodiscard]] std::int64_t positions() const;     // KV-cache size
    [[nodiscard]] std::string id() const;

    friend bool operator==(const LanguageName&, const LanguageName&) = default;
};

// A GGUF file, or a name with mode=prefill, decode or generate in parentheses.
[[nodiscard]] bool isLanguageName(std::string_view text);
// InvalidArgument for an unknown or inapplicable option.
[[nodiscard]] Result<LanguageName> parseLanguageName(std::string_view text);
// Eight hexadecimal digits over the size and the first 64 KiB of a file.
[[nodiscard]] Result<std::string> ggufFileHash(const std::string& path);

// The workload, of family "language"; its graph cannot be built (Unsupported), since language models are not lowered to
// a Plan. A GGUF file is read for its hash; InvalidArgument if it differs from the hash in the name.
[[nodiscard]] Result<Workload> readLanguageWorkload(std::string_view text);

}  // namespace steelyard::model
