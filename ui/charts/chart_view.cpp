// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_table_model.h"
#include "ui/charts/chart_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/table.h"

namespace steelyard::ui {

ChartCanvas::ChartCanvas(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleRole(this, QAccessible::Chart);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ChartCanvas::setSpec(const ChartSpec& spec, double reservedTopRight) {
    m_spec = spec;
    m_reserved = reservedTopRight;
    m_focused.reset();
    rebuild();
}

void ChartCanvas::rebuild() {
    m_outdated = false;
    ChartStyle style;
    style.theme = Theme::of(palette());
    style.font = font();
    style.background = false;  // the card behind it has the surface colour and rounded corners
    style.reservedTopRight = m_reserved;
    style.reservedHeight = scaled(38);
    m_chart = std::make_unique<BuiltChart>(m_spec, style);
    setMinimumHeight(static_cast<int>(BuiltChart::heightOfRows(m_spec, style)));
    m_chart->resize(size());
    m_picture = QPixmap();
    setAccessibleName(m_spec.title.isEmpty() ? tr("Chart") : m_spec.title);
    setAccessibleDescription(ChartText::description(m_spec));
    update();
}

void ChartCanvas::paintEvent(QPaintEvent*) {
    if (!m_chart) return;
    // Hovering only moves the ring: the rest is cached per size.
    const auto ratio = devicePixelRatioF();
    if (m_picture.isNull() || m_picture.devicePixelRatio() != ratio) {
        m_picture = QPixmap((QSizeF(size()) * ratio).toSize());
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(Qt::transparent);
        QPainter onto(&m_picture);
        m_chart->render(onto);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (m_focused) paintFocus(painter, m_chart->geometry(), *m_focused, m_chart->style());
}

void ChartCanvas::resizeEvent(QResizeEvent*) {
    if (!m_chart) return;
    m_chart->resize(size());
    m_picture = QPixmap();
}

void ChartCanvas::focusPoint(const std::optional<PointRef>& ref, bool showText) {
    if (m_focused != ref) {
        m_focused = ref;
        update();
    }
    const auto text = ref ? ChartText::hover(m_chart->spec(), *ref) : QString();
    setAccessibleValue(this, text);
    if (!ref || !showText) {
        QToolTip::hideText();
        return;
    }
    const auto anchor = m_chart->geometry().anchorOf(*ref).toPoint();
    QToolTip::showText(mapToGlobal(anchor + QPoint(8, -56)), text, this);
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_chart) focusPoint(m_chart->geometry().pointAt(event->position()), true);
}

void ChartCanvas::leaveEvent(QEvent*) {
    if (m_chart) focusPoint(std::nullopt, false);
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_chart || event->button() != Qt::LeftButton) return;
    if (const auto ref = m_chart->geometry().pointAt(event->position())) activate(*ref);
}

void ChartCanvas::activate(const PointRef& ref) {
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    const auto& key = series.points[static_cast<std::size_t>(ref.point)].key;
    if (!key.isEmpty()) emit pointActivated(key);
}

std::vector<PointRef> ChartCanvas::pointsInOrder() const {
    std::vector<std::pair<QPointF, PointRef>> places;
    for (const auto& mark : m_chart->geometry().marks) places.emplace_back(mark.centre, mark.ref);
    for (const auto& unknown : m_chart->geometry().unknowns) places.emplace_back(unknown.position, unknown.ref);
    const bool rows = m_chart->spec().hasRows();
    std::sort(places.begin(), places.end(), [rows](const auto& a, const auto& b) {
        if (rows && std::abs(a.first.y() - b.first.y()) > 0.5) return a.first.y() < b.first.y();
        if (std::abs(a.first.x() - b.first.x()) > 0.5) return a.first.x() < b.first.x();
        return a.first.y() > b.first.y();
    });
    std::vector<PointRef> refs;
    for (const auto& place : places) refs.push_back(place.second);
    return refs;
}

void ChartCanvas::keyPressEvent(QKeyEvent* event) {
    const bool rows = m_chart && m_chart->spec().hasRows();
    const bool forward = event->key() == Qt::Key_Right || event->key() == (rows ? Qt::Key_Down : Qt::Key_Up);
    const bool backward = event->key() == Qt::Key_Left || event->key() == (rows ? Qt::Key_Up : Qt::Key_Down);
    if (m_chart && (forward || backward)) {
        const auto refs = pointsInOrder();
        if (refs.empty()) return;
        const auto found = m_focused ? std::find(refs.begin(), refs.end(), *m_focused) : refs.end();
        auto next = forward ? refs.begin() : refs.end() - 1;
        if (found != refs.end() && forward && found + 1 != refs.end()) next = found + 1;
        if (found != refs.end() && backward && found != refs.begin()) next = found - 1;
        focusPoint(*next, true);
        return;
    }
    if (m_chart && m_focused && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        activate(*m_focused);
        return;
    }
    QWidget::keyPressEvent(event);
}

void ChartCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_chart || m_focused || event->reason() == Qt::MouseFocusReason) return;
    const auto refs = pointsInOrder();
    if (!refs.empty()) focusPoint(refs.front(), false);
}

void ChartCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (m_chart) focusPoint(std::nullopt, false);
}

void ChartCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (!m_chart || (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)) return;
    m_outdated = true;
    if (isVisible()) rebuild();
}

void ChartCanvas::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_outdated) rebuild();
}

ChartView::ChartView(QWidget* parent) : QWidget(parent) {
    m_canvas = new ChartCanvas(this);
    m_canvas->setObjectName(QStringLiteral("chartCanvas"));
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_canvas);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    addButtons();
    connect(m_canvas, &ChartCanvas::pointActivated, this, &ChartView::pointActivated);
}

// Created on demand: a table takes longer to build than the rest of the chart, and pages have many charts.
void ChartView::makeTablePage() {
    if (m_table) return;
    auto* page = new QWidget(m_stack);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(spacing::kSmall, scaled(44), spacing::kSmall, spacing::kSmall);
    m_model = new ChartTableModel(this);
    m_model->setSpec(m_spec);
    m_table = makeTable(m_model, tr("Data of the chart"), page);
    m_table->setObjectName(QStringLiteral("chartTable"));
    m_table->setAccessibleDescription(m_spec.title);
    layout->addWidget(m_table);
    m_stack->addWidget(page);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        const auto key = index.data(ChartTableModel::KeyRole).toString();
        if (!key.isEmpty()) emit pointActivated(key);
    });
}

void ChartView::addButtons() {
    m_buttons = new QWidget(this);
    auto* layout = new QHBoxLayout(m_buttons);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    const auto button = [&](const QString& name, const QString& iconName, const QString& text) {
        auto* result = new QToolButton(m_buttons);
        result->setObjectName(name);
        result->setIcon(icon(iconName, IconColour::Muted));
        result->setIconSize(scaled(QSize(18, 18)));
        result->setToolTip(text);
        result->setAccessibleName(text);
        result->setFocusPolicy(Qt::StrongFocus);
        layout->addWidget(result);
        return result;
    };
    m_tableButton = button(QStringLiteral("chartTableButton"), QStringLiteral("table"), tr("Show as table"));
    m_tableButton->setCheckable(true);
    m_copyButton = button(QStringLiteral("chartCopyButton"), QStringLiteral("copy"), tr("Copy the chart and its data"));
    m_exportButton = button(QStringLiteral("chartExportButton"), QStringLiteral("export"), tr("Export the chart"));
    m_exportButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_exportButton);
    const std::pair<ExportFormat, QString> formats[] = {
        {ExportFormat::Png, tr("Image (PNG)…")},
        {ExportFormat::Svg, tr("Drawing (SVG)…")},
        {ExportFormat::Pdf, tr("Page (PDF)…")},
        {ExportFormat::Csv, tr("Data (CSV)…")},
    };
    for (const auto& [format, text] : formats) {
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, chosen = format] { emit exportRequested(chosen); });
    }
    m_exportButton->setMenu(menu);
    connect(m_tableButton, &QToolButton::toggled, this, &ChartView::showTable);
    connect(m_copyButton, &QToolButton::clicked, this, &ChartView::copy);
}

void ChartView::setSpec(const ChartSpec& spec) {
    m_spec = spec;
    m_canvas->setSpec(spec, m_buttons->sizeHint().width() + spacing::kSmall);
    // The page's minimum, unless the rows of a chart need more.
    if (m_leastHeight < 0) m_leastHeight = minimumHeight();
    setMinimumHeight(std::max(m_leastHeight, m_canvas->minimumHeight()));
    if (m_table) {
        m_model->setSpec(spec);
        if (showsTable()) m_table->resizeColumnsToContents();
        m_table->setAccessibleDescription(spec.title);
    }
    for (auto* button : {m_tableButton, m_copyButton, m_exportButton}) button->setEnabled(spec.hasValues());
    if (!spec.hasValues()) m_tableButton->setChecked(false);
}

bool ChartView::showsTable() const {
    return m_stack->currentIndex() == 1;
}

void ChartView::showTable(bool table) {
    if (table) {
        makeTablePage();
        m_table->resizeColumnsToContents();
    }
    m_stack->setCurrentIndex(table ? 1 : 0);
    m_tableButton->setChecked(table);
    m_tableButton->setIcon(icon(table ? QStringLiteral("chart") : QStringLiteral("table"), IconColour::Muted));
    m_tableButton->setToolTip(table ? tr("Show as chart") : tr("Show as table"));
    m_tableButton->setAccessibleName(m_tableButton->toolTip());
    m_buttons->raise();
}

void ChartView::copy() {
    auto options = paperOptions();
    options.size = m_canvas->size();
    const auto drawn = drawChart(m_spec, options);
    auto* content = new QMimeData;
    content->setImageData(chartImage(drawn));
    content->setText(chartTabText(m_spec));
    content->setData(QStringLiteral("image/svg+xml"), chartSvg(drawn));
    QGuiApplication::clipboard()->setMimeData(content);
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButtons();
}

void ChartView::placeButtons() {
    const auto hint = m_buttons->sizeHint();
    m_buttons->setGeometry(width() - hint.width() - spacing::kSmall, spacing::kSmall - 2, hint.width(), hint.height());
    m_buttons->raise();
}

}  // namespace steelyard::ui
