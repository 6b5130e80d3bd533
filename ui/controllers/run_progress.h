// SPDX-License-Identifier: Apache-2.0
// State of a running suite, updated by its events: everything a page needs to draw itself at any time, so that a run
// outlives a page. A value with one mutating function; tested with synthetic events.
#pragma once

#include <QString>
#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/bench/run/run_issue.h"

namespace steelyard::ui {

// A sample of the current case, and the statistics after it.
struct LiveSample {
    double seconds = 0;  // per step
    std::optional<double> median, ciLow, ciHigh;
};

class RunProgress {
public:
    static constexpr std::size_t kMostSamples = 4000;  // of the current case; older ones are dropped
    static constexpr std::size_t kMostSensors = 600;

    void apply(const bench::Event& event);
    void apply(const bench::RunIssue& issue);

    [[nodiscard]] const std::string& runId() const { return m_runId; }
    [[nodiscard]] const std::vector<bench::Case>& plan() const { return m_plan; }
    [[nodiscard]] int caseCount() const { return m_caseCount; }
    [[nodiscard]] int finishedCount() const { return static_cast<int>(m_finished.size()); }
    [[nodiscard]] int okCount() const;
    [[nodiscard]] const std::vector<bench::CaseRecord>& finished() const { return m_finished; }
    [[nodiscard]] const std::optional<bench::Case>& current() const { return m_current; }
    [[nodiscard]] std::optional<bench::Phase> phase() const { return m_phase; }
    [[nodiscard]] const std::deque<LiveSample>& samples() const { return m_samples; }  // oldest first
    // Cases without a result, in order.
    [[nodiscard]] std::vector<bench::Case> unfinished() const;
    // Half the interval's width relative to the median, which decreases while sampling.
    [[nodiscard]] std::optional<double> relativeHalfWidth() const;
    [[nodiscard]] const std::deque<bench::SensorReading>& sensors() const { return m_sensors; }
    [[nodiscard]] const std::string& finalStatus() const {
        return m_finalStatus;
    }  // done, partial, cancelled; empty before
    [[nodiscard]] bool suiteFinished() const { return !m_finalStatus.empty(); }

    // Why nothing was measured; unset once the run began.
    [[nodiscard]] const std::optional<Error>& refusal() const { return m_refusal; }
    // Why the history cannot store this run; unset if it can.
    [[nodiscard]] const std::optional<Error>& storeError() const { return m_storeError; }
    // File with the complete run, once it was saved.
    [[nodiscard]] const std::string& keptFile() const { return m_keptFile; }

    // The measuring process crashed: records the current case as crashed. Unset if there was none.
    std::optional<bench::CaseRecord> loseCurrent(const Message& reason);

    // Each case is visited several times, interleaved with the others, and finished after its last visit.
    [[nodiscard]] int visitCount() const { return m_visitCount; }
    [[nodiscard]] int currentVisit() const { return m_currentVisit; }  // from 0
    [[nodiscard]] int currentCase() const { return m_currentCase; }    // index, from 0
    // "5" in "case 5 of 23", as shown everywhere: with several visits, cases come round again.
    [[nodiscard]] int caseNumber() const {
        return visitCount() > 1 ? m_currentCase + 1 : std::min(finishedCount() + 1, caseCount());
    }
    [[nodiscard]] int visitsDone() const { return m_visitsDone; }  // including those that a failed case skips
    [[nodiscard]] int visitsInAll() const { return m_caseCount * m_visitCount; }

    // Finished visits over all visits, 0..1; unset before the suite has started.
    [[nodiscard]] std::optional<double> fraction() const;
    // From the suite's estimate times `factor` at first, then from the duration of finished visits.
    [[nodiscard]] std::optional<double> remainingSeconds(double elapsedSeconds, double factor = 1) const;
    // Likewise for one visit; unset if unknown.
    [[nodiscard]] std::optional<double> visitSeconds(double visitBegan, double factor = 1) const;

private:
    std::string m_runId;
    std::vector<bench::Case> m_plan;
    int m_caseCount = 0;
    int m_visitCount = 1;
    int m_visitsDone = 0;
    int m_currentVisit = 0;
    int m_currentCase = 0;
    std::optional<double> m_estimate;
    std::optional<bench::Case> m_current;
    std::optional<bench::Phase> m_phase;
    std::deque<LiveSample> m_samples;
    std::deque<bench::SensorReading> m_sensors;
    std::vector<bench::CaseRecord> m_finished;
    std::string m_finalStatus;
    std::optional<Error> m_refusal, m_storeError;
    std::string m_keptFile;
};

}  // namespace steelyard::ui
