// SPDX-License-Identifier: Apache-2.0
// The small parts that every page is built from: cards, labels that elide, badges, empty states, lists of details. All
// take their look from the theme. Owned by their parent; GUI thread.
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

// Entries are found by typing any part of their text; what is no entry is not taken.
void makeSearchable(QComboBox* box);
// A label with a role of the style sheet; wraps unless told otherwise.
[[nodiscard]] QLabel* makeLabel(const QString& text, const char* role, QWidget* parent, bool wrap = true);
[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName, const char* role, QWidget* parent);
// Scrolls a widget that may be taller than the room for it; as wide as the room, and not a stop of the Tab key.
QScrollArea* makeScrolled(QWidget* widget, QWidget* parent);
// The same, still empty. Large contents are built on its viewport(): a style sheet is applied again, which is slow, to
// everything in a widget that moves to another parent.
QScrollArea* makeScrollArea(QWidget* parent);

// A surface with a line around it. Put content into body().
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(const QString& heading = {}, QWidget* parent = nullptr);
    [[nodiscard]] QVBoxLayout* body() { return m_body; }
    // The row of the heading, for a button at its right.
    [[nodiscard]] QHBoxLayout* headingRow() { return m_headingRow; }
    void setHeading(const QString& heading);

private:
    QVBoxLayout* m_body = nullptr;
    QHBoxLayout* m_headingRow = nullptr;
    QLabel* m_heading = nullptr;
};

// One line that ends in an ellipsis where it does not fit, and tells the whole on hover.
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

// A choice whose text ends in an ellipsis where it does not fit (a style sheet cuts it off). Its list is as wide as its
// longest text.
class ElidedComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit ElidedComboBox(QWidget* parent = nullptr);
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
    // A sentence, which may need several lines.
    void setWrapping();

private:
    IconLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
};

// What to do when there is nothing to show.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent = nullptr);
    // A button below; the caller connects it.
    QPushButton* addButton(const QString& text, const QString& iconName, const char* role);
    void setText(const QString& text);

private:
    QLabel* m_text = nullptr;
    QVBoxLayout* m_layout = nullptr;
};

// Labels and their values in two columns.
class DetailList : public QWidget {
    Q_OBJECT

public:
    explicit DetailList(QWidget* parent = nullptr);
    void setDetails(const std::vector<Detail>& details);

private:
    QGridLayout* m_grid = nullptr;
};

// What a notice is about: decides what it takes the place of.
enum class NoticeKind {
    Message,  // something was done; the next message takes its place
    Run,      // how the run stands; gone when the next one starts
    Undo,     // something can be brought back; stays until it is closed, used, or no longer possible
};

struct Notice {
    Tone tone = Tone::Neutral;
    QString text;
    QString action;  // the word on its button; empty: only the button to close it
    std::function<void()> then;
    NoticeKind kind = NoticeKind::Message;
};

// A bar along the lower edge with the latest notice: "Run deleted. [Undo]". Earlier ones that can still be acted on
// wait below it and come back when it is closed.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void announce(const Notice& notice);
    // The latest.
    void dismiss();
    void dismissAll(NoticeKind kind);
    // Does what the latest notice with an undo offers; false when there is none.
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
