// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/history/history_presenter.h"

#include <algorithm>

#include "ui/text/format.h"

namespace steelyard::ui {

QString HistoryPresenter::extent(std::size_t runs, std::int64_t bytes) {
    return tr("%n run(s), %1", nullptr, static_cast<int>(runs)).arg(Format::bytes(bytes));
}

QString HistoryPresenter::notCompactable(bool runsHere, const std::vector<history::RunOverview>& runs) {
    const bool runsElsewhere = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.underWay; });
    return runsHere || runsElsewhere ? tr("Not available during a run.") : QString();
}

QString HistoryPresenter::compacted(const history::Compaction& compaction) {
    return tr("The history took %1 and takes %2 now.")
        .arg(Format::bytes(compaction.bytesBefore), Format::bytes(compaction.bytesAfter));
}

QString HistoryPresenter::pruning(const std::vector<history::RunOverview>& runs, const history::PruneRule& rule) {
    if (!rule.keepNewest && !rule.startedBeforeUnixMs) return tr("Choose what to keep.");
    const auto going = history::prunable(runs, rule);
    if (going.empty()) return tr("No run will be deleted.");
    return tr("%n of %1 run(s) will be deleted, from %2 to %3.", nullptr, static_cast<int>(going.size()))
        .arg(Format::integer(static_cast<std::int64_t>(runs.size())), Format::date(going.back().startedUnixMs),
             Format::date(going.front().startedUnixMs));
}

}  // namespace steelyard::ui
