// SPDX-License-Identifier: Apache-2.0
// What is measured of a language model, as the name of a workload:
//   llama_3_2_1b(mode=decode,weights=q4_0,context=4096)     a token behind so many in the cache
//   llama_3_2_1b(mode=prefill,weights=q8_0,prompt=512)      a prompt at once
//   qwen3_0_6b(mode=generate,weights=bf16,prompt=128,tokens=64)  a prompt, then tokens one by one
//   ./model.gguf(mode=decode,context=128)#1a2b3c4d          the weights of the user's own file; the hash is of the
//                                                           file's size and beginning, and optional
// With a name of the table or a config.json the weights are drawn. The id has every option, in this order. Whether the
// model exists is found out where it is opened. Functions without state; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

enum class LanguageTask { Prefill, Decode, Generate };
inline constexpr std::array kLanguageTasks{LanguageTask::Prefill, LanguageTask::Decode, LanguageTask::Generate};
[[nodiscard]] std::string_view toString(LanguageTask task);  // "prefill", "decode", "generate"
[[nodiscard]] std::optional<LanguageTask> languageTaskFromString(std::string_view name);

// Tokens; the context of a decoder is shorter than this in practice, and its memory is planned before anything runs.
inline constexpr std::int64_t kMostTokens = 1 << 24;

struct LanguageName {
    std::string model;  // "llama_3_2_1b", "./model.gguf"
    LanguageTask task = LanguageTask::Decode;
    std::string weights;         // scheme of drawn weights, "q4_0"; empty for a GGUF file
    std::int64_t context = 128;  // decode: tokens in the cache
    std::int64_t prompt = 128;   // prefill and generate
    std::int64_t tokens = 64;    // generate: at least 2
    std::string hash;            // of a GGUF file; empty: not known

    [[nodiscard]] bool isFile() const { return model.ends_with(".gguf"); }
    [[nodiscard]] std::int64_t tokensOfStep() const;  // what its throughput counts
    [[nodiscard]] std::int64_t positions() const;     // that the cache must hold
    [[nodiscard]] std::string id() const;

    friend bool operator==(const LanguageName&, const LanguageName&) = default;
};

// A GGUF file, or a name with mode=prefill, decode or generate in its parentheses.
[[nodiscard]] bool isLanguageName(std::string_view text);
// InvalidArgument for an option that does not exist or does not fit.
[[nodiscard]] Result<LanguageName> parseLanguageName(std::string_view text);
// Eight hexadecimal digits over the size and the first 64 KiB of a file.
[[nodiscard]] Result<std::string> ggufFileHash(const std::string& path);

// The name as a workload, of the family "language"; its graph cannot be built (Unsupported), because language models
// are not lowered to a Plan. A GGUF file is read for its hash; InvalidArgument where it is another one than the name's.
[[nodiscard]] Result<Workload> readLanguageWorkload(std::string_view text);

}  // namespace steelyard::model
