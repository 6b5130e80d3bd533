// SPDX-License-Identifier: Apache-2.0
// Base of all pages: a title, a row of actions at its right, content below, a help text, and content for Ctrl+E. Pages
// request other pages and post notices through signals; they do not know each other. Owned by the main window; GUI
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
struct WindowContext;
enum class Tone;

class Page : public QWidget {
    Q_OBJECT

public:
    Page(WindowContext& context, const QString& title, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const;
    // Shown by F1: purpose of the page and how to read it.
    [[nodiscard]] virtual QString helpText() const = 0;
    // Ctrl+E; false if there is nothing to export.
    virtual bool exportContent() { return false; }
    // Called when the page comes to the front.
    virtual void entered() {}

signals:
    // "results", "benchmark", ...
    void pageRequested(const QString& page);
    // For the notice bar.
    void noticePosted(steelyard::ui::Tone tone, const QString& text);
    // Likewise for a written file or folder, which can be shown in its folder.
    void filePosted(const QString& text, const QString& file);
    // Add a network from this file; if empty, ask for one.
    void addNetworkRequested(const QString& file);
    // Remove the user's network with this workload id from the list.
    void networkRemovalRequested(const QString& id);
    // Measure the cases of this run again.
    void runAgainRequested(const steelyard::bench::RunRecord& run);
    // Measure the remaining cases of a stored run.
    void resumeRequested(const QString& runId);

protected:
    // Wraps if the width does not suffice.
    [[nodiscard]] QLayout* actions() { return m_actions; }
    [[nodiscard]] QVBoxLayout* content() { return m_content; }
    void setSubtitle(const QString& text);
    // Posts a notice with the location of an exported file.
    void postExported(const QString& file);
    // Adds a widget that may be taller than the window.
    QScrollArea* addScrolled(QWidget* widget);

private:
    QLabel* m_title = nullptr;
    ElidedLabel* m_subtitle = nullptr;
    QLayout* m_actions = nullptr;
    QVBoxLayout* m_content = nullptr;
};

}  // namespace steelyard::ui
