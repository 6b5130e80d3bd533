// SPDX-License-Identifier: Apache-2.0
// What every page is: a title, a row of actions at its right, content below, a help text, and what Ctrl+E exports.
// Pages ask for other pages and say things through signals; they do not know each other. Owned by the main window; GUI
// thread.
#pragma once

#include <QWidget>

class QLabel;
class QLayout;
class QScrollArea;
class QVBoxLayout;

namespace steelyard::bench {
struct RunRecord;
}

namespace steelyard::ui {

class ElidedLabel;
enum class Tone;

class Page : public QWidget {
    Q_OBJECT

public:
    explicit Page(const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const;
    // Shown by F1: what the page is for and how to read it.
    [[nodiscard]] virtual QString helpText() const = 0;
    // Ctrl+E; false when there is nothing to export.
    virtual bool exportContent() { return false; }
    // Called when the page comes to the front.
    virtual void entered() {}

signals:
    // "results", "benchmark", ...
    void pageRequested(const QString& page);
    // For the notice bar.
    void noticePosted(steelyard::ui::Tone tone, const QString& text);
    // The same, of a file or folder that was written and can be shown in its folder.
    void filePosted(const QString& text, const QString& file);
    // A network of the user's own is to be added: from this file, or from one to be asked for where it is empty.
    void ownNetworkRequested(const QString& file);
    // The network of the user with this workload's id is to leave the list.
    void networkRemovalRequested(const QString& id);
    // What this run measured is to be measured once more.
    void runAgainRequested(const steelyard::bench::RunRecord& run);

protected:
    // Breaks into lines where the width does not do.
    [[nodiscard]] QLayout* actions() { return m_actions; }
    [[nodiscard]] QVBoxLayout* content() { return m_content; }
    void setSubtitle(const QString& text);
    // Says in the notice bar where an exported file lies.
    void postExported(const QString& file);
    // Puts a widget that may be taller than the window into the content.
    QScrollArea* addScrolled(QWidget* widget);

private:
    QLabel* m_title = nullptr;
    ElidedLabel* m_subtitle = nullptr;
    QLayout* m_actions = nullptr;
    QVBoxLayout* m_content = nullptr;
};

}  // namespace steelyard::ui
