// SPDX-License-Identifier: Apache-2.0
// Shared by predict, advise, catalog and report: the catalogue with the user's entries, this computer's devices and
// measurements, and the options that describe a job. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_context.h"
#include "app/cli/options/onnx_options.h"
#include "app/cli/options/option_checks.h"
#include "engine/advisor/advisor_data.h"
#include "engine/advisor/language/language_anchors.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

// --workload W [--mode M --batch N --precision P], and the options for ONNX files
struct JobArguments {
    std::string workload, mode, precision;  // precision empty: fp32
    std::int64_t batch = 0;
    OnnxOptions onnx{};
};
// `withLanguageModels`: --mode also takes decode and prefill.
void addJobOptions(CLI::App& command, JobArguments& arguments, bool withLanguageModels = false);
// Modes of language models are refused, with the option.
[[nodiscard]] Result<void> checkMode(const JobArguments& arguments);
[[nodiscard]] Result<advisor::Job> jobOf(const JobArguments& arguments);

// "resnet50 train, batch 64, fp16"
[[nodiscard]] std::string jobText(const advisor::JobModel& job);

[[nodiscard]] Result<advisor::AdvisorData> advisorData(const CommandContext& context);
// $XDG_DATA_HOME/steelyard/catalog/user.json
[[nodiscard]] std::filesystem::path userCatalogFile(const CommandContext& context);
// Measurements of the stored runs. A missing history counts as empty and is not created. An unreadable one is an error
// if it was given with --db, otherwise a warning on err: predictions work without a history.
[[nodiscard]] Result<std::vector<advisor::Reference>> storedReferences(CommandContext& context,
                                                                       const advisor::AdvisorData& data,
                                                                       const std::optional<std::string>& database);
// Likewise, the measured speeds of language models.
[[nodiscard]] Result<std::vector<advisor::LanguageAnchor>> storedLanguageAnchors(
    CommandContext& context, const advisor::AdvisorData& data, const model::DecoderTable& models,
    const std::optional<std::string>& database);
// "2026-11-21"
[[nodiscard]] std::string today(const CommandContext& context);

// "12.3 ms to 45.6 ms"
[[nodiscard]] std::string bandText(const advisor::Interval& seconds);

}  // namespace steelyard::cli
