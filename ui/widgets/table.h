// SPDX-License-Identifier: Apache-2.0
// Tables and trees that all look and behave the same. GUI thread; owned by the parent given.
#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QTreeView;
class QWidget;

namespace steelyard::ui {

// Whole rows are selected, nothing is edited, columns follow their content and the last one takes the rest. Ctrl+C
// copies the selected rows with tabs.
[[nodiscard]] QTableView* makeTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);
[[nodiscard]] QTreeView* makeTree(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent);

}  // namespace steelyard::ui
