// SPDX-License-Identifier: Apache-2.0
// The look in one place: colours (light and dark), spacing, font sizes, the palette and the style sheet. Nothing is
// styled elsewhere: a widget sets a role (setRole) and, if it paints itself, uses the theme of its palette. Values
// only; GUI thread for functions that take a widget or the application.
#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QObject>
#include <QPalette>
#include <QSize>
#include <QString>
#include <array>
#include <optional>

class QApplication;
class QWidget;

namespace steelyard::ui {

struct Theme {
    bool dark = false;
    QColor window, surface, line, text, muted;
    QColor accent, onAccent;
    QColor good, caution, bad;
    QColor hover, pressed, selection;
    std::array<QColor, 7> series;

    [[nodiscard]] static const Theme& light();
    [[nodiscard]] static const Theme& darkTheme();
    // The theme of a palette, determined by the lightness of the window colour.
    [[nodiscard]] static const Theme& of(const QPalette& palette);
};

// Markers of the seven series, in order; shapes distinguish them without colour.
enum class Marker { Circle, Square, Triangle, Diamond, Cross, Ring, Bar };

namespace spacing {
inline constexpr int kStep = 4;
inline constexpr int kSmall = 8;
inline constexpr int kGap = 12;   // between cards
inline constexpr int kCard = 16;  // inside a card
inline constexpr int kPage = 24;  // around a page
inline constexpr int kRadius = 6;
}  // namespace spacing

namespace fontsize {  // pixels
inline constexpr int kSmall = 12;
inline constexpr int kBase = 13;
inline constexpr int kHeading = 15;
inline constexpr int kTitle = 20;
inline constexpr int kVerdict = 17;
inline constexpr int kFigure = 30;
}  // namespace fontsize

enum class ThemeChoice { System, Light, Dark };

// Roles of the style sheet; set with setRole.
namespace role {
inline constexpr auto kTitle = "title";            // a page's title
inline constexpr auto kHeading = "heading";        // a card's heading
inline constexpr auto kMuted = "muted";            // secondary text
inline constexpr auto kSmall = "small";            // secondary, smaller
inline constexpr auto kVerdict = "verdict";        // the sentence on Home
inline constexpr auto kFigure = "figure";          // a key figure
inline constexpr auto kFigureUnit = "figureUnit";  // its unit
inline constexpr auto kGood = "good";
inline constexpr auto kCaution = "caution";
inline constexpr auto kBad = "bad";
inline constexpr auto kPrimary = "primary";  // the primary action of a page
inline constexpr auto kHero = "hero";        // a large primary action, on Home
inline constexpr auto kDanger = "danger";    // stops or deletes
inline constexpr auto kQuiet = "quiet";      // a button without a frame
inline constexpr auto kMenu = "menu";        // a button that opens a menu
inline constexpr auto kNavigation = "navigation";
inline constexpr auto kNavigationIcon = "navigationIcon";  // without text
inline constexpr auto kCard = "card";
inline constexpr auto kNotice = "notice";
inline constexpr auto kWarning = "warning";  // a notice that warns
inline constexpr auto kMono = "mono";
inline constexpr auto kPaper = "paper";  // print preview: white in both palettes
}  // namespace role

// Sets the dynamic property that the style sheet selects by, and restyles the widget if it changed.
void setRole(QWidget* widget, const char* role);

[[nodiscard]] QPalette paletteOf(const Theme& theme);
[[nodiscard]] QString styleSheetOf(const Theme& theme);
// Text scale on screen, 1 to 2.5; stored in the application's font.
[[nodiscard]] double textScale();
// Scales a length designed in pixels at a text scale of 1, for elements that contain text.
[[nodiscard]] int scaled(int pixels);
[[nodiscard]] QSize scaled(const QSize& size);
// The system's font at the base size; on paper and on screen.
[[nodiscard]] QFont paperFont();
[[nodiscard]] QFont baseFont();
// For the screen: `pixels` at a text scale of 1.
[[nodiscard]] QFont fontOfSize(int pixels, QFont::Weight weight = QFont::Normal);

// Stores the desktop's palette at start and applies the selected theme and text size: palette and font to the
// application, the style sheet to the parts of its windows. With one style sheet on the application, a change would
// restyle every widget at once, those of hidden pages included. A visible part is restyled at once, a hidden one when
// it is shown. A window without parts, such as a dialog, is a part itself. Owned by main().
class ThemeController : public QObject {
    Q_OBJECT

public:
    explicit ThemeController(QApplication& application);
    void apply(ThemeChoice choice);
    // 1 to 2.5; nullopt: the desktop's. Existing widgets keep their sizes.
    void setTextScale(std::optional<double> scale);
    // Makes `widget` a part, with everything in it. Best called before children are created: Qt styles them once then.
    void addPart(QWidget* widget);
    // From the desktop's font size and font DPI (QT_FONT_DPI, Xft.dpi); 1 for ordinary sizes.
    [[nodiscard]] static double systemTextScale();
    // The desktop's preference, for the choice System.
    [[nodiscard]] bool systemIsDark() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle(QWidget* part);
    void restyleVisible();
    [[nodiscard]] bool isPartOrHasParts(const QWidget* widget) const;

    QApplication& m_application;
    QPalette m_systemPalette;
    ThemeChoice m_choice = ThemeChoice::System;
    QString m_styleSheet;
    QHash<QWidget*, bool> m_parts;  // true: has the current style sheet
};

}  // namespace steelyard::ui
