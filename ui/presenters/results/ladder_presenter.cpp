// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/ladder_presenter.h"

#include <algorithm>

#include "engine/bench/record/disturbance.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

struct Rung {
    QString name;
    ChartPoint point;
};

bool isUsable(const bench::CaseRecord& record) {
    return record.status == bench::Status::Ok && record.stepSeconds && record.stepSeconds->median > 0 &&
           !bench::wasDisturbed(record);
}

bool isOf(const bench::CaseRecord& record, const LadderQuestion& question) {
    const auto& spec = record.spec;
    return isUsable(record) && spec.workload == question.workload && spec.mode == question.mode &&
           spec.precision == question.precision && spec.batch == question.batch && spec.device != "reference";
}

// Converts a time and its interval to a rate.
ChartPoint rateOf(double seconds, std::optional<ChartInterval> interval, double batch) {
    ChartPoint point;
    point.y = batch / seconds;
    if (interval && interval->low > 0) point.interval = ChartInterval{batch / interval->high, batch / interval->low};
    return point;
}

}  // namespace

const std::vector<std::string>& LadderPresenter::devices() {
    static const std::vector<std::string> ids{
        "b200_sxm",  "h100_sxm",   "a100_sxm_80", "v100_sxm2_16",  "l4",         "t4",        "k80_gk210",  "rtx5090",
        "rtx4090",   "rtx4070",    "rtx4060",     "rtx3090",       "rtx3060_12", "rtx2080ti", "gtx1080ti",  "rx7900xtx",
        "arc_b580",  "apple_m1_8", "apple_m3",    "apple_m4max40", "epyc_9654",  "epyc_7742", "xeon_8480p", "xeon_8380",
        "e5_2690v4", "graviton4",  "ryzen_7950x", "i9_14900k",     "i7_12700k",  "rpi5"};
    return ids;
}

std::vector<LadderQuestion> LadderPresenter::questions(const bench::RunRecord& run) {
    constexpr std::size_t kMost = 4;
    std::vector<const bench::CaseRecord*> usable;
    for (const auto& record : run.records)
        if (isUsable(record) && record.spec.device != "reference" && record.spec.part == bench::Part::Step &&
            record.flopsPerStep.value_or(0) > 0)
            usable.push_back(&record);
    const bool trains = std::any_of(usable.begin(), usable.end(),
                                    [](const auto* record) { return record->spec.mode == plan::Mode::Train; });
    std::stable_sort(usable.begin(), usable.end(),
                     [](const auto* a, const auto* b) { return *a->flopsPerStep > *b->flopsPerStep; });
    std::vector<LadderQuestion> questions;
    for (const auto* record : usable) {
        const auto& spec = record->spec;
        const LadderQuestion question{spec.workload, spec.mode, spec.precision, spec.batch};
        const bool isWanted = spec.mode == plan::Mode::Train || !trains;
        if (!isWanted || std::find(questions.begin(), questions.end(), question) != questions.end()) continue;
        if (questions.size() < kMost) questions.push_back(question);
    }
    return questions;
}

std::optional<LadderAnswer> LadderPresenter::best(std::vector<LadderAnswer> answers) {
    const auto limited = [](const LadderAnswer& answer) {
        return std::count_if(answer.targets.begin(), answer.targets.end(), [](const auto& target) {
            return !target.prediction.hasTime() || target.prediction.limit == advisor::Limit::Overhead;
        });
    };
    const auto found = std::min_element(answers.begin(), answers.end(),
                                        [&](const auto& a, const auto& b) { return limited(a) < limited(b); });
    if (found == answers.end()) return std::nullopt;
    return std::move(*found);
}

ChartSpec LadderPresenter::chart(const bench::RunRecord& run, const LadderAnswer& answer,
                                 const WorkloadCatalogue& catalogue) {
    const auto& question = answer.question;
    const auto batch = static_cast<double>(question.batch);
    std::vector<Rung> rungs;
    for (std::size_t position = 0; position < run.records.size(); ++position) {
        const auto& record = run.records[position];
        if (!isOf(record, question)) continue;
        const auto& step = *record.stepSeconds;
        const auto interval =
            step.ci95Low && step.ci95High ? std::optional(ChartInterval{*step.ci95Low, *step.ci95High}) : std::nullopt;
        auto point = rateOf(step.median, interval, batch);
        point.role = PointRole::Own;
        point.basis = run.origin == "imported" ? Basis::Imported : Basis::Measured;
        point.key = RecordsPresenter::keyOf(position);
        const auto name = record.deviceName.empty() ? StatusText::device(record.spec.device) : plain(record.deviceName);
        rungs.push_back({run.origin == "imported" ? name : tr("This computer: %1").arg(name), std::move(point)});
    }
    for (const auto& target : answer.targets) {
        const auto& prediction = target.prediction;
        if (!prediction.hasTime() || prediction.fits == advisor::Fits::No) continue;
        const auto& seconds = prediction.seconds;
        auto point = rateOf(seconds.median, ChartInterval{seconds.low, seconds.high}, batch);
        point.basis = Basis::Predicted;
        rungs.push_back({plain(target.name), std::move(point)});
    }
    std::stable_sort(rungs.begin(), rungs.end(), [](const Rung& a, const Rung& b) { return *a.point.y > *b.point.y; });
    ChartSpec chart;
    chart.kind = ChartKind::Dots;
    chart.rows = true;
    chart.title = tr("Where this computer stands");
    chart.subtitle = tr("%1, %2, batch %3, %4. Measured solid, estimates hollow with their 80 % interval.")
                         .arg(plain(catalogue.titleOf(question.workload)), StatusText::mode(question.mode),
                              Format::integer(question.batch), plain(toString(question.precision)));
    chart.emptyText = tr("No other device can be estimated for this run.");
    chart.y = {tr("Speed, more is better"), tr("samples/s"), ChartScale::Logarithmic, {}};
    chart.intervalName = tr("interval");
    ChartSeries series;
    series.name = StatusText::mode(question.mode);
    for (auto& rung : rungs) {
        chart.categories << rung.name;
        series.points.push_back(std::move(rung.point));
    }
    chart.series.push_back(std::move(series));
    return chart;
}

}  // namespace steelyard::ui
