// SPDX-License-Identifier: Apache-2.0
// The navigation column: one button per page, with icon and text, or the icon alone in a narrow window; at the bottom
// the current run, visible on every page. GUI thread.
#pragma once

#include <QFrame>
#include <QString>
#include <vector>

class QButtonGroup;
class QLabel;
class QProgressBar;
class QToolButton;
class QVBoxLayout;

namespace steelyard::ui {

class ElidedLabel;

class Navigation : public QFrame {
    Q_OBJECT

public:
    static constexpr int kWide = 216;
    static constexpr int kNarrow = 60;

    explicit Navigation(QWidget* parent = nullptr);
    void addPage(const QString& id, const QString& iconName, const QString& title);
    void setCurrent(const QString& id);
    void setCollapsed(bool collapsed);
    [[nodiscard]] bool isCollapsed() const { return m_collapsed; }
    // Progress 0..1 of the current run; negative if unknown. Hidden by hideRun().
    void showRun(const QString& text, double progress);
    void hideRun();

signals:
    void pageChosen(const QString& id);
    void runClicked();

private:
    struct Entry {
        QString id;
        QString title;
        QToolButton* button = nullptr;
    };
    void applyWidth();

    QVBoxLayout* m_pages = nullptr;
    QButtonGroup* m_group = nullptr;
    std::vector<Entry> m_entries;
    QLabel* m_name = nullptr;
    QToolButton* m_runButton = nullptr;
    QProgressBar* m_runBar = nullptr;
    QString m_runText;
    bool m_collapsed = false;
};

}  // namespace steelyard::ui
