// SPDX-License-Identifier: Apache-2.0
// Selects the recommended candidates to measure: machines to check, hosts of the user, the workload manager, limits of
// time and cost. Shows duration and cost of the measurements before anything starts. Queries run in the controllers;
// the dialog stays responsive. GUI thread; deletes itself when closed.
#pragma once

#include <QDialog>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <optional>

#include "engine/shortlist/shortlist.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/presenters/workload_catalogue.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QHBoxLayout;
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
        QString bundle;  // proposed archive for rented machines
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
    // A path with a button that chooses it.
    QHBoxLayout* addPath(QFormLayout* form, const QString& label, QLineEdit* line, const char* button,
                         const std::function<QString()>& choose);
    void askSoon();
    void ask();
    void showPlan(const shortlist::Shortlist& shortlist);
    void refuse(const Error& error);
    // Rows of the form, notes and buttons, after any change.
    void showState();
    void finish(bool start);
    // Unset if a host is invalid: the reason is shown.
    [[nodiscard]] std::optional<shortlist::ShortlistRequest> request();
    [[nodiscard]] campaign::Engine hostEngine() const;
    [[nodiscard]] bool anyRented() const;
    // What must be entered before the files can be written, a sentence each.
    [[nodiscard]] QStringList missingFields() const;
    // Workload managers of the shown campaign that are not installed.
    [[nodiscard]] QStringList missingEngines() const;

    Parts m_parts;
    QTimer m_delay;
    QStringList m_leftOut;                         // reasons of the plan
    std::optional<campaign::Campaign> m_campaign;  // as shown
    QFormLayout* m_form = nullptr;
    QListWidget* m_candidates = nullptr;
    QLineEdit* m_hosts = nullptr;
    QComboBox* m_engine = nullptr;
    QLineEdit* m_partition = nullptr;
    QLineEdit* m_image = nullptr;
    QSpinBox* m_minutes = nullptr;
    QCheckBox* m_limited = nullptr;
    QDoubleSpinBox* m_budget = nullptr;
    QCheckBox* m_suite = nullptr;
    QLineEdit* m_bundle = nullptr;
    QHBoxLayout* m_bundleRow = nullptr;
    QLineEdit* m_folder = nullptr;
    RowsModel* m_rows = nullptr;
    QTableView* m_table = nullptr;
    Badge* m_state = nullptr;
    QLabel* m_notes = nullptr;
    QPushButton* m_write = nullptr;
    QPushButton* m_start = nullptr;
};

}  // namespace steelyard::ui
