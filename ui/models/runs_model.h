// SPDX-License-Identifier: Apache-2.0
// The stored runs, newest first; notes can be edited in place. Owns copies; GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/history/history_store.h"

namespace steelyard::ui {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Started, Computer, Suite, Cases, State, Origin, Note, ColumnCount };
    enum { IdRole = Qt::UserRole + 1, SortRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(std::vector<history::RunOverview> runs);
    [[nodiscard]] const std::vector<history::RunOverview>& runs() const { return m_runs; }
    [[nodiscard]] int rowOf(const std::string& id) const;  // -1 if there is none
    // "complete", "stopped by you after 5 of 14 cases".
    [[nodiscard]] static QString state(const history::RunOverview& run);
    // "You stopped this run after 5 of 14 cases."; empty if no cases remain to be measured.
    [[nodiscard]] static QString unfinished(const history::RunOverview& run);
    // Neither finished nor stopped, and its process no longer exists.
    [[nodiscard]] static bool wasInterrupted(const history::RunOverview& run);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void noteEdited(const QString& runId, const QString& note);

private:
    [[nodiscard]] QVariant display(const history::RunOverview& run, int column) const;

    std::vector<history::RunOverview> m_runs;
};

}  // namespace steelyard::ui
