// SPDX-License-Identifier: Apache-2.0
// Model for a TableContent: records, facts, comparisons, the log of a run. Owns its content; GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/text/table_content.h"

namespace steelyard::ui {

class RowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum { KeyRole = Qt::UserRole + 1, SortRole, HeadingRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setContent(TableContent content);
    void appendRow(TableRow row);
    [[nodiscard]] const TableContent& content() const { return m_content; }
    // -1 if there is none.
    [[nodiscard]] int rowOf(const QString& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    TableContent m_content;
};

// Sorts by SortRole; rows without a number come last in both directions.
class RowsProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RowsProxy(QObject* parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace steelyard::ui
