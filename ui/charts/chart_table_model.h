// SPDX-License-Identifier: Apache-2.0
// The data of a ChartSpec as a table. Owns a copy of the spec.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/charts/chart_geometry.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Place, Series, Value, Interval, State, ColumnCount };
    enum { KeyRole = Qt::UserRole + 1 };  // the record key of the row's point

    using QAbstractTableModel::QAbstractTableModel;
    void setSpec(ChartSpec spec);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ChartSpec m_spec;
    std::vector<PointRef> m_rows;
};

}  // namespace steelyard::ui
