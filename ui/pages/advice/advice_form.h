// SPDX-License-Identifier: Apache-2.0
// The inputs of Cost & advice: job, priority, limits, providers. Emits changed() on every change by the user. Choosing
// a network sets its defaults (usual_job.h), except for fields edited by the user. A preset fills the fields, is
// indicated, and can be undone; editing one of them leaves the preset. Owned by its page; GUI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "ui/presenters/advice/advice_question.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QMenu;
class QPushButton;
class QSlider;
class QSpinBox;
class QVBoxLayout;

namespace steelyard::ui {

class AdviceForm : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWeightSteps = 10;  // of the slider, per 1
    static constexpr int kMostWeight = 5;

    explicit AdviceForm(QWidget* parent = nullptr);
    // Sets the choices; the selection is kept if still available.
    void setOptions(const AdviceOptions& options);
    void setQuestion(const AdviceQuestion& question);
    [[nodiscard]] AdviceQuestion question() const;
    // Training or inference; set by the page, which offers the kinds of job.
    void setMode(plan::Mode mode);
    // As if it had been selected in the list; deferred until it is listed.
    void chooseWorkload(const std::string& id);
    // Takes over the job of a question; priorities and limits are kept.
    void setJob(const AdviceQuestion& job);

signals:
    void changed();
    void addNetworkRequested();
    void networkRemovalRequested(const QString& id);

private:
    void buildJob(QVBoxLayout* layout);
    void buildGoal(QVBoxLayout* layout);
    void buildPlaces(QVBoxLayout* layout);
    void connectAll();
    struct Usual {
        int batch = 0;
        double epochs = 0, samples = 0;
        plan::Precision precision = plan::Precision::Fp32;
    };
    [[nodiscard]] std::optional<Usual> usualOf(const AdviceQuestion& question) const;
    void followUsual();
    void workloadChosen();
    void workloadTyped();
    void useUsualValues();
    void showUsual();
    void showPreset();
    void presetChosen();
    void valueChanged(bool preset);
    void showSize();
    void showWeight();
    void showProviders();
    void fillProviders(const std::vector<std::string>& chosen);

    AdviceOptions m_options;
    bool m_filling = false;
    std::string m_shownWorkload;                   // the last one selected
    std::optional<Usual> m_shownUsual;             // defaults of the job in the fields
    std::optional<AdviceQuestion> m_beforePreset;  // the values before the first preset; set while one is active
    QPushButton* m_usual = nullptr;
    QPushButton* m_undoPreset = nullptr;
    QLabel* m_presetText = nullptr;
    QComboBox* m_preset = nullptr;
    QComboBox* m_workload = nullptr;
    QPushButton* m_removeNetwork = nullptr;
    QComboBox* m_mode = nullptr;
    QSpinBox* m_batch = nullptr;
    QComboBox* m_precision = nullptr;
    QComboBox* m_software = nullptr;
    QComboBox* m_size = nullptr;
    QDoubleSpinBox* m_epochs = nullptr;
    QDoubleSpinBox* m_samples = nullptr;
    QDoubleSpinBox* m_steps = nullptr;
    QLabel* m_epochsLabel = nullptr;
    QLabel* m_samplesLabel = nullptr;
    QLabel* m_stepsLabel = nullptr;
    QComboBox* m_priority = nullptr;
    QSlider* m_weight = nullptr;
    QDoubleSpinBox* m_budget = nullptr;
    QDoubleSpinBox* m_deadline = nullptr;
    QCheckBox* m_spot = nullptr;
    QCheckBox* m_ownComputer = nullptr;
    QPushButton* m_providers = nullptr;
    QMenu* m_providerMenu = nullptr;
    std::vector<std::string> m_keptProviders;  // selected before the choices were known
};

}  // namespace steelyard::ui
