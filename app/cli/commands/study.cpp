// SPDX-License-Identifier: Apache-2.0
// study: ranks the platforms of a published table by time and cost.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "app/cli/commands/commands.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/advisor/study/study.h"
#include "engine/core/csv.h"
#include "engine/core/messages/app.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::Study;
using advisor::StudyOptions;
using advisor::StudyReport;

struct StudyArguments {
    std::string file, baseline;
    double timeWeight = 1;
    std::vector<std::string> multipliers;
    bool json = false;
};

// A shipped study by name, otherwise a file.
Result<Study> open(const CommandContext& context, const std::string& name) {
    for (const auto& file : advisor::studyFiles(context.resources / "studies"))
        if (file.stem() == name) return advisor::loadStudy(file);
    return advisor::loadStudy(name);
}

// "8 vCPU=5"
Result<void> addMultiplier(const std::string& text, StudyOptions& options) {
    const auto equals = text.rfind('=');
    const auto factor = equals == std::string::npos ? std::nullopt : numberFromText(text.substr(equals + 1));
    if (!factor || *factor <= 0)
        return fail(ErrorKind::InvalidArgument, "--price-multiplier", app::messages::notAMultiplier(text));
    options.priceMultipliers[std::string(trimmed(text.substr(0, equals)))] = *factor;
    return {};
}

void printWorkload(std::ostream& out, const advisor::WorkloadStudy& study) {
    const auto name = [&](std::size_t index) { return study.cells[index].configuration.name(); };
    fmt::print(out, "\n{}: cheapest {}, fastest {}, winner {}\n", study.workload, name(study.cheapest),
               name(study.fastest), name(study.winner));
    TextTable table({{"configuration"},
                     {"epoch", true},
                     {"USD/epoch", true},
                     {"time", true},
                     {"cost", true},
                     {"break-even price x", true},
                     {"Pareto"}});
    for (const auto& cell : study.cells) {
        const auto relative = [&](double value) { return study.baseline ? fmt::format("{:.4f}", value) : "-"; };
        table.add({cell.configuration.name(), formatSeconds(Seconds(cell.epochSeconds)),
                   fmt::format("{:.6f}", cell.usdPerEpoch), relative(cell.relativeTime), relative(cell.relativeCost),
                   study.baseline ? fmt::format("{:.3g}", cell.breakEvenMultiplier) : "-", cell.onPareto ? "yes" : ""});
    }
    table.print(out);
}

const char* verdictText(advisor::VariantVerdict verdict) {
    switch (verdict) {
        case advisor::VariantVerdict::Pays:
            return "worth it";
        case advisor::VariantVerdict::Costs:
            return "costs time";
        case advisor::VariantVerdict::Undecided:
            return "unclear";
    }
    return "unclear";
}

void print(std::ostream& out, const Study& study, const StudyReport& report, const StudyOptions& options) {
    for (const auto& text : {study.title, study.source, study.link, study.date, study.notes})
        if (!text.empty()) fmt::print(out, "{}\n", text);
    out << "Published measurements; time and cost are relative to the baseline.\n";
    for (const auto& workload : report.workloads) printWorkload(out, workload);
    if (report.winner)
        fmt::print(out, "\nBest overall, at time weight {:g}: {}\n", options.timeWeight, report.winner->name());
    for (const auto& range : report.overall)
        fmt::print(out, "  from a time weight of {:.3f}: {}\n", range.from, range.winner.name());
    if (!report.variants.empty()) out << "\nIs it worth it?\n";
    for (const auto& v : report.variants)
        fmt::print(out, "  {} {} against {}: median speedup {:.2f}x, faster in {} of {}: {}\n", v.platform, v.variant,
                   v.against, v.medianSpeedUp, v.faster, v.workloads, verdictText(v.verdict));
}

void study(CommandContext& context, const StudyArguments& arguments) {
    StudyOptions options{.timeWeight = arguments.timeWeight, .baseline = arguments.baseline};
    for (const auto& text : arguments.multipliers)
        if (const auto ok = addMultiplier(text, options); !ok) return context.report(ok.error());
    const auto table = open(context, arguments.file);
    if (!table) return context.report(table.error());
    const auto report = advisor::weigh(*table, options);
    if (!report) return context.report(report.error());
    if (arguments.json) {
        context.out << advisor::studyJson(*table, *report, options) << "\n";
    } else {
        print(context.out, *table, *report, options);
    }
}

}  // namespace

void addStudy(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("study", "Compare the platforms of a published table by time and cost");
    auto arguments = std::make_shared<StudyArguments>();
    command->footer("FILE.csv has the columns workload, platform, variant, epoch_seconds, price_usd_per_hour.");
    command->add_option("file", arguments->file, "CSV file, or the name of a study (see list studies)")->required();
    command->add_option("--time-weight", arguments->timeWeight, "Weight of time against cost; 0 = cost only")
        ->check(notNegative)
        ->capture_default_str();
    command
        ->add_option("--price-multiplier", arguments->multipliers,
                     "Multiply the price of a platform, e.g. platform=5; repeatable")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--baseline", arguments->baseline, "Platform to compare with (default: the first)");
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { study(context, *arguments); });
}

}  // namespace steelyard::cli
