// SPDX-License-Identifier: Apache-2.0
// A run as charts. Each function returns a spec for ChartView; cases without a result are unknown points with a reason.
// Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

enum class SpeedUnit { SecondsPerStep, SamplesPerSecond, FlopRate };

class ResultsPresenter {
    Q_DECLARE_TR_FUNCTIONS(ResultsPresenter)

public:
    ResultsPresenter(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);

    // For one mode: workloads along x, one series per device and precision.
    [[nodiscard]] ChartSpec speed(plan::Mode mode, SpeedUnit unit) const;
    // Planned memory, stacked by kind, with the measured peak.
    [[nodiscard]] ChartSpec memory() const;
    // The record at this position.
    [[nodiscard]] ChartPoint speedPoint(std::size_t position, SpeedUnit unit) const;

    [[nodiscard]] bool hasMode(plan::Mode mode) const;

    // "14 cases: 13 ok, 1 does not fit; 12 verified".
    [[nodiscard]] QString summary() const;
    [[nodiscard]] Tone verificationTone() const;
    [[nodiscard]] QString verificationText() const;
    // The computer and the date, under each chart's title.
    [[nodiscard]] QString subtitle() const;

    static QString unitName(SpeedUnit unit);
    // Axis title of SpeedUnit::SamplesPerSecond: tokens/s if all results count tokens, as of language models.
    [[nodiscard]] QString rateUnit() const { return m_countsTokens ? tr("tokens/s") : tr("samples/s"); }

private:
    // The text of an empty chart, with the reasons of failed cases, one per line.
    [[nodiscard]] QString withFailures(const QString& text, plan::Mode mode) const;
    struct SpeedRange {
        ChartInterval medians, whole;  // whole: with the intervals
    };
    [[nodiscard]] SpeedRange speedRange(SpeedUnit unit) const;

    const bench::RunRecord& m_run;
    const WorkloadCatalogue& m_catalogue;
    bool m_countsTokens;  // all results
};

}  // namespace steelyard::ui
