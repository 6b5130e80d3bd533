// SPDX-License-Identifier: Apache-2.0
// A published table of times and prices, ranked by the engine, as sentences, charts and tables. Pure functions over the
// study and its report, which must outlive the presenter.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/advisor/study/study.h"
#include "ui/charts/chart_spec.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class StudyPresenter {
    Q_DECLARE_TR_FUNCTIONS(StudyPresenter)

public:
    enum class Measure { Time, Cost };

    StudyPresenter(const advisor::Study& study, const advisor::StudyReport& report,
                   const advisor::StudyOptions& options)
        : m_study(study), m_report(report), m_options(options) {}

    // The overall winner, and the time weights from which others win.
    [[nodiscard]] QString verdict() const;
    // "Max Woolf, ..., 2017-07; one run per cell".
    [[nodiscard]] QString source() const;
    // Relative to the baseline, with a line at 1: configurations along x, one series per workload.
    [[nodiscard]] ChartSpec relative(Measure measure) const;
    // Seconds and dollars per epoch of one workload.
    [[nodiscard]] ChartSpec timeAgainstCost(std::size_t workload) const;
    // Per workload: cheapest, fastest, winner at the time weight.
    [[nodiscard]] TableContent winners() const;
    // Whether a variant pays off, and how certain that is.
    [[nodiscard]] TableContent variants() const;
    [[nodiscard]] TableContent figures() const;

private:
    [[nodiscard]] QString baseline() const;

    const advisor::Study& m_study;
    const advisor::StudyReport& m_report;
    const advisor::StudyOptions& m_options;
};

}  // namespace steelyard::ui
