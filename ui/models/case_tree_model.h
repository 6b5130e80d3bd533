// SPDX-License-Identifier: Apache-2.0
// The workloads as a tree of families with check boxes; those that cannot run here are disabled, with the reason. Owns
// a copy of the catalogue; GUI thread.
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
    // Unknown ids and workloads that cannot run are ignored.
    void setChecked(const std::vector<std::string>& ids);
    [[nodiscard]] std::vector<std::string> checked() const;  // in tree order

    // Cases of the selected suite: their batches and durations replace the networks' defaults. Empty: no suite.
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
    // By the user, not by setChecked.
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
    std::map<std::string, Planned> m_planned;  // by workload, of the selected suite
};

// Hides workloads that cannot run (except the user's networks) or do not match the filter.
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
