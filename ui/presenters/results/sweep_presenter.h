// SPDX-License-Identifier: Apache-2.0
// How the speed of a run's cases changes with one quantity: batch size, threads, GPUs or nodes. Each function returns a
// spec for ChartView. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

class SweepPresenter {
    Q_DECLARE_TR_FUNCTIONS(SweepPresenter)

public:
    SweepPresenter(const bench::RunRecord& run, const WorkloadCatalogue& catalogue)
        : m_run(run), m_catalogue(catalogue) {}

    // Throughput over batch size (logarithmic), one line per workload, mode, device and precision with at least two
    // batch sizes.
    [[nodiscard]] ChartSpec batchSweep() const;
    // Throughput over thread count, with ideal linear scaling from each line's first point.
    [[nodiscard]] ChartSpec threadScaling() const;
    // Throughput over the number of GPUs: strong scaling, weak scaling, independent jobs.
    [[nodiscard]] ChartSpec gpuScaling() const;

    [[nodiscard]] bool hasBatchSweep() const;
    [[nodiscard]] bool hasThreadScaling() const;
    [[nodiscard]] bool hasGpuScaling() const;

private:
    enum class Sweep { Batch, Threads };
    struct Line;
    [[nodiscard]] std::vector<Line> sweepLines(Sweep sweep) const;
    [[nodiscard]] std::vector<Line> gpuLines() const;
    [[nodiscard]] ChartSpec chartOf(const std::vector<Line>& lines) const;
    static void judgeByProportion(ChartSpec& chart);
    [[nodiscard]] QString workloadTitle(const bench::CaseRecord& record) const;

    const bench::RunRecord& m_run;
    const WorkloadCatalogue& m_catalogue;
};

}  // namespace steelyard::ui
