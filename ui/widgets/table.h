// SPDX-License-Identifier: Apache-2.0
// Tables and trees that all look and behave the same. GUI thread; owned by the parent given.
#pragma once

#include <QString>

class QAbstractItemModel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;
class QTreeView;
class QWidget;

namespace steelyard::ui {

// Whole rows are selected, nothing is edited, columns follow their content and the last one takes the rest. Ctrl+C
// copies the selected rows with tabs.
[[nodiscard]] QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);
[[nodiscard]] QTreeView* makeTree(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);

// The first column of a table stays where it is while the others are scrolled sideways.
void freezeFirstColumn(QTableView* table);
// Shows the rows of `rows` that contain what is typed, in any column.
[[nodiscard]] QLineEdit* searchField(const QString& placeholder, QSortFilterProxyModel* rows, QWidget* parent);

}  // namespace steelyard::ui
