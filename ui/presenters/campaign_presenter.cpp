// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/campaign_presenter.h"

#include <algorithm>

#include "engine/campaign/comparison.h"
#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

using campaign::CandidateState;
using campaign::Engine;

constexpr double kSecondsOfHour = 3600;

TableCell seconds(const std::optional<campaign::Band>& band) {
    if (!band) return {Format::unknown()};
    return {Format::seconds(band->median),
            QStringLiteral("%1 – %2").arg(Format::seconds(band->low), Format::seconds(band->high)), band->median};
}

TableCell money(const std::optional<double>& usd) {
    return usd ? TableCell{Format::money(*usd), {}, usd} : TableCell{Format::unknown()};
}

ChartPoint pointOf(const std::optional<campaign::Band>& band, Basis basis, const campaign::Candidate& candidate,
                   const ScaledUnit& unit) {
    ChartPoint point;
    point.basis = basis;
    point.key = plain(candidate.id);
    if (!band) return point;
    point.y = band->median / unit.divisor;
    point.interval = ChartInterval{band->low / unit.divisor, band->high / unit.divisor};
    point.value = Format::seconds(band->median);
    if (basis == Basis::Measured && !candidate.reason.empty()) point.role = PointRole::Doubtful;
    return point;
}

std::optional<campaign::Band> predictedStep(const campaign::Candidate& candidate) {
    return candidate.forecast ? std::optional(candidate.forecast->stepSeconds) : std::nullopt;
}

}  // namespace

QString CampaignPresenter::name(Engine engine) {
    switch (engine) {
        case Engine::SkyPilot:
            return QStringLiteral("SkyPilot");
        case Engine::Slurm:
            return QStringLiteral("Slurm");
        case Engine::Kubernetes:
            return QStringLiteral("Kubernetes");
        case Engine::MpiJob:
            return QStringLiteral("MPIJob (Kubernetes)");
        case Engine::Mpirun:
            return QStringLiteral("mpirun");
        case Engine::Parallel:
            return QStringLiteral("GNU parallel (ssh)");
        case Engine::Local:
            break;
    }
    return tr("this computer");
}

QString CampaignPresenter::name(CandidateState state) {
    switch (state) {
        case CandidateState::Planned:
            return tr("planned");
        case CandidateState::Submitted:
            return tr("waiting");
        case CandidateState::Running:
            return tr("running");
        case CandidateState::Collected:
            return tr("measured");
        case CandidateState::Failed:
            return tr("failed");
        case CandidateState::GivenUp:
            break;
    }
    return tr("given up");
}

Tone CampaignPresenter::tone(const campaign::Candidate& candidate) {
    switch (candidate.state) {
        case CandidateState::Collected:
            return candidate.reason.empty() ? Tone::Good : Tone::Caution;
        case CandidateState::Failed:
        case CandidateState::GivenUp:
            return Tone::Bad;
        default:
            return Tone::Neutral;
    }
}

QString CampaignPresenter::title() const {
    const auto day = Format::date(m_campaign.createdUnixMs);
    if (!m_campaign.name.empty()) return plain(m_campaign.name);
    if (!m_campaign.question) return tr("Sweep, %1").arg(day);
    return QStringLiteral("%1, %2").arg(plain(m_catalogue.titleOf(m_campaign.question->workload)), day);
}

QString CampaignPresenter::job() const {
    const int machines = static_cast<int>(m_campaign.candidates.size());
    if (!m_campaign.question) return tr("%n chunk(s) of a sweep", nullptr, machines);
    const auto& question = *m_campaign.question;
    const auto mode = plan::modeFromString(question.mode).value_or(plan::Mode::Train);
    return tr("%1 · %2 · batch %3 · %4 · %n machine(s)", nullptr, machines)
        .arg(plain(m_catalogue.titleOf(question.workload)), StatusText::mode(mode), Format::integer(question.batch),
             plain(question.precision));
}

QString CampaignPresenter::state() const {
    switch (campaign::stateOf(m_campaign)) {
        case campaign::CampaignState::Planned:
            return tr("Not started yet");
        case campaign::CampaignState::Running:
            return tr("Running");
        case campaign::CampaignState::Done:
            break;
    }
    const auto measured =
        std::ranges::count(m_campaign.candidates, CandidateState::Collected, &campaign::Candidate::state);
    return tr("Ended: %1 of %2 measured")
        .arg(Format::integer(measured), Format::integer(static_cast<std::int64_t>(m_campaign.candidates.size())));
}

Tone CampaignPresenter::tone() const {
    if (campaign::stateOf(m_campaign) != campaign::CampaignState::Done) return Tone::Neutral;
    const bool allMeasured =
        std::ranges::all_of(m_campaign.candidates, [](const auto& candidate) { return tone(candidate) == Tone::Good; });
    return allMeasured ? Tone::Good : Tone::Caution;
}

QString CampaignPresenter::cost() const {
    const auto worst = campaign::worstUsd(m_campaign);
    if (!worst) return {};
    const auto most = tr("All measurements together cost at most %1.").arg(Format::money(*worst));
    const auto spent = campaign::spentUsd(m_campaign, m_now);
    if (!spent || *spent <= 0) return most;
    return most + QLatin1Char(' ') +
           tr("About %1 spent so far; the provider's bill counts.").arg(Format::money(*spent));
}

