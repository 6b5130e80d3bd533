// SPDX-License-Identifier: Apache-2.0
// Language models among the workloads of `run`: the options that say what is measured of them become part of their
// names (engine/model/decoder/language_workload.h). One thread.
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
    std::string contexts, prompts, tokens;  // lists of numbers
};
// --context, --prompt and --tokens. --mode and --weights are added by the command.
void addLanguageTaskOptions(CLI::App& command, LanguageTaskOptions& options);

struct LanguageNames {
    std::vector<std::string> workloads;  // each language model in every combination, the others as they were
    bool any = false;                    // there is one
};
// A name with parentheses stays as it is. InvalidArgument: options of language models, and no such model; NotFound: a
// model that does not exist. `tasks` empty: decode.
[[nodiscard]] Result<LanguageNames> withLanguageTasks(const std::vector<std::string>& workloads,
                                                      const std::vector<model::LanguageTask>& tasks,
                                                      const std::string& weights, const LanguageTaskOptions& options,
                                                      const CommandContext& context);

}  // namespace steelyard::cli
