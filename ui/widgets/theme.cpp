// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFontDatabase>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <cmath>
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
#include <QStyleHints>
#endif

namespace steelyard::ui {
namespace {

constexpr double kLargestTextScale = 2.5;

Theme makeLight() {
    Theme theme;
    theme.window = QColor(0xF6F7F9);
    theme.surface = QColor(0xFFFFFF);
    theme.line = QColor(0xD0D7DE);
    theme.text = QColor(0x1B1F24);
    theme.muted = QColor(0x57606A);
    theme.accent = QColor(0x0B5CAD);
    theme.onAccent = QColor(0xFFFFFF);
    theme.good = QColor(0x166C2E);
    theme.caution = QColor(0x805600);
    theme.bad = QColor(0xC1272D);
    theme.hover = QColor(0xEEF1F4);
    theme.pressed = QColor(0xE2E7EC);
    theme.selection = QColor(0xDCE9F7);
    // Distinguishable with normal vision, deuteranopia and protanopia, and 3:1 against the surface (palette_test).
    theme.series = {QColor(0x004FA9), QColor(0xE3710D), QColor(0x33A47E), QColor(0xC472BA),
                    QColor(0x4E3900), QColor(0xE2004A), QColor(0x40233A)};
    return theme;
}

Theme makeDark() {
    Theme theme;
    theme.dark = true;
    theme.window = QColor(0x15181C);
    theme.surface = QColor(0x1E2227);
    theme.line = QColor(0x3A424B);
    theme.text = QColor(0xE6EAEE);
    theme.muted = QColor(0x9AA5B1);
    theme.accent = QColor(0x6CB2FF);
    theme.onAccent = QColor(0x0E1216);
    theme.good = QColor(0x4AC26B);
    theme.caution = QColor(0xE3B341);
    theme.bad = QColor(0xFF7B72);
    theme.hover = QColor(0x272D34);
    theme.pressed = QColor(0x313840);
    theme.selection = QColor(0x22384F);
    theme.series = {QColor(0x1F9DED), QColor(0xF67743), QColor(0x7DF7A7), QColor(0xEDC5FF),
                    QColor(0xE7E226), QColor(0xA94E85), QColor(0x92BFAF)};
    return theme;
}

QString cssColour(const QColor& colour) {
    return colour.name(QColor::HexRgb);
}

}  // namespace

const Theme& Theme::light() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::of(const QPalette& palette) {
    return palette.color(QPalette::Active, QPalette::Window).lightness() < 128 ? darkTheme() : light();
}

void setRole(QWidget* widget, const char* role) {
    if (widget->property("role").toByteArray() == role) return;
    widget->setProperty("role", QByteArray(role));
    if (!widget->testAttribute(Qt::WA_WState_Polished)) return;  // Qt will, before it is shown
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::AlternateBase, theme.window);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Button, theme.surface);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.bad);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::ToolTipBase, theme.surface);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Light, theme.hover);
    palette.setColor(QPalette::Midlight, theme.hover);
    palette.setColor(QPalette::Mid, theme.line);  // Fusion's outlines: the default is hardly visible on dark
    palette.setColor(QPalette::Dark, theme.line);
    palette.setColor(QPalette::Shadow, theme.line);
    for (const auto colourRole : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, colourRole, theme.muted);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.muted);
    return palette;
}

