// SPDX-License-Identifier: Apache-2.0
// Size of the history, the effect of pruning, and the space gained. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/history/history_store.h"

namespace steelyard::ui {

class HistoryPresenter {
    Q_DECLARE_TR_FUNCTIONS(HistoryPresenter)

public:
    // "12 runs, 3.10 MiB".
    static QString extent(std::size_t runs, std::int64_t bytes);
    // Why the file cannot be compacted now; empty if it can.
    static QString notCompactable(bool runsHere, const std::vector<history::RunOverview>& runs);
    static QString compacted(const history::Compaction& compaction);
    // The effect of a rule on these runs (newest first).
    static QString pruning(const std::vector<history::RunOverview>& runs, const history::PruneRule& rule);
};

}  // namespace steelyard::ui
