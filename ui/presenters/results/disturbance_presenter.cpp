// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/results/disturbance_presenter.h"

#include <algorithm>

#include "engine/bench/record/disturbance.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

std::size_t measuredCount(const bench::RunRecord& run) {
    return static_cast<std::size_t>(std::count_if(
        run.records.begin(), run.records.end(), [](const auto& record) { return record.status == bench::Status::Ok; }));
}

}  // namespace

QString DisturbancePresenter::banner(const bench::RunRecord& run) {
    const auto disturbed = bench::disturbedCount(run);
    if (disturbed == 0) return {};
    const auto measured = measuredCount(run);
    if (disturbed == measured) return tr("Measured while other programs used the CPU: these results are unreliable.");
    return tr("%n of %1 cases measured while other programs used the CPU: their results are unreliable.", nullptr,
              static_cast<int>(disturbed))
        .arg(Format::integer(static_cast<std::int64_t>(measured)));
}

QString DisturbancePresenter::banner(const bench::RunRecord& base, const bench::RunRecord& other) {
    const auto first = bench::disturbedCount(base);
    const auto second = bench::disturbedCount(other);
    const bool wholeFirst = first > 0 && first == measuredCount(base);
    const bool wholeSecond = second > 0 && second == measuredCount(other);
    if (wholeFirst && wholeSecond)
        return tr("Both runs were measured while other programs used the CPU: their cases cannot be compared.");
    QStringList sentences;
    if (wholeFirst) {
        sentences << tr("The first run was measured while other programs used the CPU: its cases cannot be compared.");
    } else if (first > 0) {
        sentences
            << tr("%n of %1 cases of the first run were measured while other programs used the CPU: they cannot be "
                  "compared.",
                  nullptr, static_cast<int>(first))
                   .arg(Format::integer(static_cast<std::int64_t>(measuredCount(base))));
    }
    if (wholeSecond) {
        sentences << tr("The second run was measured while other programs used the CPU: its cases cannot be compared.");
    } else if (second > 0) {
        sentences
            << tr("%n of %1 cases of the second run were measured while other programs used the CPU: they cannot be "
                  "compared.",
                  nullptr, static_cast<int>(second))
                   .arg(Format::integer(static_cast<std::int64_t>(measuredCount(other))));
    }
    return sentences.join(QLatin1Char(' '));
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