QString styleSheetOf(const Theme& theme) {
    QFile file(QStringLiteral(":/steelyard/themes/steelyard.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QString> tokens[] = {
        {"%window%", cssColour(theme.window)},
        {"%surface%", cssColour(theme.surface)},
        {"%line%", cssColour(theme.line)},
        {"%text%", cssColour(theme.text)},
        {"%muted%", cssColour(theme.muted)},
        {"%accent%", cssColour(theme.accent)},
        {"%on-accent%", cssColour(theme.onAccent)},
        {"%good%", cssColour(theme.good)},
        {"%caution%", cssColour(theme.caution)},
        {"%bad%", cssColour(theme.bad)},
        {"%hover%", cssColour(theme.hover)},
        {"%pressed%", cssColour(theme.pressed)},
        {"%selection%", cssColour(theme.selection)},
        {"%accent-hover%", cssColour(theme.dark ? theme.accent.lighter(112) : theme.accent.darker(115))},
        {"%images%",
         theme.dark ? QStringLiteral(":/steelyard/themes/dark") : QStringLiteral(":/steelyard/themes/light")},
        {"%size-small%", QString::number(scaled(fontsize::kSmall))},
        {"%size-base%", QString::number(scaled(fontsize::kBase))},
        {"%size-heading%", QString::number(scaled(fontsize::kHeading))},
        {"%size-title%", QString::number(scaled(fontsize::kTitle))},
        {"%size-verdict%", QString::number(scaled(fontsize::kVerdict))},
        {"%size-figure%", QString::number(scaled(fontsize::kFigure))},
        {"%line-height%", QString::number(scaled(18))},
        {"%field-height%", QString::number(scaled(20))},
        {"%indicator%", QString::number(scaled(15))},
        {"%indicator-radius%", QString::number(scaled(15) / 2 + 1)},
        {"%chevron%", QString::number(scaled(12))},
        {"%scroller%", QString::number(scaled(26))},
        {"%arrow%", QString::number(scaled(10))},
        {"%radius%", QString::number(spacing::kRadius)},
    };
    for (const auto& [name, value] : tokens) sheet.replace(QLatin1String(name), value);
    return sheet;
}

double textScale() {
    // Before our font is set, or if a test sets a point size, the design size applies.
    const int pixels = QApplication::font().pixelSize();
    return pixels > 0 ? std::clamp(pixels / double{fontsize::kBase}, 1.0, kLargestTextScale) : 1.0;
}

int scaled(int pixels) {
    return static_cast<int>(std::lround(pixels * textScale()));
}

QSize scaled(const QSize& size) {
    return {scaled(size.width()), scaled(size.height())};
}

QFont paperFont() {
    auto font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPixelSize(fontsize::kBase);
    return font;
}

QFont baseFont() {
    auto font = paperFont();
    font.setPixelSize(scaled(fontsize::kBase));
    return font;
}

QFont fontOfSize(int pixels, QFont::Weight weight) {
    auto font = baseFont();
    font.setPixelSize(scaled(pixels));
    font.setWeight(weight);
    return font;
}

ThemeController::ThemeController(QApplication& application)
    : m_application(application), m_systemPalette(QApplication::palette()) {
    m_application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    setTextScale(std::nullopt);
    m_application.installEventFilter(this);
}

double ThemeController::systemTextScale() {
    constexpr double kOrdinaryDpi = 96;
    constexpr double kOrdinaryPoints = 11;  // desktops use 9 to 11
    constexpr double kNoticeable = 1.1;
    const auto* screen = QGuiApplication::primaryScreen();
    double scale = screen ? screen->logicalDotsPerInch() / kOrdinaryDpi : 1.0;
    scale *= std::max(1.0, QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF() / kOrdinaryPoints);
    return scale < kNoticeable ? 1.0 : std::min(scale, kLargestTextScale);
}

void ThemeController::setTextScale(std::optional<double> scale) {
    auto font = paperFont();
    const double factor = std::clamp(scale.value_or(systemTextScale()), 1.0, kLargestTextScale);
    font.setPixelSize(static_cast<int>(std::lround(fontsize::kBase * factor)));
    if (font == QApplication::font()) return;
    m_application.setFont(font);
    if (!m_styleSheet.isEmpty()) apply(m_choice);
}

bool ThemeController::systemIsDark() const {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto scheme = m_application.styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark;
#endif
    return m_systemPalette.color(QPalette::Window).lightness() < 128;
}

void ThemeController::apply(ThemeChoice choice) {
    m_choice = choice;
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark());
    const auto& theme = dark ? Theme::darkTheme() : Theme::light();
    auto styleSheet = styleSheetOf(theme);
    if (styleSheet == m_styleSheet) return;
    m_styleSheet = std::move(styleSheet);
    m_application.setPalette(paletteOf(theme));
    // Qt posts it to the windows. Parts must not be styled with the old palette.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
    for (auto& styled : m_parts) styled = false;
    restyleVisible();
}

void ThemeController::addPart(QWidget* widget) {
    m_parts[widget] = false;
    connect(widget, &QObject::destroyed, this, [this, widget] { m_parts.remove(widget); });
    restyle(widget);
}

void ThemeController::restyle(QWidget* part) {
    m_parts[part] = true;
    part->setStyleSheet(m_styleSheet);
}

void ThemeController::restyleVisible() {
    const auto parts = m_parts.keys();
    for (auto* part : parts) {
        if (part->isVisible()) restyle(part);
    }
}

bool ThemeController::isPartOrHasParts(const QWidget* widget) const {
    for (const auto* ancestor = widget; ancestor; ancestor = ancestor->parentWidget()) {
        if (m_parts.contains(const_cast<QWidget*>(ancestor))) return true;
    }
    const auto parts = m_parts.keys();
    return std::any_of(parts.begin(), parts.end(), [&](const QWidget* part) { return part->window() == widget; });
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if ((type != QEvent::Show && type != QEvent::Polish) || !watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    if (type == QEvent::Show) {
        const auto part = m_parts.constFind(widget);
        if (part != m_parts.cend() && !*part) restyle(widget);
    } else if (widget->isWindow() && !widget->inherits("QTipLabel") && !isPartOrHasParts(widget)) {
        addPart(widget);  // a tool tip, which is excluded, takes the style sheet of its widget
    }
    return false;
}

}  // namespace steelyard::ui
