// SPDX-License-Identifier: Apache-2.0
// The dialogs of the window behind an interface, so that tests can answer them. GUI thread.
#pragma once

#include <QString>
#include <QUrl>
#include <optional>
#include <vector>

#include "engine/history/history_store.h"

class QWidget;

namespace steelyard::ui {

class PreferencesStore;

struct Question {
    QString title;
    QString text;
    QString detail;  // small text below
    QString accept;  // text of the confirming button
    QString reject;  // text of the cancelling button
    bool dangerous = false;
};

class Dialogs {
public:
    virtual ~Dialogs() = default;
    // Empty if cancelled. Filter as in QFileDialog: "Results (*.json)".
    [[nodiscard]] virtual QString openFile(QWidget* parent, const QString& title, const QString& filter) = 0;
    [[nodiscard]] virtual QString saveFile(QWidget* parent, const QString& title, const QString& suggestion,
                                           const QString& filter) = 0;
    // An existing or new file.
    [[nodiscard]] virtual QString chooseFile(QWidget* parent, const QString& title, const QString& suggestion,
                                             const QString& filter) = 0;
    [[nodiscard]] virtual QString chooseFolder(QWidget* parent, const QString& title) = 0;
    [[nodiscard]] virtual bool confirm(QWidget* parent, const Question& question) = 0;
    // The runs (newest first) to delete; unset if cancelled.
    [[nodiscard]] virtual std::optional<history::PruneRule> choosePruning(
        QWidget* parent, const std::vector<history::RunOverview>& runs) = 0;
    virtual void showError(QWidget* parent, const QString& title, const QString& text) = 0;
    // `text` is HTML (HelpText).
    virtual void showHelp(QWidget* parent, const QString& title, const QString& text) = 0;
    // Selectable text; true if the user pressed the button named by `action`.
    [[nodiscard]] virtual bool previewText(QWidget* parent, const QString& title, const QString& text,
                                           const QString& action) = 0;
    // A web page or folder, in the desktop's default program.
    virtual void open(const QUrl& place) = 0;
};

// Real dialogs, modal to the window. They begin in the folder of the last file, also of an earlier session.
class SystemDialogs final : public Dialogs {
public:
    // The store must outlive the dialogs.
    explicit SystemDialogs(PreferencesStore& preferences) : m_preferences(preferences) {}
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
    [[nodiscard]] QString startFolder() const;
    void remember(const QString& file);

    PreferencesStore& m_preferences;
};

}  // namespace steelyard::ui
