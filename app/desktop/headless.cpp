// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/headless.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "app/desktop/user_networks.h"
#include "engine/bench/check/machine_check.h"
#include "engine/core/messages/app.h"
#include "engine/core/version.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/history/history_store.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/zoo/zoo.h"
#include "ui/export/report_document.h"
#include "ui/presenters/report_presenter.h"
#include "ui/text/error_text.h"

namespace steelyard::desktop {
namespace {

constexpr int kBadInput = 2;

// Titles only: a report does not need to know what can run here.
ui::WorkloadCatalogue titles(const std::filesystem::path& networks, const std::filesystem::path& resources) {
    ui::WorkloadCatalogue catalogue;
    for (const auto& network : UserNetworks(networks).list()) {
        ui::WorkloadOption option;
        option.id = network.id;
        option.title = network.title;
        option.family = "own";
        catalogue.workloads.push_back(std::move(option));
    }
    if (const auto decoders = model::loadDecoderTable(resources))
        for (const auto& model : decoders->models) catalogue.languageModels.emplace(model.id, model.title);
    for (const auto& workload : model::workloads()) {
        ui::WorkloadOption option;
        option.id = workload.id;
        option.title = workload.title;
        option.family = workload.family;
        catalogue.workloads.push_back(std::move(option));
    }
    return catalogue;
}

Result<bench::RunRecord> storedRun(const HeadlessRequest& request) {
    if (!std::filesystem::exists(request.database))
        return fail(ErrorKind::NotFound, request.database.string(), app::messages::noRunStored());
    ASSIGN(auto store, history::HistoryStore::open(request.database, {.create = false}));
    return store->run(request.run.isEmpty() ? "latest" : request.run.toStdString());
}

struct Advised {
    std::optional<ui::AdviceAnswer> answer;
    std::optional<advisor::BacktestReport> backtest;
};

Result<Advised> advised(const bench::RunRecord& run, const HeadlessRequest& request, const Clock& clock) {
    const auto services = adviceServices(request.advice, clock);
    ASSIGN(const auto options, services.options());
    Advised result;
    const auto question = ui::ReportPresenter::questionAbout(run, options);
    if (!question) return result;  // no prediction is possible
    ui::AdviceSurroundings surroundings;
    if (auto profile = hardware::profileFromJson(run.profileJson)) surroundings.profile = std::move(*profile);
    surroundings.database = request.database.string();
    auto answer = services.answer(*question, surroundings);
    if (!answer) return Failure(answer.error());
    result.answer = std::move(*answer);
    auto backtest = services.backtest();
    if (!backtest) return Failure(backtest.error());
    result.backtest = std::move(*backtest);
    return result;
}

Result<int> exportAll(const HeadlessRequest& request, const Clock& clock) {
    const auto run = storedRun(request);
    if (!run) return Failure(run.error());
    const auto advice = advised(*run, request, clock);
    if (!advice) return Failure(advice.error());
    ui::ReportSources sources;
    sources.run = &*run;
    // As in the window: on paper they would fill more pages than all the rest.
    sources.rawSamples = !request.reportFile.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
    sources.advice = advice->answer ? &*advice->answer : nullptr;
    sources.backtest = advice->backtest ? &*advice->backtest : nullptr;
    const auto check = bench::loadCheckReport(bench::checkFileBeside(request.database));
    sources.check = check ? &*check : nullptr;
    const auto content =
        ui::ReportPresenter::content(sources, titles(request.advice.networks, request.advice.resources),
                                     {std::string(programVersion()), clock.unixMilliseconds()});
    if (!request.reportFile.isEmpty()) {
        TRY(ui::writeReportFile(content, request.reportFile));
    }
    if (request.chartsFolder.isEmpty()) return 0;
    return ui::writeCharts(content.charts, request.chartsFolder);
}

}  // namespace

bool isHeadless(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* argument) {
        const std::string_view text(argument);
        return text.starts_with("--export-report") || text.starts_with("--export-charts");
    });
}

int runHeadless(const HeadlessRequest& request, const Clock& clock, std::ostream& out, std::ostream& errors) {
    const auto charts = exportAll(request, clock);
    if (!charts) {
        errors << ui::ErrorText::full(charts.error()).toStdString() << "\n";
        return kBadInput;
    }
    if (!request.reportFile.isEmpty()) out << request.reportFile.toStdString() << "\n";
    if (*charts > 0) out << request.chartsFolder.toStdString() << ": " << *charts << "\n";
    return 0;
}

}  // namespace steelyard::desktop
