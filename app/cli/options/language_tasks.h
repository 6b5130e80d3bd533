// SPDX-License-Identifier: Apache-2.0
// Language models among the workloads of `run`: the options that select what to measure become part of the workload
// name (engine/model/decoder/language_workload.h). One thread.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_context.h"
#include "engine/model/decoder/language_workload.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

struct LanguageTaskOptions {
    std::string contexts, prompts, tokens;  // comma-separated numbers
    std::string caches;                     // comma-separated types
};
// --context, --prompt, --tokens and --cache. --mode and --weights are added by the command.
void addLanguageTaskOptions(CLI::App& command, LanguageTaskOptions& options);

struct LanguageNames {
    std::vector<std::string> workloads;  // language models expanded to all combinations, others unchanged
    bool any = false;                    // at least one language model
};
// A name with parentheses is unchanged. `tasks` empty: decode. Errors: InvalidArgument for options of language models
// without such a model, NotFound for an unknown model.
[[nodiscard]] Result<LanguageNames> withLanguageTasks(const std::vector<std::string>& workloads,
                                                      const std::vector<model::LanguageTask>& tasks,
                                                      const std::string& weights, const LanguageTaskOptions& options,
                                                      const CommandContext& context);

}  // namespace steelyard::cli
