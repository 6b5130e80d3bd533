// SPDX-License-Identifier: Apache-2.0
// report: writes stored runs as a document, with recommended hardware for the same jobs.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "app/cli/commands/advise/serving.h"
#include "app/cli/commands/advise/tuning.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/advice_inputs.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/advisor/rank/headline.h"
#include "engine/bench/check/machine_check.h"
#include "engine/core/messages/app.h"
#include "engine/core/messages/report.h"
#include "engine/core/version.h"
#include "engine/history/history_store.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/resolve.h"
#include "engine/model/workload_title.h"
#include "engine/report/advice_tables.h"
#include "engine/report/report_writer.h"

namespace steelyard::cli {
namespace {

struct ReportArguments {
    std::vector<std::string> runs;
    std::string file;
    AdviceArguments advice;
    ServingArguments serving;
    TuningAdviceArguments tuning;
    std::optional<std::string> database;
    bool noAdvice = false;
};

constexpr std::size_t kAdvisedJobs = 3;
constexpr std::size_t kOffers = 15, kBars = 10;

Result<std::vector<bench::RunRecord>> namedRuns(const CommandContext& context, const ReportArguments& arguments,
                                                bench::Variance& betweenRuns) {
    const auto file = context.historyFile(arguments.database);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return fail(ErrorKind::NotFound, file.string(), app::messages::noRunsYet());
    ASSIGN(const auto store, history::HistoryStore::open(file, {.create = false}));
    std::vector<bench::RunRecord> runs;
    for (const auto& id : arguments.runs) {
        ASSIGN(auto run, store->run(id));
        runs.push_back(std::move(run));
    }
    if (runs.size() > 1) {
        ASSIGN(betweenRuns, store->spreadBetweenRuns(runs.front().computer));
    }
    return runs;
}

// What was trained in the runs and has a data set whose size is known: as it is usually trained.
std::vector<JobArguments> trainedJobs(const std::vector<bench::RunRecord>& runs) {
    std::vector<JobArguments> jobs;
    for (const auto& run : runs) {
        for (const auto& record : run.records) {
            const auto& spec = record.spec;
            if (record.status != bench::Status::Ok || spec.mode != plan::Mode::Train || jobs.size() == kAdvisedJobs)
                continue;
            if (std::ranges::find(jobs, spec.workload, &JobArguments::workload) != jobs.end()) continue;
            const auto workload = model::resolveWorkload(spec.workload);
            if (workload && workload->trainSamples > 0)
                jobs.push_back({spec.workload, std::string(toString(spec.mode))});
        }
    }
    return jobs;
}

// Serving, chatting with, or fine-tuning a language model.
Result<void> addLanguageAdvice(CommandContext& context, const ReportArguments& arguments,
                               report::ReportOptions& options) {
    ASSIGN(const auto choice, languageChoice(context, arguments.advice, arguments.serving, arguments.tuning));
    options.texts.money = choice.common.money;
    report::ReportTable table;
    report::ReportChart chart;
    if (arguments.serving.job == "finetune") {
        ASSIGN(const auto answer, tuningAnswer(context, arguments.tuning, choice));
        table = tuningTable(answer, kOffers, choice.common.money);
        chart = tuningChart(answer, kBars, choice.common.money);
        options.adviceJson.push_back(answer.json);
    } else {
        auto serving = arguments.serving;
        serving.language.weights = arguments.advice.job.onnx.weights;
        ASSIGN(const auto answer, servingAnswer(context, serving, choice.common));
        table = servingTable(answer, kOffers, choice.common.money);
        chart = servingChart(answer, kBars, choice.common.money);
        options.adviceJson.push_back(advisor::servingJson(answer.request, answer.advice));
    }
    if (const auto rate = rateText(choice.common.money); !rate.empty()) table.note += " " + rate;
    options.advice.push_back(std::move(table));
    if (!chart.bars.empty()) options.adviceCharts.push_back(std::move(chart));
    return {};
}

Result<void> addAdvice(CommandContext& context, const ReportArguments& arguments,
                       const std::vector<bench::RunRecord>& runs, report::ReportOptions& options) {
    ASSIGN(const auto data, advisorData(context));
    ASSIGN(auto references, storedReferences(context, data, arguments.database));
    const auto predictor = advisor::makePredictor(data, std::move(references));
    const bool isNamed = !arguments.advice.job.workload.empty();
    std::vector<report::AdvisedJob> advised;
    for (const auto& job : isNamed ? std::vector{arguments.advice.job} : trainedJobs(runs)) {
        auto order = arguments.advice;
        order.job = job;
        ASSIGN(auto asked, askedAdvice(context, order, data));
        ASSIGN(auto advice, advisor::advise(asked.request, data.catalog, predictor));
        options.adviceJson.push_back(advisor::adviceJson(asked.request, advice));
        auto headline = advisor::headline(asked.request, advice, data.catalog, asked.workload.title, asked.money);
        if (const auto rate = rateText(asked.money); !rate.empty()) headline += " " + rate;
        options.texts.money = asked.money;
        advised.push_back({std::move(asked.request), std::move(advice), std::move(headline)});
    }
    options.advice = report::adviceTables(advised, options.texts, [&](const advisor::Reason& reason) {
        return advisor::englishText(reason, options.texts.money);
    });
    options.adviceCharts = report::adviceCharts(advised, options.texts);
    if (advised.empty()) return {};
    ASSIGN(const auto backtest, advisor::shippedBacktest(context.resources, data.parameters));
    options.advice.push_back(report::backtestTable(backtest, options.texts));
    return {};
}

void write(CommandContext& context, const ReportArguments& arguments) {
    if (!report::formatOf(arguments.file))
        return context.report(
            {ErrorKind::InvalidArgument, arguments.file, report::messages::reportEnding(), {}, {}, {}});
    report::ReportOptions options;
    const auto decoders = model::loadDecoderTable(context.resources);
    options.texts.ofWorkload = [known = model::knownTitles(decoders ? &*decoders : nullptr)](std::string_view id) {
        return model::workloadTitle(id, known).text;
    };
    const bool namesModel = decoders && model::namesDecoder(*decoders, arguments.advice.job.workload);
    if (arguments.serving.job == "train" && (namesModel || arguments.tuning.given() != nullptr)) {
        if (namesModel)
            return context.report({ErrorKind::InvalidArgument, "--job", app::messages::languageJob(), {}, {}, {}});
        return context.report(
            {ErrorKind::InvalidArgument, arguments.tuning.given(), app::messages::needsFinetune(), {}, {}, {}});
    }
    if (arguments.serving.job != "train" && arguments.advice.job.workload.empty())
        return context.report({ErrorKind::InvalidArgument, "--workload", app::messages::jobNeedsModel(), {}, {}, {}});
    const auto runs = namedRuns(context, arguments, options.betweenRuns);
    if (!runs) return context.report(runs.error());
    options.stamp = {std::string(programVersion()), context.clock.unixMilliseconds()};
    // CSV has one row per case and no place for recommendations.
    if (!arguments.noAdvice && report::formatOf(arguments.file) != report::ReportFormat::Csv) {
        const bool ofLanguage = arguments.serving.job != "train";
        const auto ok =
            ofLanguage ? addLanguageAdvice(context, arguments, options) : addAdvice(context, arguments, *runs, options);
        if (!ok) return context.report(ok.error());
    }
    const auto check = bench::loadCheckReport(bench::checkFileBeside(context.historyFile(arguments.database)));
    if (check && !runs->empty() && check->computer == runs->front().computer)
        options.advice.push_back(report::checkTable(*check, options.texts));
    if (const auto ok = report::writeReport(arguments.file, *runs, options); !ok) return context.report(ok.error());
    fmt::print(context.err, "written to {}\n", arguments.file);
}

}  // namespace

void addReport(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("report", "Write stored runs as a document, with a hardware recommendation");
    auto arguments = std::make_shared<ReportArguments>();
    arguments->runs = {"latest"};
    command->add_option("--run", arguments->runs, "Run ids, comma separated; further runs are compared with the first")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    command->add_option("-o,--output", arguments->file, "Output file: .html, .md, .csv or .json")->required();
    command->add_option("--db", arguments->database, "History file");
    command->add_flag("--no-advice", arguments->noAdvice, "Omit the recommendation");
    addAdviceOptions(*command, arguments->advice);
    addServingOptions(*command, arguments->serving);
    addTuningAdviceOptions(*command, arguments->tuning);
    command->get_option("--weights")->description(weightsHelp(true));
    command->get_option("--workload")
        ->required(false)
        ->description("Job to recommend hardware for (default: the workloads of the runs, as published)");
    command->callback([&context, arguments] { write(context, *arguments); });
}

}  // namespace steelyard::cli
