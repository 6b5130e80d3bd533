// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_table_model.h"

#include "ui/charts/chart_text.h"
#include "ui/text/format.h"

namespace steelyard::ui {

void ChartTableModel::setSpec(ChartSpec spec) {
    beginResetModel();
    m_spec = std::move(spec);
    m_rows.clear();
    std::size_t longest = 0;
    for (const auto& series : m_spec.series) longest = std::max(longest, series.points.size());
    // Grouped by position, so that compared values are adjacent.
    for (std::size_t point = 0; point < longest; ++point) {
        for (std::size_t series = 0; series < m_spec.series.size(); ++series) {
            if (point >= m_spec.series[series].points.size() || m_spec.series[series].guide) continue;
            m_rows.push_back({static_cast<int>(series), static_cast<int>(point)});
        }
    }
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& ref = m_rows[static_cast<std::size_t>(index.row())];
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    const auto& point = series.points[static_cast<std::size_t>(ref.point)];
    if (role == KeyRole) return point.key;
    if (role == Qt::ToolTipRole) return ChartText::hover(m_spec, ref);
    if (role == Qt::TextAlignmentRole) {
        const bool number = index.column() == Value || index.column() == Interval;
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case Place:
            return ChartText::place(m_spec, ref);
        case Series:
            return point.label.isEmpty() ? series.name : QStringLiteral("%1 · %2").arg(series.name, point.label);
        case Value:
            return Format::number(point.y);
        case Interval:
            return point.interval ? Format::range(point.interval->low, point.interval->high) : Format::unknown();
        case State:
            return ChartText::state(point);
        default:
            return {};
    }
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        const bool number = section == Value || section == Interval;
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Place:
            return m_spec.x.title.isEmpty() ? tr("Workload") : m_spec.x.caption();
        case Series:
            return tr("Series");
        case Value:
            return m_spec.y.caption();
        case Interval:
            return ChartText::intervalName(m_spec);
        case State:
            return tr("State");
        default:
            return {};
    }
}

}  // namespace steelyard::ui
