// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/disturbance_presenter.h"

#include <algorithm>

#include "engine/bench/record/disturbance.h"
#include "ui/text/format.h"

namespace steelyard::ui {

QString DisturbancePresenter::banner(const bench::RunRecord& run) {
    const auto disturbed = bench::disturbedCount(run);
    if (disturbed == 0) return {};
    const auto measured = std::count_if(run.records.begin(), run.records.end(),
                                        [](const auto& record) { return record.status == bench::Status::Ok; });
    if (static_cast<std::ptrdiff_t>(disturbed) == measured)
        return tr("Measured while other programs used the CPU: these results are unreliable.");
    return tr("%n of %1 cases measured while other programs used the CPU: their results are unreliable.", nullptr,
              static_cast<int>(disturbed))
        .arg(Format::integer(measured));
}

QString DisturbancePresenter::banner(const bench::RunRecord& base, const bench::RunRecord& other) {
    const bool first = bench::disturbedCount(base) > 0;
    const bool second = bench::disturbedCount(other) > 0;
    if (first && second)
        return tr("Both runs were measured while other programs used the CPU: these cases cannot be compared.");
    if (first)
        return tr("The first run was measured while other programs used the CPU: these cases cannot be compared.");
    if (second)
        return tr("The second run was measured while other programs used the CPU: these cases cannot be compared.");
    return {};
}

QString DisturbancePresenter::remark(const bench::CaseRecord& record) {
    if (!bench::wasDisturbed(record)) return {};
    auto text = tr("Other programs used the CPU during this case; the result is unreliable.");
    if (record.figure && record.figure->disturbedWindows == 0)
        text = tr("The machine's state kept changing during this case; the result is unreliable.");
    else if (record.figure && record.figure->worstOtherCpus)
        text += QLatin1Char(' ') + tr("They took up to %1 CPUs.").arg(Format::number(*record.figure->worstOtherCpus));
    return text;
}

}  // namespace steelyard::ui
