// SPDX-License-Identifier: Apache-2.0
// backtest: prediction error on published speeds that the predictor was not fitted to.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/commands/commands.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/evidence/scaling_evidence.h"
#include "engine/advisor/language/language_json.h"
#include "engine/advisor/rank/advice_json.h"

namespace steelyard::cli {
namespace {

std::string percent(const std::optional<double>& fraction) {
    return fraction ? fmt::format("{:.1f} %", 100 * *fraction) : "-";
}

void printSummaries(std::ostream& out, const char* heading, const std::vector<advisor::ErrorSummary>& summaries,
                    bool withTargets) {
    fmt::print(out, "\n{}\n", heading);
    std::vector<TextColumn> columns{{""},
                                    {"rows", true},
                                    {"median error", true},
                                    {"mean", true},
                                    {"90th pct", true},
                                    {"in the 80 % interval", true},
                                    {"fitted without it", true}};
    if (withTargets) columns.insert(columns.end(), {{"target median", true}, {"target 90th", true}});
    TextTable table(columns);
    for (const auto& s : summaries) {
        std::vector<std::string> cells{
            s.name,         std::to_string(s.rows), percent(s.median),        percent(s.mean),
            percent(s.p90), percent(s.coverage),    percent(s.coverageUnseen)};
        if (withTargets) cells.insert(cells.end(), {percent(s.targetMedian), percent(s.targetP90)});
        table.add(std::move(cells));
    }
    table.print(out);
}

void print(std::ostream& out, const advisor::BacktestReport& report) {
    fmt::print(out,
               "Prediction error, |predicted / measured - 1|, on published speeds. Each row is predicted by a fit\n"
               "that excludes its chip, or its family of networks; rows transferred from another device use the\n"
               "shipped constants. The intervals were fitted to these rows; the last column is for intervals fitted\n"
               "without the row's chip or family. Parameters from {}.\n",
               report.date);
    printSummaries(out, "By class", report.classes, true);
    printSummaries(out, "Transferred, fit without the chip", report.unseenTransfers, false);
    printSummaries(out, "Each chip left out", report.chips, false);
    printSummaries(out, "Each family of networks left out", report.families, false);
    if (report.rankedPairs > 0)
        fmt::print(
            out,
            "\nFor pairs of devices more than 25 % apart, the faster one was predicted in {} of {} cases ({:.1f} %).\n",
            report.rankedRight, report.rankedPairs,
            100 * static_cast<double>(report.rankedRight) / static_cast<double>(report.rankedPairs));
    fmt::print(out, "Faster than the roofline bound: {} predictions, {} measurements.\n", report.predictedBelowBound,
               report.measuredBelowBound);
}

void printLanguage(std::ostream& out, const advisor::LanguageParameters& parameters,
                   const advisor::LanguageBacktest& report) {
    fmt::print(
        out,
        "Error of the predicted tokens per second, |predicted / measured - 1|, on published speeds of language\n"
        "models. \"fitted\": shipped constants, which were fitted to these rows; \"device_left_out\": constants\n"
        "fitted without the row's device. Parameters from {}.\n\n",
        parameters.date);
    TextTable table({{""},
                     {"rows", true},
                     {"median error", true},
                     {"mean", true},
                     {"90th pct", true},
                     {"in the 80 % interval", true}});
    for (const auto& s : report.classes)
        table.add({s.name, std::to_string(s.rows), percent(s.median), percent(s.mean), percent(s.p90),
                   percent(s.coverage ? s.coverage : s.coverageUnseen)});
    table.print(out);
    fmt::print(
        out,
        "\nFor pairs of devices more than 25 % apart, the faster one was predicted in {} of {} cases ({:.1f} %).\n",
        report.rankedRight, report.rankedPairs,
        100 * static_cast<double>(report.rankedRight) /
            static_cast<double>(std::max<std::size_t>(report.rankedPairs, 1)));
    fmt::print(out, "Faster than the device's peak rates allow: {} predictions.\n", report.predictedAboveRoof);
}

Result<void> backtestLanguage(CommandContext& context, bool json) {
    ASSIGN(const auto parameters, advisor::loadLanguageParameters(context.resources));
    ASSIGN(const auto rows, advisor::loadLanguageRows(context.resources));
    const auto report = advisor::languageBacktest(parameters, rows);
    if (json) {
        context.out << advisor::languageBacktestJson(parameters, report) << "\n";
    } else {
        printLanguage(context.out, parameters, report);
    }
    return {};
}

void printScaling(std::ostream& out, const advisor::ScalingBacktest& report) {
    fmt::print(
        out,
        "Efficiency of data-parallel training on several devices (weak scaling), predicted from link bandwidths,\n"
        "against published throughputs. Each row is predicted by a fit without its source; the interval covers\n"
        "90 % of the sources. The error is |predicted / measured - 1| of the efficiency.\n\n");
    TextTable table({{"source left out"}, {"rows", true}, {"in the interval", true}, {"median error", true}});
    for (const auto& errors : report.sources)
        table.add(
            {errors.source, std::to_string(errors.rows), std::to_string(errors.inBand), percent(errors.medianError)});
    table.print(out);
    fmt::print(out, "\n{} of {} rows are in the interval ({}); median error {}.\n", report.inBand, report.rows,
               percent(static_cast<double>(report.inBand) / static_cast<double>(report.rows)),
               percent(report.medianError));
}

Result<void> backtestScaling(CommandContext& context, bool json) {
    ASSIGN(const auto rows, advisor::loadPublishedScaling(context.resources));
    ASSIGN(const auto report, advisor::scalingBacktest(rows));
    if (json) {
        context.out << advisor::scalingBacktestJson(report) << "\n";
    } else {
        printScaling(context.out, report);
    }
    return {};
}

}  // namespace

void addBacktest(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("backtest", "Show the prediction error on published measurements");
    auto json = std::make_shared<bool>(false);
    auto family = std::make_shared<std::string>("networks");
    command->add_option("--family", *family, "Predictions to check: networks, language_models or scaling")
        ->check(CLI::IsMember({"networks", "language_models", "scaling"}))
        ->capture_default_str();
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&context, json, family] {
        if (*family == "language_models") {
            if (const auto done = backtestLanguage(context, *json); !done) context.report(done.error());
            return;
        }
        if (*family == "scaling") {
            if (const auto done = backtestScaling(context, *json); !done) context.report(done.error());
            return;
        }
        const auto data = advisorData(context);
        if (!data) return context.report(data.error());
        const auto report = advisor::shippedBacktest(context.resources, data->parameters);
        if (!report) return context.report(report.error());
        if (*json) {
            context.out << advisor::backtestJson(*report) << "\n";
        } else {
            print(context.out, *report);
        }
    });
}

}  // namespace steelyard::cli
