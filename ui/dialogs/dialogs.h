// SPDX-License-Identifier: Apache-2.0
// The questions the window asks, behind an interface, so that a test answers them instead of a person. GUI thread.
#pragma once

#include <QString>
#include <QUrl>
#include <optional>
#include <vector>

#include "engine/history/history_store.h"

class QWidget;

namespace steelyard::ui {

struct Question {
    QString title;
    QString text;
    QString detail;  // smaller, below
    QString accept;  // the words on the button that does it
    QString reject;  // and on the one that does not
    bool dangerous = false;
};

class Dialogs {
public:
    virtual ~Dialogs() = default;
    // Empty when the user changed their mind. Filter as in QFileDialog: "Results (*.json)".
    [[nodiscard]] virtual QString openFile(QWidget* parent, const QString& title, const QString& filter) = 0;
    [[nodiscard]] virtual QString saveFile(QWidget* parent, const QString& title, const QString& suggestion,
                                           const QString& filter) = 0;
    // A file to work with, there already or to be made.
    [[nodiscard]] virtual QString chooseFile(QWidget* parent, const QString& title, const QString& suggestion,
                                             const QString& filter) = 0;
    [[nodiscard]] virtual QString chooseFolder(QWidget* parent, const QString& title) = 0;
    [[nodiscard]] virtual bool confirm(QWidget* parent, const Question& question) = 0;
    // Which of the runs (newest first) to delete; none when the user changed their mind.
    [[nodiscard]] virtual std::optional<history::PruneRule> choosePruning(
        QWidget* parent, const std::vector<history::RunOverview>& runs) = 0;
    virtual void showError(QWidget* parent, const QString& title, const QString& text) = 0;
    // `text` is HTML (HelpText).
    virtual void showHelp(QWidget* parent, const QString& title, const QString& text) = 0;
    // A text to read, to select and to copy; true when the user pressed the button named by `action`.
    [[nodiscard]] virtual bool previewText(QWidget* parent, const QString& title, const QString& text,
                                           const QString& action) = 0;
    // A page of the web, or a folder, in the desktop's program for it.
    virtual void open(const QUrl& place) = 0;
};

// The real ones, modal to the window. Remembers the last folder.
class SystemDialogs final : public Dialogs {
public:
    QString openFile(QWidget* parent, const QString& title, const QString& filter) override;
    QString saveFile(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter) override;
    QString chooseFile(QWidget* parent, const QString& title, const QString& suggestion,
                       const QString& filter) override;
    QString chooseFolder(QWidget* parent, const QString& title) override;
    bool confirm(QWidget* parent, const Question& question) override;
    std::optional<history::PruneRule> choosePruning(QWidget* parent,
                                                    const std::vector<history::RunOverview>& runs) override;
    void showError(QWidget* parent, const QString& title, const QString& text) override;
    void showHelp(QWidget* parent, const QString& title, const QString& text) override;
    bool previewText(QWidget* parent, const QString& title, const QString& text, const QString& action) override;
    void open(const QUrl& place) override;

private:
    QString m_folder;
};

}  // namespace steelyard::ui
