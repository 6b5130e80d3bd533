// SPDX-License-Identifier: Apache-2.0
// Asks which runs to keep, and shows which ones will be deleted. GUI thread.
#pragma once

#include <QDialog>
#include <vector>

#include "engine/history/history_store.h"

class QCheckBox;
class QDateEdit;
class QLabel;
class QPushButton;
class QSpinBox;

namespace steelyard::ui {

class PruneDialog : public QDialog {
    Q_OBJECT

public:
    // Newest first.
    explicit PruneDialog(std::vector<history::RunOverview> runs, QWidget* parent = nullptr);
    [[nodiscard]] history::PruneRule rule() const;

private:
    // An option and its value in one row.
    QCheckBox* addChoice(const QString& text, const QString& name, QWidget* value);
    void showRule();

    std::vector<history::RunOverview> m_runs;
    QCheckBox* m_keepBox = nullptr;
    QSpinBox* m_keep = nullptr;
    QCheckBox* m_sinceBox = nullptr;
    QDateEdit* m_since = nullptr;
    QLabel* m_summary = nullptr;
    QPushButton* m_delete = nullptr;
};

}  // namespace steelyard::ui
