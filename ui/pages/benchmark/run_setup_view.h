// SPDX-License-Identifier: Apache-2.0
// Selects what to run: suites, the tree of workloads, modes, devices, batch, threads, precision, time cap, with the
// resulting number of cases and duration. One function decides whether it may start. GUI thread; owned by the Benchmark
// page.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/controllers/run_estimate.h"
#include "ui/pages/window_context.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;
class QVBoxLayout;

namespace steelyard::ui {

class Card;
class CaseFilter;
class CaseTreeModel;
class GpuChoice;

class RunSetupView : public QWidget {
    Q_OBJECT

public:
    explicit RunSetupView(WindowContext& context, QWidget* parent = nullptr);

    [[nodiscard]] bench::RunRequest request() const;
    // Why the button is disabled; empty if the run may start.
    [[nodiscard]] QString whyNot() const;
    void selectSuite(const std::string& id);
    void selectWorkloads(const std::vector<std::string>& ids);
    // Time cap and interval width may have changed on the Settings page.
    void showProtocol();

signals:
    void runRequested();
    void addNetworkRequested();
    void networkRemovalRequested(const QString& id);

private:
    [[nodiscard]] Card* makeWhatCard();
    void makeNumberFields(QWidget* parent);
    [[nodiscard]] Card* makeHowCard();
    [[nodiscard]] Card* makeStartCard();
    void showCatalogue();
    void restoreChoice();
    void suiteChosen();
    void checkedByUser();
    void choiceChanged();
    void showEstimate(const RunEstimate& estimate);
    void showWhatIsAsked();
    void showAllFamilies();
    void showAddedNetwork();
    void showRemoval();
    void showTreeMenu(const QPoint& place);
    [[nodiscard]] QString currentUserNetwork() const;
    void resizeColumns();
    void orderTabs();

    WindowContext& m_context;
    QComboBox* m_suite = nullptr;
    QLineEdit* m_search = nullptr;
    QCheckBox* m_onlyRunnable = nullptr;
    CaseTreeModel* m_model = nullptr;
    CaseFilter* m_filter = nullptr;
    QTreeView* m_tree = nullptr;
    QPushButton* m_removeNetwork = nullptr;
    QCheckBox* m_train = nullptr;
    QCheckBox* m_infer = nullptr;
    QVBoxLayout* m_deviceBox = nullptr;
    QVBoxLayout* m_precisionBox = nullptr;
    QFormLayout* m_form = nullptr;
    GpuChoice* m_gpus = nullptr;
    std::vector<std::pair<std::string, QCheckBox*>> m_devices;
    std::vector<std::pair<plan::Precision, QCheckBox*>> m_precisions;
    QLineEdit* m_batch = nullptr;
    QLineEdit* m_threads = nullptr;
    QDoubleSpinBox* m_timeCap = nullptr;
    QCheckBox* m_realData = nullptr;
    QCheckBox* m_precise = nullptr;
    QLabel* m_estimateText = nullptr;
    QPushButton* m_runButton = nullptr;
    RunEstimate m_estimate;
    QString m_addedNetwork;  // to be selected once the catalogue has it
};

}  // namespace steelyard::ui
