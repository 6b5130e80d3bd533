// SPDX-License-Identifier: Apache-2.0
// The workloads that can be run, as a tree of families with check boxes; what cannot run here is greyed and says why.
// Owns a copy of the catalogue; GUI thread.
#pragma once

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

class CaseTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Name, Parameters, Batch, Estimate, ColumnCount };
    enum { IdRole = Qt::UserRole + 1, RunnableRole, OwnRole };

    using QAbstractItemModel::QAbstractItemModel;
    void setCatalogue(const WorkloadCatalogue& catalogue);
    // Ids that are not runnable or not known are left out.
    void setChecked(const std::vector<std::string>& ids);
    [[nodiscard]] std::vector<std::string> checked() const;  // in the order of the tree

    // What the chosen suite measures: its batches and times stand in the place of each network's own. Empty: no suite.
    void setSuite(const std::vector<SuiteCase>& cases);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    // By the user's hand, not by setChecked.
    void checkedByUser();

private:
    struct Family {
        std::string id;
        std::vector<WorkloadOption> workloads;
    };
    struct Planned {
        std::set<std::int64_t> batches;
        std::vector<plan::Mode> modes;
        double seconds = 0;
    };
    [[nodiscard]] QVariant plannedData(const Planned& planned, int column, int role) const;
    [[nodiscard]] QVariant familyData(const Family& family, int column, int role) const;
    [[nodiscard]] QVariant workloadData(const WorkloadOption& workload, int column, int role) const;
    [[nodiscard]] Qt::CheckState stateOf(const Family& family) const;
    void announceChecks();

    std::vector<Family> m_families;
    std::set<std::string> m_checked;
    std::map<std::string, Planned> m_planned;  // by workload, of the chosen suite
};

// Hides what cannot run (but for the networks of the user), and what does not contain the filter's words.
class CaseFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit CaseFilter(QObject* parent = nullptr);
    void setOnlyRunnable(bool only);
    [[nodiscard]] bool onlyRunnable() const { return m_onlyRunnable; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool m_onlyRunnable = true;
};

}  // namespace steelyard::ui
