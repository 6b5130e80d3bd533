// SPDX-License-Identifier: Apache-2.0
// Basic widgets of all pages: cards, eliding labels, badges, empty states, detail lists. Styled by the theme. Owned by
// their parent; GUI thread.
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <functional>
#include <vector>

#include "ui/text/table_content.h"
#include "ui/widgets/icons.h"

class QFormLayout;
class QGridLayout;
class QHBoxLayout;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace steelyard::ui {

[[nodiscard]] IconColour toneColour(Tone tone);
[[nodiscard]] const char* toneRole(Tone tone);

// Typing filters the entries by any part of their text; other input is rejected.
void makeSearchable(QComboBox* box);
// A label with a style-sheet role; wraps by default.
[[nodiscard]] QLabel* makeLabel(const QString& text, const char* role, QWidget* parent, bool wrap = true);
[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName, const char* role, QWidget* parent);
// A scroll area for a widget; as wide as the area, and not a tab stop.
QScrollArea* makeScrolled(QWidget* widget, QWidget* parent);
// An empty scroll area. Build large contents on its viewport(): reparenting a widget reapplies the style sheet to all
// its children, which is slow.
QScrollArea* makeScrollArea(QWidget* parent);

// A framed surface. Put content into body().
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(const QString& heading = {}, QWidget* parent = nullptr);
    [[nodiscard]] QVBoxLayout* body() { return m_body; }
    // The heading's row, for a button at its right.
    [[nodiscard]] QHBoxLayout* headingRow() { return m_headingRow; }
    void setHeading(const QString& heading);

private:
    QVBoxLayout* m_body = nullptr;
    QHBoxLayout* m_headingRow = nullptr;
    QLabel* m_heading = nullptr;
};

// One line that is elided if it does not fit, with the full text on hover.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;
    void setFullText(const QString& text);
    [[nodiscard]] QString fullText() const { return m_text; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString m_text;
};

// A combo box whose text is elided if it does not fit (a style sheet would clip it). Its list is as wide as the longest
// text.
class ElidedComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit ElidedComboBox(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

// An icon that follows the theme.
class IconLabel : public QLabel {
    Q_OBJECT

public:
    IconLabel(const QString& iconName, IconColour colour, int size, QWidget* parent = nullptr);
    void setIcon(const QString& iconName, IconColour colour);

protected:
    void changeEvent(QEvent* event) override;

private:
    void repaintIcon();
    QString m_iconName;
    IconColour m_colour;
    int m_size;
};

// A word with an icon in the colour of its tone.
class Badge : public QWidget {
    Q_OBJECT

public:
    explicit Badge(QWidget* parent = nullptr);
    void setState(Tone tone, const QString& text);
    // Allows several lines.
    void setWrapping();

private:
    IconLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
};

// Shown instead of missing content: what to do.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent = nullptr);
    // Adds a button below; the caller connects it.
    QPushButton* addButton(const QString& text, const QString& iconName, const char* role);
    void setText(const QString& text);

private:
    QLabel* m_text = nullptr;
    QVBoxLayout* m_layout = nullptr;
};

// Labels and values in two columns.
class DetailList : public QWidget {
    Q_OBJECT

public:
    explicit DetailList(QWidget* parent = nullptr);
    void setDetails(const std::vector<Detail>& details);

private:
    QGridLayout* m_grid = nullptr;
};

// Kind of a notice: determines which notices it replaces.
enum class NoticeKind {
    Message,  // something was done; replaced by the next message
    Run,      // state of the run; removed when the next one starts
    Undo,     // an undo option; stays until closed, used, or no longer possible
};

struct Notice {
    Tone tone = Tone::Neutral;
    QString text;
    QString action;  // text of its button; empty: only a close button
    std::function<void()> then;
    NoticeKind kind = NoticeKind::Message;
};

// A bar along the lower edge with the latest notice: "Run deleted. [Undo]". Earlier actionable notices are kept and
// shown again when it is closed.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void announce(const Notice& notice);
    // Closes the latest notice.
    void dismiss();
    void dismissAll(NoticeKind kind);
    // Triggers the latest undo option; false if there is none.
    bool undo();
    [[nodiscard]] QString text() const;

private:
    void showLatest();

    std::vector<Notice> m_notices;  // the latest last
    Badge* m_badge = nullptr;
    QLabel* m_more = nullptr;
    QPushButton* m_action = nullptr;
};

// Removes and deletes everything in a layout.
void clearLayout(class QLayout* layout);

}  // namespace steelyard::ui
