// SPDX-License-Identifier: Apache-2.0
// Which candidates of an advice to measure, and how: machines to tick, hosts of the user, the engine that reaches them,
// limits of time and money. Shows what the measurements take and may cost before anything starts. Asks through the
// controllers; the dialog answers meanwhile. GUI thread; deletes itself when closed.
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
        QString folder;  // proposed for the task files
    };
    // All that is borrowed outlives the dialog.
    explicit CampaignDialog(Parts parts, QWidget* parent = nullptr);

signals:
    // To be written, and with `start` to be started; the dialog has closed.
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
    // Nothing where a host is not written as it should be: the reason is shown.
    [[nodiscard]] std::optional<shortlist::ShortlistRequest> request();
    [[nodiscard]] campaign::Engine hostEngine() const;
    [[nodiscard]] bool anyRented() const;
    // Of the campaign as shown, those whose program is not here.
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
