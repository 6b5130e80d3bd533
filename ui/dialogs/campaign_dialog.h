// SPDX-License-Identifier: Apache-2.0
// Selects the recommended candidates to measure: machines to check, hosts of the user, the workload manager, limits of
// time and cost. Shows duration and cost of the measurements before anything starts. Queries run in the controllers;
// the dialog stays responsive. GUI thread; deletes itself when closed.
#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "engine/shortlist/shortlist.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/presenters/workload_catalogue.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTableView;

namespace steelyard::ui {

class Badge;
class Dialogs;
class RowsModel;

class CampaignDialog : public QDialog {
    Q_OBJECT

public:
    struct Parts {
        AdviceController& advice;  // has an answer
        CampaignController& campaigns;
        Dialogs& dialogs;
        AdviceSurroundings surroundings;
        WorkloadCatalogue catalogue;
        QString folder;  // proposed folder for the task files
    };
    // All references must outlive the dialog.
    explicit CampaignDialog(Parts parts, QWidget* parent = nullptr);

signals:
    // To be written, and with `start` also started; the dialog is closed.
    void planned(const steelyard::campaign::Campaign& campaign, bool start);

private:
    void addCandidates();
    void addHosts(QFormLayout* form);
    void addLimits(QFormLayout* form);
    void addDelivery(QFormLayout* form);
    void addPreview();
    QLineEdit* addLine(QFormLayout* form, const QString& label, const char* name, const QString& placeholder);
    void askSoon();
    void ask();
    void showPlan(const shortlist::Shortlist& shortlist);
    void refuse(const Error& error);
    void showButtons();
    void finish(bool start);
    // Unset if a host is invalid: the reason is shown.
    [[nodiscard]] std::optional<shortlist::ShortlistRequest> request();
    [[nodiscard]] campaign::Engine hostEngine() const;
    [[nodiscard]] bool anyRented() const;
    // Workload managers of the shown campaign that are not installed.
    [[nodiscard]] QStringList missingEngines() const;

    Parts m_parts;
    QTimer m_delay;
    std::optional<campaign::Campaign> m_campaign;  // as shown
    QFormLayout* m_form = nullptr;
    QListWidget* m_candidates = nullptr;
    QLineEdit* m_hosts = nullptr;
    QComboBox* m_engine = nullptr;
    QLineEdit* m_partition = nullptr;
    QSpinBox* m_minutes = nullptr;
    QCheckBox* m_limited = nullptr;
    QDoubleSpinBox* m_budget = nullptr;
    QCheckBox* m_suite = nullptr;
    QLineEdit* m_bundle = nullptr;
    QLineEdit* m_folder = nullptr;
    RowsModel* m_rows = nullptr;
    QTableView* m_table = nullptr;
    Badge* m_state = nullptr;
    QLabel* m_notes = nullptr;
    QPushButton* m_write = nullptr;
    QPushButton* m_start = nullptr;
};

}  // namespace steelyard::ui
