// SPDX-License-Identifier: Apache-2.0
#include "ui/models/rows_model.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

IconColour colourOf(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return IconColour::Good;
        case Tone::Caution:
            return IconColour::Caution;
        case Tone::Bad:
            return IconColour::Bad;
        case Tone::Neutral:
            return IconColour::Muted;
    }
    return IconColour::Muted;
}

}  // namespace

void RowsModel::setContent(TableContent content) {
    beginResetModel();
    m_content = std::move(content);
    endResetModel();
}

void RowsModel::appendRow(TableRow row) {
    const int position = rowCount();
    beginInsertRows({}, position, position);
    m_content.rows.push_back(std::move(row));
    endInsertRows();
}

int RowsModel::rowOf(const QString& key) const {
    for (std::size_t row = 0; row < m_content.rows.size(); ++row) {
        if (m_content.rows[row].key == key) return static_cast<int>(row);
    }
    return -1;
}

int RowsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.rows.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.columns.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto& row = m_content.rows[static_cast<std::size_t>(index.row())];
    if (role == KeyRole) return row.key;
    if (role == HeadingRole) return row.heading;
    const auto column = static_cast<std::size_t>(index.column());
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((m_content.columns[column].number ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    }
    if (role == Qt::FontRole && row.heading) {
        return fontOfSize(fontsize::kBase, QFont::DemiBold);
    }
    if (role == Qt::ForegroundRole && row.muted) return Theme::of(QGuiApplication::palette()).muted;
    if (column >= row.cells.size()) return {};
    const auto& cell = row.cells[column];
    switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case Qt::ToolTipRole:
            return cell.hover.isEmpty() ? cell.text : cell.hover;
        case Qt::AccessibleDescriptionRole:
            return cell.hover;
        case Qt::DecorationRole:
            return cell.tone ? QVariant(icon(toneIcon(*cell.tone), colourOf(*cell.tone))) : QVariant();
        case SortRole:
            return cell.sortBy ? QVariant(*cell.sortBy) : QVariant(cell.text);
        default:
            return {};
    }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto& column = m_content.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.hover.isEmpty()) return column.hover;
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

Qt::ItemFlags RowsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const auto& row = m_content.rows[static_cast<std::size_t>(index.row())];
    if (row.heading) return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

RowsProxy::RowsProxy(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RowsModel::SortRole);
}

bool RowsProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto a = left.data(RowsModel::SortRole);
    const auto b = right.data(RowsModel::SortRole);
    const bool aNumber = a.typeId() == QMetaType::Double;
    const bool bNumber = b.typeId() == QMetaType::Double;
    if (aNumber && bNumber) return a.toDouble() < b.toDouble();
    if (aNumber != bNumber) return (sortOrder() == Qt::AscendingOrder) == aNumber;
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

}  // namespace steelyard::ui
