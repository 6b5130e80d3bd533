// SPDX-License-Identifier: Apache-2.0
// A chart on the screen: the drawing with exact values on hover and by arrow keys, the data as a table, copy and
// export. One accessible node with name and description. Owned by its parent; GUI thread.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/charts/chart_builder.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_spec.h"

class QStackedWidget;
class QTableView;
class QToolButton;

namespace steelyard::ui {

class ChartTableModel;

// The drawing without buttons.
class ChartCanvas : public QWidget {
    Q_OBJECT

public:
    explicit ChartCanvas(QWidget* parent = nullptr);
    void setSpec(const ChartSpec& spec, double reservedTopRight);
    [[nodiscard]] const BuiltChart* chart() const { return m_chart.get(); }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 200}; }
    [[nodiscard]] QSize sizeHint() const override { return {640, 360}; }

signals:
    void pointActivated(const QString& key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    void focusPoint(const std::optional<PointRef>& ref, bool showText);
    void activate(const PointRef& ref);
    [[nodiscard]] std::vector<PointRef> pointsInOrder() const;

    ChartSpec m_spec;
    double m_reserved = 0;
    std::unique_ptr<BuiltChart> m_chart;
    bool m_outdated = false;  // by a change of palette or font while hidden
    QPixmap m_picture;        // cached drawing without the focus ring; null: must be drawn
    std::optional<PointRef> m_focused;
};

class ChartView : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    void setSpec(const ChartSpec& spec);
    [[nodiscard]] const ChartSpec& spec() const { return m_spec; }
    [[nodiscard]] ChartCanvas* canvas() { return m_canvas; }
    [[nodiscard]] bool showsTable() const;

public slots:
    void showTable(bool table);
    // Copies the image and the data as text.
    void copy();

signals:
    void pointActivated(const QString& key);
    void exportRequested(steelyard::ui::ExportFormat format);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addButtons();
    void placeButtons();
    void makeTablePage();

    ChartSpec m_spec;
    int m_leastHeight = -1;  // of the page, before the first chart was set
    QStackedWidget* m_stack = nullptr;
    ChartCanvas* m_canvas = nullptr;
    QTableView* m_table = nullptr;  // created when it is first shown
    ChartTableModel* m_model = nullptr;
    QWidget* m_buttons = nullptr;
    QToolButton* m_tableButton = nullptr;
    QToolButton* m_copyButton = nullptr;
    QToolButton* m_exportButton = nullptr;
};

}  // namespace steelyard::ui
