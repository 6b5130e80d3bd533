// SPDX-License-Identifier: Apache-2.0
// All prices with date and source; each can be overridden, and a price list can be imported. Owned by the page Cost &
// advice; GUI thread.
#pragma once

#include <QUrl>
#include <QWidget>

#include "ui/pages/window_context.h"

class QDoubleSpinBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace steelyard::ui {

class ElidedLabel;
class RowsModel;
class RowsProxy;

class PriceView : public QWidget {
    Q_OBJECT

public:
    explicit PriceView(WindowContext& context, QWidget* parent = nullptr);
    // Shows the latest answer of the advisor.
    void showAnswer();
    void importPrices(const QString& file);

signals:
    void priceSet(const QString& machine);

private:
    void editPrice(const QString& candidate);
    void savePrice();
    void askImport();

    WindowContext& m_context;
    RowsModel* m_rows = nullptr;
    RowsProxy* m_sorted = nullptr;
    QTableView* m_table = nullptr;
    ElidedLabel* m_name = nullptr;
    QDoubleSpinBox* m_price = nullptr;
    QLineEdit* m_source = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_openSource = nullptr;
    QLineEdit* m_search = nullptr;
    QUrl m_sourceLink;
    QString m_pricedOffer;
};

}  // namespace steelyard::ui
