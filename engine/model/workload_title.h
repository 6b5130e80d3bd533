// SPDX-License-Identifier: Apache-2.0
// What a workload is called in tables, charts and reports; made here only. A message, so that the window can translate
// the words in it. Pure functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/core/message.h"

namespace steelyard::model {

struct DecoderTable;

// The title of a network or language model by its name, and of a network file by its id or by the "#" and hash at the
// end of it; empty if unknown.
using KnownTitles = std::function<std::string(std::string_view name)>;

// The networks of the zoo and, if there is a table, its language models. The table must outlive the result.
[[nodiscard]] KnownTitles knownTitles(const DecoderTable* decoders);

// "ResNet-50", "Xception (size 96)", "Llama 3.2 1B decode (Q4_0, context 4096)"; for an unknown network file, the
// file's name, or its folder's if that is config.json: "llama (LoRA, tokens 512, rank 16)"; for any other unknown
// workload (an imported run), the id.
[[nodiscard]] Message workloadTitle(std::string_view id, const KnownTitles& known);

}  // namespace steelyard::model
