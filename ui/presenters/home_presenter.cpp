// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/home_presenter.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

#include "engine/bench/record/disturbance.h"
#include "engine/bench/record/peak_fraction.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"

namespace steelyard::ui {
namespace {

bool hasRate(const bench::CaseRecord& record) {
    return record.status == bench::Status::Ok && bench::medianRate(record);
}

// Wrong results are not shown.
bool isShown(const bench::CaseRecord& record) {
    return hasRate(record) && record.verification.state != bench::VerificationState::Fail;
}

// FLOP/s at the median step, like the interval beside it; 0 if unknown.
double workRate(const bench::CaseRecord& record) {
    return isShown(record) ? record.flopsPerStep.value_or(0) / record.stepSeconds->median : 0;
}

// Rank of a network among those whose speed says something to many people; others come last.
std::size_t rankOfFame(const bench::CaseRecord& record) {
    static constexpr std::string_view kKnown[] = {"resnet50",      "gpt2_small_decode", "gpt2_small",
                                                  "bert_base_128", "vit_b16",           "bert_base_384",
                                                  "resnet18",      "resnet101",         "mobilenet_v2"};
    const std::string_view id = record.spec.workload;
    return static_cast<std::size_t>(std::ranges::find(kKnown, id.substr(0, id.find('('))) - std::begin(kKnown));
}

// Index of the most telling case among those wanted: undisturbed, of a known network, with the most work per step.
template <class Wanted>
std::optional<std::size_t> heaviest(const bench::RunRecord& run, const Wanted& wanted) {
    const auto orderOf = [](const bench::CaseRecord& record) {
        return std::tuple(bench::wasDisturbed(record), rankOfFame(record), -record.flopsPerStep.value_or(0),
                          -bench::medianRate(record).value_or(0));
    };
    std::optional<std::size_t> best;
    for (std::size_t position = 0; position < run.records.size(); ++position) {
        const auto& record = run.records[position];
        if (!isShown(record) || !wanted(record)) continue;
        if (!best || orderOf(record) < orderOf(run.records[*best])) best = position;
    }
    return best;
}

std::optional<std::size_t> heaviestNetwork(const bench::RunRecord& run, plan::Mode mode) {
    return heaviest(run, [mode](const auto& record) { return countsSamples(record) && record.spec.mode == mode; });
}

// The same case on the CPU, for the ratio.
const bench::CaseRecord* onCpu(const bench::RunRecord& run, const bench::CaseRecord& record) {
    for (const auto& other : run.records) {
        if (hasRate(other) && other.spec.device == "cpu" && other.spec.workload == record.spec.workload &&
            other.spec.mode == record.spec.mode && other.spec.batch == record.spec.batch &&
            other.spec.precision == record.spec.precision && other.throughput->unit == record.throughput->unit) {
            return &other;
        }
    }
    return nullptr;
}

KeyFigure rateFigure(const bench::RunRecord& run, std::size_t position, const WorkloadCatalogue& catalogue) {
    const auto& record = run.records[position];
    KeyFigure figure;
    figure.key = RecordsPresenter::keyOf(position);
    figure.label = HomePresenter::tr("%1 · %2").arg(StatusText::mode(record.spec.mode),
                                                    plain(catalogue.titleOf(record.spec.workload)));
    const double rate = *bench::medianRate(record);  // of an ok record
    figure.value = Format::number(rate);
    figure.unit =
        record.throughput->unit == "tokens/s" ? HomePresenter::tr("tokens/s") : HomePresenter::tr("samples/s");
    if (const auto interval = rateInterval(record, rate)) {
        figure.interval = HomePresenter::tr("95 % interval %1").arg(Format::range(interval->low, interval->high));
    }
    figure.where = QStringLiteral("%1, %2, %3")
                       .arg(StatusText::device(record.spec.device), plain(toString(record.spec.precision)),
                            HomePresenter::tr("batch %1").arg(Format::integer(record.spec.batch)));
    return figure;
}

}  // namespace

QString HomePresenter::verdict(const bench::RunRecord* run, const WorkloadCatalogue& catalogue) {
    if (!run) return tr("Nothing measured yet. Run the benchmark to learn how fast this computer trains.");
    auto position = heaviestNetwork(*run, plan::Mode::Train);
    if (!position) position = heaviestNetwork(*run, plan::Mode::Infer);
    if (!position) position = heaviest(*run, [](const auto&) { return true; });
    if (!position) return tr("No case of the last run finished. Resume it or run again.");
    const auto& record = run->records[*position];
    const auto title = plain(catalogue.titleOf(record.spec.workload));
    const auto speed = RecordsPresenter::headline(record);
    const auto device = StatusText::device(record.spec.device);
    if (!countsSamples(record)) return tr("%1 on your %2: %3.").arg(title, device, speed);
    const bool training = record.spec.mode == plan::Mode::Train;
    const auto* cpu = record.spec.device == "cpu" ? nullptr : onCpu(*run, record);
    if (!cpu || *bench::medianRate(*cpu) <= 0) {
        return training ? tr("Your %1 trains %2 at %3.").arg(device, title, speed)
                        : tr("Your %1 runs %2 at %3.").arg(device, title, speed);
    }
    const auto ratio = Format::number(*bench::medianRate(record) / *bench::medianRate(*cpu));
    return training ? tr("Your %1 trains %2 at %3: %4 times the CPU, which reaches %5.")
                          .arg(device, title, speed, ratio, RecordsPresenter::headline(*cpu))
                    : tr("Your %1 runs %2 at %3: %4 times the CPU, which reaches %5.")
                          .arg(device, title, speed, ratio, RecordsPresenter::headline(*cpu));
}

std::vector<KeyFigure> HomePresenter::keyFigures(const bench::RunRecord& run, const WorkloadCatalogue& catalogue) {
    std::vector<KeyFigure> figures;
    for (const auto mode : plan::kModes) {
        if (const auto position = heaviestNetwork(run, mode)) figures.push_back(rateFigure(run, *position, catalogue));
    }
    std::optional<std::size_t> best;
    double rate = 0;
    for (std::size_t position = 0; position < run.records.size(); ++position) {
        const auto here = workRate(run.records[position]);
        if (here <= rate) continue;
        best = position;
        rate = here;
    }
    if (!best) return figures;
    const auto& record = run.records[*best];
    const auto scaled = Format::flopRateUnit(rate);
    KeyFigure figure;
    figure.key = RecordsPresenter::keyOf(*best);
    figure.label = tr("Peak throughput reached");
    figure.value = Format::number(rate / scaled.divisor);
    figure.unit = scaled.unit;
    if (const auto interval = rateInterval(record, rate / scaled.divisor)) {
        figure.interval = tr("95 % interval %1").arg(Format::range(interval->low, interval->high));
    }
    figure.where = QStringLiteral("%1, %2").arg(plain(catalogue.titleOf(record.spec.workload)),
                                                StatusText::device(record.spec.device));
    figures.push_back(std::move(figure));
    return figures;
}

QString HomePresenter::markdown(const bench::RunRecord& run, const WorkloadCatalogue& catalogue,
                                const QString& computer) {
    auto text = QStringLiteral("**%1**\n\n").arg(verdict(&run, catalogue));
    for (const auto& figure : keyFigures(run, catalogue)) {
        text += QStringLiteral("- %1: %2 %3").arg(figure.label, figure.value, figure.unit);
        if (!figure.interval.isEmpty()) text += QStringLiteral(" (%1)").arg(figure.interval);
        text += QStringLiteral("; %1\n").arg(figure.where);
    }
    const auto caution = DisturbancePresenter::banner(run);
    if (!caution.isEmpty()) text += QStringLiteral("\n_%1_\n").arg(caution);
    QStringList origin{runLine(run)};
    if (!computer.isEmpty()) origin << computer;
    return text + QStringLiteral("\nSteelyard · %1\n").arg(origin.join(QStringLiteral(" · ")));
}

QString HomePresenter::runLine(const bench::RunRecord& run) {
    return tr("%1, %2, %n case(s)", nullptr, static_cast<int>(run.records.size()))
        .arg(StatusText::suite(run.suite), Format::dateTime(run.startedUnixMs));
}

QString HomePresenter::runButton(const SuiteOption* suite) {
    if (!suite || suite->caseCount == 0) return tr("Run benchmark");
    const int count = static_cast<int>(suite->caseCount);
    if (!suite->estimateSeconds) return tr("Run benchmark (%n case(s))", nullptr, count);
    return tr("Run benchmark (%n case(s), about %1)", nullptr, count).arg(Format::duration(*suite->estimateSeconds));
}

}  // namespace steelyard::ui
