// SPDX-License-Identifier: Apache-2.0
// Rows that adapt to large text or a narrow window: FlowLayout wraps into lines, AdaptiveRow stacks its parts. Owned by
// their parent; GUI thread.
#pragma once

#include <QLayout>
#include <QWidget>
#include <vector>

class QBoxLayout;

namespace steelyard::ui {

// Items from left to right at their preferred size, in as many lines as necessary.
class FlowLayout final : public QLayout {
    Q_OBJECT

public:
    explicit FlowLayout(QWidget* parent, int gap);
    ~FlowLayout() override;
    // Items of a line share its remaining width.
    void setFilling(bool filling) { m_filling = filling; }

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    [[nodiscard]] QSize sizeHint() const override;  // of a single line
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool apply) const;  // returns the height
    std::vector<QLayoutItem*> m_items;
    int m_gap = 0;
    bool m_filling = false;
};

// Children side by side if the width suffices for each of them, otherwise stacked.
class AdaptiveRow final : public QWidget {
    Q_OBJECT

public:
    explicit AdaptiveRow(QWidget* parent, int gap);
    // `least`: minimum width beside the others, in pixels at a text scale of 1; 0: its minimum size.
    void addWidget(QWidget* widget, int stretch = 0, int least = 0);
    // When stacked, the last one comes first: an answer above its form.
    void setLastFirst() { m_lastFirst = true; }
    [[nodiscard]] bool isStacked() const { return m_stacked; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void stackedChanged(bool stacked);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Part {
        QWidget* widget = nullptr;
        int least = 0;
        bool keepsWidth = false;
    };
    [[nodiscard]] int leastWidth(const Part& part) const;
    void decide();

    QBoxLayout* m_layout = nullptr;
    std::vector<Part> m_parts;
    bool m_stacked = false;
    bool m_lastFirst = false;
};

}  // namespace steelyard::ui
