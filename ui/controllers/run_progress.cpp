// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/run_progress.h"

#include <algorithm>

namespace steelyard::ui {
namespace {

constexpr std::int64_t kMostVisits = 1000;

}  // namespace

void RunProgress::apply(const bench::Event& event) {
    switch (event.kind) {
        case bench::EventKind::SuiteStarted:
            *this = RunProgress();
            m_runId = event.runId;
            m_plan = event.cases;
            m_caseCount =
                static_cast<int>(std::max<std::int64_t>(event.caseCount, static_cast<std::int64_t>(m_plan.size())));
            m_visitCount = static_cast<int>(std::clamp<std::int64_t>(event.visitCount, 1, kMostVisits));
            m_estimate = event.estimateSeconds;
            break;
        case bench::EventKind::CaseStarted: {
            const int visit = static_cast<int>(std::clamp<std::int64_t>(event.visit, 0, m_visitCount - 1));
            const int number =
                static_cast<int>(std::clamp<std::int64_t>(event.caseIndex, 0, std::max(0, m_caseCount - 1)));
            // Of the previous case, which has further visits. A visit may be repeated.
            if (m_current && (visit != m_currentVisit || number != m_currentCase)) ++m_visitsDone;
            m_current = event.spec;
            m_currentVisit = visit;
            m_currentCase = number;
            m_phase.reset();
            m_samples.clear();
            break;
        }
        case bench::EventKind::Phase:
            m_phase = event.phase;
            break;
        case bench::EventKind::Sample:
            if (!event.sampleSeconds) break;
            m_samples.push_back({*event.sampleSeconds, event.medianSeconds, event.ciLow, event.ciHigh});
            if (m_samples.size() > kMostSamples) m_samples.pop_front();
            break;
        case bench::EventKind::Sensor:
            if (event.sensor) m_sensors.push_back(*event.sensor);
            if (m_sensors.size() > kMostSensors) m_sensors.pop_front();
            break;
        case bench::EventKind::CaseFinished:
            if (event.record) m_finished.push_back(*event.record);
            // After the last visit, or after a failed one, which ends the case.
            m_visitsDone += m_visitCount - m_currentVisit;
            m_currentVisit = 0;
            m_current.reset();
            m_phase.reset();
            break;
        case bench::EventKind::SuiteFinished:
            m_finalStatus = event.status.empty() ? "done" : event.status;
            m_current.reset();
            m_phase.reset();
            break;
    }
}

void RunProgress::apply(const bench::RunIssue& issue) {
    if (issue.kind == bench::RunIssue::Kind::Refused) {
        m_refusal = issue.error;
        return;
    }
    m_storeError = issue.error;
    m_keptFile = issue.file;
}

std::optional<bench::CaseRecord> RunProgress::loseCurrent(const Message& reason) {
    if (!m_current) return std::nullopt;
    bench::Event lost;
    lost.kind = bench::EventKind::CaseFinished;
    lost.record = bench::CaseRecord{};
    lost.record->spec = *m_current;
    lost.record->status = bench::Status::Crashed;
    lost.record->reason = reason;
    apply(lost);
    return lost.record;
}

int RunProgress::okCount() const {
    return static_cast<int>(std::count_if(m_finished.begin(), m_finished.end(),
                                          [](const auto& record) { return record.status == bench::Status::Ok; }));
}

std::vector<bench::Case> RunProgress::unfinished() const {
    std::vector<bench::Case> rest;
    for (const auto& spec : m_plan) {
        const bool done =
            std::any_of(m_finished.begin(), m_finished.end(), [&](const auto& record) { return record.spec == spec; });
        if (!done) rest.push_back(spec);
    }
    return rest;
}

std::optional<double> RunProgress::relativeHalfWidth() const {
    if (m_samples.empty()) return std::nullopt;
    const auto& last = m_samples.back();
    if (!last.median || !last.ciLow || !last.ciHigh || *last.median <= 0) return std::nullopt;
    return (*last.ciHigh - *last.ciLow) / 2 / *last.median;
}

std::optional<double> RunProgress::fraction() const {
    if (m_caseCount <= 0) return std::nullopt;
    return std::min(1.0, static_cast<double>(m_visitsDone) / visitsInAll());
}

std::optional<double> RunProgress::visitSeconds(double visitBegan, double factor) const {
    if (m_caseCount <= 0) return std::nullopt;
    if (m_visitsDone > 0) return visitBegan / m_visitsDone;
    if (!m_estimate) return std::nullopt;
    return *m_estimate * factor / visitsInAll();
}

std::optional<double> RunProgress::remainingSeconds(double elapsedSeconds, double factor) const {
    if (m_caseCount <= 0 || suiteFinished()) return std::nullopt;
    if (m_visitsDone == 0) {
        if (!m_estimate) return std::nullopt;
        return std::max(0.0, *m_estimate * factor - elapsedSeconds);
    }
    // The estimate is corrected by the pace so far, with increasing weight.
    const double share = std::min(1.0, static_cast<double>(m_visitsDone) / visitsInAll());
    const double byPace = elapsedSeconds / share;
    const double total = m_estimate ? *m_estimate * factor * (1 - share) + byPace * share : byPace;
    return std::max(0.0, total - elapsedSeconds);
}

}  // namespace steelyard::ui
