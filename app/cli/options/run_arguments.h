// SPDX-License-Identifier: Apache-2.0
// The command line of `run`, converted into a request for cases.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "app/cli/command_context.h"
#include "app/cli/options/language_tasks.h"
#include "app/cli/options/onnx_options.h"
#include "engine/bench/suite/run_request.h"

namespace steelyard::cli {

struct RunArguments {
    std::map<std::string_view, std::string> texts;  // option name to text (bench/suite/run_options.h)
    OnnxOptions onnx;
    LanguageTaskOptions language;
    bool precise = false;
    std::string events;
    int visits = 0;  // 0: the protocol's default
    bool noSave = false, json = false, noVerify = false, profile = false, sustained = false;
};

// Errors name the option.
[[nodiscard]] Result<bench::RunRequest> requestOf(const RunArguments& arguments, CommandContext& context);

}  // namespace steelyard::cli
