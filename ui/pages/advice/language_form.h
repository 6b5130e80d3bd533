// SPDX-License-Identifier: Apache-2.0
// The inputs for a question about a language model; the visible fields depend on the kind of job. Models are found by
// typing part of their name, or opened from a file. Emits changed() on every change by the user. Owned by its view; GUI
// thread.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "ui/presenters/advice/language_question.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QSpinBox;
class QVBoxLayout;

namespace steelyard::ui {

class Card;

class LanguageForm : public QWidget {
    Q_OBJECT

public:
    explicit LanguageForm(QWidget* parent = nullptr);
    // Sets the choices; the selection is kept if still available.
    void setOptions(const LanguageOptions& options);
    void setQuestion(const LanguageQuestion& question);
    void setTask(LanguageTask task);
    [[nodiscard]] LanguageQuestion question() const;
    // A config.json or GGUF file, instead of a model of the table.
    void chooseFile(const QString& file);

signals:
    void changed();
    void modelFileRequested();

private:
    enum Tasks { Chat = 1, Serve = 2, FineTune = 4, Fit = 8, Serving = Chat | Serve };
    struct Field {
        QWidget* label;
        QWidget* field;
        int tasks;
    };
    QVBoxLayout* makeCard(const QString& title, int tasks);
    void add(QVBoxLayout* layout, const QString& text, QWidget* field, const char* name, int tasks);
    QComboBox* makeSoftware();
    QDoubleSpinBox* number(const char* suffix, double low, double high, int decimals = 0);
    void buildModel();
    void buildLoad();
    void buildMoney();
    void buildFit();
    void buildTuning();
    void valueChanged();
    void modelChosen();
    void modelTyped();
    void showTask();
    void showContext();
    void fillFormats(bool withStored);
    void fillFields();

    LanguageOptions m_options;
    LanguageQuestion m_question;  // the values of the fields, including those hidden for this task
    bool m_filling = false;
    std::vector<Field> m_shown;
    std::vector<std::pair<Card*, int>> m_cards;
    QComboBox* m_model = nullptr;
    QComboBox* m_weights = nullptr;
    QCheckBox* m_smallCache = nullptr;
    QComboBox* m_software = nullptr;
    QDoubleSpinBox* m_prompt = nullptr;
    QDoubleSpinBox* m_answer = nullptr;
    QDoubleSpinBox* m_tokens = nullptr;  // million per month
    QDoubleSpinBox* m_speed = nullptr;
    QDoubleSpinBox* m_busy = nullptr;  // percent
    QDoubleSpinBox* m_years = nullptr;
    QCheckBox* m_spot = nullptr;
    QDoubleSpinBox* m_apiInput = nullptr;
    QDoubleSpinBox* m_apiOutput = nullptr;
    QSlider* m_context = nullptr;
    QLabel* m_contextText = nullptr;
    QDoubleSpinBox* m_batch = nullptr;
    QDoubleSpinBox* m_devices = nullptr;
    QComboBox* m_device = nullptr;
    QComboBox* m_method = nullptr;
    QDoubleSpinBox* m_rank = nullptr;
    QComboBox* m_tuningSoftware = nullptr;
    QDoubleSpinBox* m_datasetTokens = nullptr;  // million
    QDoubleSpinBox* m_epochs = nullptr;
    QDoubleSpinBox* m_stepTokens = nullptr;
    QDoubleSpinBox* m_sequence = nullptr;
    QCheckBox* m_checkpointing = nullptr;
};

}  // namespace steelyard::ui