QStringList CampaignPresenter::changes() const {
    const bool anyMeasured = std::ranges::any_of(m_campaign.candidates, [](const campaign::Candidate& candidate) {
        return candidate.measuredStepSeconds.has_value();
    });
    QStringList sentences;
    if (!anyMeasured) return sentences;
    for (const auto& change : campaign::compare(m_campaign).changes) sentences << MessageText::sentence(change);
    return sentences;
}

TableContent CampaignPresenter::table() const {
    TableContent content;
    content.columns = {{tr("Machine")},
                       {tr("State")},
                       {tr("Predicted step"), true, tr("Predicted when the campaign was planned")},
                       {tr("Measured step"), true},
                       {tr("Ratio"), true, tr("Measured over predicted; below 1 is faster than predicted")},
                       {tr("Whole job"), true, tr("Measured where available, otherwise predicted")},
                       {tr("Job costs"), true},
                       {tr("Spent"), true, tr("On measuring so far")},
                       {tr("Reason")},
                       {tr("Engine")}};
    const auto comparison = campaign::compare(m_campaign);
    for (const auto& candidate : m_campaign.candidates) {
        const auto row = std::ranges::find(comparison.candidates, candidate.id, &campaign::ComparedCandidate::id);
        const bool isCompared = row != comparison.candidates.end();
        TableCell ratio{Format::unknown()};
        if (isCompared && row->stepRatio) {
            ratio = {Format::number(*row->stepRatio), {}, row->stepRatio};
            if (row->insideBand) {
                ratio.tone = *row->insideBand ? Tone::Good : Tone::Caution;
                ratio.hover = *row->insideBand ? tr("Inside the predicted 80 % interval")
                                               : tr("Outside the predicted 80 % interval");
            }
        }
        TableCell hours{Format::unknown()}, usd{Format::unknown()};
        if (isCompared && row->hours.median > 0) {
            hours = {Format::wait(row->hours.median * kSecondsOfHour),
                     Format::waitRange(row->hours.low * kSecondsOfHour, row->hours.high * kSecondsOfHour),
                     row->hours.median};
            usd = {Format::money(row->usd.median), Format::moneyRange(row->usd.low, row->usd.high), row->usd.median};
        }
        const auto reason = candidate.reason.empty() ? QString() : MessageText::sentence(candidate.reason);
        TableRow line;
        line.key = plain(candidate.id);
        line.cells = {{AdviceText::machine(candidate.title)},
                      {name(candidate.state), {}, {}, tone(candidate)},
                      seconds(predictedStep(candidate)),
                      seconds(candidate.measuredStepSeconds),
                      ratio,
                      hours,
                      usd,
                      money(candidate.spentUsd(m_now)),
                      {reason, reason},
                      {name(candidate.engine)}};
        content.rows.push_back(std::move(line));
    }
    return content;
}

ChartSpec CampaignPresenter::chart() const {
    ChartSpec chart;
    chart.kind = ChartKind::Dots;
    chart.rows = true;
    chart.title = tr("Predicted and measured");
    chart.subtitle = tr("%1. Measured solid, predictions hollow with their 80 % interval.").arg(job());
    chart.emptyText = tr("Nothing of this campaign was predicted or measured.");
    double largest = 0;
    for (const auto& candidate : m_campaign.candidates)
        for (const auto& band : {predictedStep(candidate), candidate.measuredStepSeconds})
            if (band) largest = std::max(largest, band->high);
    const auto unit = Format::secondsUnit(largest);
    chart.y = {tr("Step time, less is better"), unit.unit, ChartScale::Logarithmic, {}};
    chart.intervalName = tr("interval");
    ChartSeries predicted, measured;
    predicted.name = tr("Predicted");
    measured.name = tr("Measured");
    measured.colour = 1;
    for (const auto& candidate : m_campaign.candidates) {
        if (!candidate.forecast && !candidate.measuredStepSeconds) continue;
        chart.categories << AdviceText::machine(candidate.title);
        predicted.points.push_back(pointOf(predictedStep(candidate), Basis::Predicted, candidate, unit));
        measured.points.push_back(pointOf(candidate.measuredStepSeconds, Basis::Measured, candidate, unit));
        if (!measured.points.back().y)
            measured.points.back().reason =
                candidate.reason.empty() ? name(candidate.state) : MessageText::text(candidate.reason);
    }
    chart.series = {std::move(predicted), std::move(measured)};
    return chart;
}

TableContent CampaignPresenter::plan() const {
    TableContent content;
    content.columns = {{tr("Machine")},
                       {tr("Engine")},
                       {tr("Takes about"), true, tr("From the start of the machine to the end of the measurement")},
                       {tr("At most"), true, tr("Every attempt uses its full time limit")}};
    for (const auto& candidate : m_campaign.candidates) {
        const auto takes = candidate.forecast ? candidate.forecast->measuringSeconds : std::nullopt;
        TableRow row;
        row.key = plain(candidate.id);
        row.cells = {
            {AdviceText::machine(candidate.title)},
            {name(candidate.engine)},
            takes ? TableCell{Format::duration(*takes), {}, takes} : TableCell{Format::unknown()},
            money(candidate.placements.empty() ? std::optional<double>() : campaign::worstUsd(m_campaign, candidate))};
        content.rows.push_back(std::move(row));
    }
    return content;
}

QString CampaignPresenter::commands(const std::vector<campaign::EngineCommand>& commands) {
    QStringList lines;
    for (const auto& command : commands) lines << plain(campaign::shown(command));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace steelyard::ui
