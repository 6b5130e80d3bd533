// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/language_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/presenters/advice/language_presenter.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kContextSteps = 2 * 11;  // of the slider: 512 tokens to 1 Mi, two steps per octave
constexpr double kShortestContext = 512;
constexpr double kMillion = 1e6;

double contextAt(int step) {
    return kShortestContext * std::exp2(step / 2) * (step % 2 == 0 ? 1 : 1.5);
}

int stepOf(double context) {
    int best = 0;
    for (int step = 1; step <= kContextSteps; ++step)
        if (std::abs(std::log(contextAt(step) / context)) < std::abs(std::log(contextAt(best) / context))) best = step;
    return best;
}

int bitOf(LanguageTask task) {
    return 1 << static_cast<int>(task);
}

bool isGguf(const QString& model) {
    return model.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive);
}

void selectData(QComboBox* box, const QString& data) {
    if (const int row = box->findData(data); row >= 0) box->setCurrentIndex(row);
}

}  // namespace

LanguageForm::LanguageForm(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, spacing::kSmall, 0);
    layout->setSpacing(spacing::kGap);
    buildModel();
    buildFit();
    buildTuning();
    buildLoad();
    buildMoney();
    layout->addStretch(1);
    fillFields();
    showTask();
}

QVBoxLayout* LanguageForm::makeCard(const QString& title, int tasks) {
    auto* card = new Card(title, this);
    card->body()->setSpacing(spacing::kStep);
    static_cast<QVBoxLayout*>(layout())->addWidget(card);
    m_cards.emplace_back(card, tasks);
    return card->body();
}

void LanguageForm::add(QVBoxLayout* layout, const QString& text, QWidget* field, const char* name, int tasks) {
    auto* label = makeLabel(text, role::kSmall, field->parentWidget(), false);
    label->setBuddy(field);
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(text);
    field->setMinimumWidth(scaled(72));
    layout->addWidget(label);
    layout->addWidget(field);
    m_shown.push_back({label, field, tasks});
}

QDoubleSpinBox* LanguageForm::number(const char* suffix, double low, double high, int decimals) {
    auto* box = new NumberBox(this);
    box->setDecimals(decimals);
    box->setRange(low, high);
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setKeyboardTracking(false);
    box->setSuffix(QLatin1String(suffix));
    connect(box, &QDoubleSpinBox::valueChanged, this, &LanguageForm::valueChanged);
    return box;
}

QComboBox* LanguageForm::makeSoftware() {
    auto* box = new ElidedComboBox(this);
    box->addItem(tr("Automatic"), QString());
    connect(box, &QComboBox::activated, this, &LanguageForm::valueChanged);
    return box;
}

void LanguageForm::buildModel() {
    auto* body = makeCard(tr("The model"), Chat | Serve | FineTune | Fit);
    m_model = new QComboBox(this);
    makeSearchable(m_model);
    m_model->lineEdit()->setPlaceholderText(tr("Type a name"));
    add(body, tr("Model"), m_model, "languageModel", Chat | Serve | FineTune | Fit);
    auto* file = makeButton(tr("From a file…"), {}, role::kQuiet, this);
    file->setObjectName(QStringLiteral("languageFile"));
    file->setToolTip(tr("A config.json of Hugging Face, or a GGUF file; only its header is read."));
    body->addWidget(file, 0, Qt::AlignLeft);
    m_weights = new ElidedComboBox(this);
    add(body, tr("Weight format"), m_weights, "languageWeights", Chat | Serve | Fit);
    m_smallCache = new QCheckBox(tr("Cache in 8 bits"), this);
    m_smallCache->setObjectName(QStringLiteral("languageCache"));
    m_smallCache->setToolTip(tr("Keys and values of earlier tokens take half the memory."));
    body->addWidget(m_smallCache);
    m_shown.push_back({m_smallCache, m_smallCache, Chat | Serve | Fit});
    m_software = makeSoftware();
    m_software->setToolTip(
        tr("To chat and serve: the fastest with published speeds for the device and the format. To see "
           "what fits: llama.cpp, on this computer's processor this program."));
    add(body, tr("Software"), m_software, "languageSoftware", Chat | Serve | Fit);
    connect(file, &QPushButton::clicked, this, &LanguageForm::modelFileRequested);
    connect(m_model, &QComboBox::activated, this, &LanguageForm::modelChosen);
    connect(m_model->lineEdit(), &QLineEdit::editingFinished, this, &LanguageForm::modelTyped);
    connect(m_weights, &QComboBox::activated, this, &LanguageForm::valueChanged);
    connect(m_smallCache, &QCheckBox::toggled, this, &LanguageForm::valueChanged);
}

void LanguageForm::buildLoad() {
    auto* body = makeCard(tr("Load"), Serving);
    m_prompt = number("", 1, 1e7);
    m_prompt->setToolTip(tr("Tokens that go in with each request: in a chat, what was said so far as well"));
    add(body, tr("Prompt tokens"), m_prompt, "languagePrompt", Serving);
    m_answer = number("", 1, 1e7);
    add(body, tr("Output tokens"), m_answer, "languageAnswerTokens", Serving);
    m_tokens = number("", 0.001, 1e9, 3);
    add(body, tr("Million tokens per month"), m_tokens, "languageTokens", Serving);
    m_speed = number("", 0.1, 1e5, 1);
    add(body, tr("Lowest tokens/s per user"), m_speed, "languageSpeed", Serving);
}

void LanguageForm::buildMoney() {
    constexpr int kMachines = Serving | FineTune;
    auto* body = makeCard(tr("Money"), kMachines);
    m_busy = number(" %", 1, 100);
    m_busy->setToolTip(tr("Share of the month in which a machine works at most"));
    add(body, tr("Highest utilization"), m_busy, "languageBusy", kMachines);
    m_years = number("", 0.5, 20, 1);
    add(body, tr("Years that bought hardware is used"), m_years, "languageYears", kMachines);
    m_spot = new QCheckBox(tr("Include spot instances"), this);
    m_spot->setObjectName(QStringLiteral("languageSpot"));
    body->addWidget(m_spot);
    connect(m_spot, &QCheckBox::toggled, this, &LanguageForm::valueChanged);
    m_apiInput = number("", 0, 1e5, 3);
    m_apiOutput = number("", 0, 1e5, 3);
    for (auto* box : {m_apiInput, m_apiOutput}) {
        makeMoneyBox(*box, 1e5, 3);
        box->setSpecialValueText(tr("not set"));
        box->setToolTip(tr("A price of your own, per million tokens; both are needed."));
    }
    add(body, tr("Your API: %1 per million in").arg(Format::currencySymbol()), m_apiInput, "languageApiInput", Serving);
    add(body, tr("Your API: %1 per million out").arg(Format::currencySymbol()), m_apiOutput, "languageApiOutput",
        Serving);
}

void LanguageForm::buildFit() {
    auto* body = makeCard(tr("Context and batch"), Fit);
    m_context = new QSlider(Qt::Horizontal, this);
    m_context->setRange(0, kContextSteps);
    m_context->setPageStep(2);
    add(body, tr("Context"), m_context, "languageContext", Fit);
    m_contextText = static_cast<QLabel*>(m_shown.back().label);
    connect(m_context, &QSlider::valueChanged, this, [this] {
        showContext();
        valueChanged();
    });
    m_batch = number("", 1, 100'000);
    add(body, tr("Sequences at once"), m_batch, "languageBatch", Fit);
    m_devices = number("", 1, 64);
    m_devices->setToolTip(tr("They hold the layers in turn: more memory, no more speed."));
    add(body, tr("Devices together"), m_devices, "languageDevices", Fit);
    m_device = new QComboBox(this);
    makeSearchable(m_device);
    add(body, tr("Compare all models on"), m_device, "languageDevice", Fit);
    connect(m_device, &QComboBox::activated, this, &LanguageForm::valueChanged);
    connect(m_device->lineEdit(), &QLineEdit::editingFinished, this, &LanguageForm::modelTyped);
}

void LanguageForm::buildTuning() {
    using Method = advisor::FineTuning::Method;
    auto* body = makeCard(tr("Fine-tuning"), FineTune);
    m_method = new ElidedComboBox(this);
    for (const auto one : {Method::Qlora, Method::Lora, Method::FullBf16, Method::Full})
        m_method->addItem(LanguagePresenter::method(one), static_cast<int>(one));
    add(body, tr("Method"), m_method, "languageMethod", FineTune);
    connect(m_method, &QComboBox::activated, this, &LanguageForm::valueChanged);
    m_tuningSoftware = makeSoftware();
    m_tuningSoftware->setToolTip(tr("MLX on Apple devices, otherwise Transformers with PEFT"));
    add(body, tr("Software"), m_tuningSoftware, "languageTuningSoftware", FineTune);
    m_datasetTokens = number("", 0.001, 1e9, 3);
    add(body, tr("Data set (million tokens)"), m_datasetTokens, "languageDatasetTokens", FineTune);
    m_epochs = number("", 0.01, 1e4, 2);
    add(body, tr("Epochs"), m_epochs, "languageEpochs", FineTune);
    m_rank = number("", 1, 65536);
    add(body, tr("Adapter rank"), m_rank, "languageRank", FineTune);
    m_stepTokens = number("", 1, 1e8);
    m_stepTokens->setToolTip(tr("Sequences times their length"));
    add(body, tr("Tokens per step"), m_stepTokens, "languageStepTokens", FineTune);
    m_sequence = number("", 1, 1e8);
    m_sequence->setToolTip(tr("In tokens, at most those of a step"));
    add(body, tr("Sequence length"), m_sequence, "languageSequence", FineTune);
    m_checkpointing = new QCheckBox(tr("Recompute activations"), this);
    m_checkpointing->setObjectName(QStringLiteral("languageCheckpointing"));
    m_checkpointing->setToolTip(tr("Gradient checkpointing: less memory, about a third more work"));
    body->addWidget(m_checkpointing);
    connect(m_checkpointing, &QCheckBox::toggled, this, &LanguageForm::valueChanged);
}

void LanguageForm::modelChosen() {
    m_question = question();
    fillFields();  // formats depend on the model
    emit changed();
}

void LanguageForm::valueChanged() {
    if (m_filling) return;
    m_question = question();
    emit changed();
}

// Typed text is accepted if it names a model; otherwise the field shows the selection again.
void LanguageForm::modelTyped() {
    for (auto* box : {m_model, m_device}) {
        const int row = box->findText(box->currentText(), Qt::MatchFixedString);
        if (row >= 0 && row != box->currentIndex()) {
            box->setCurrentIndex(row);
            modelChosen();
        } else if (row < 0) {
            box->setEditText(box->itemText(box->currentIndex()));
        }
    }
}

void LanguageForm::showContext() {
    m_contextText->setText(tr("Context: %1 tokens").arg(Format::integer(std::llround(contextAt(m_context->value())))));
    m_context->setAccessibleDescription(m_contextText->text());
}

void LanguageForm::showTask() {
    const int bit = bitOf(m_question.task);
    for (const auto& [card, tasks] : m_cards) card->setVisible((tasks & bit) != 0);
    for (const auto& one : m_shown) {
        one.label->setVisible((one.tasks & bit) != 0);
        one.field->setVisible((one.tasks & bit) != 0);
    }
}

void LanguageForm::setTask(LanguageTask task) {
    m_question.task = task;
    fillFields();
    showTask();
}

void LanguageForm::chooseFile(const QString& file) {
    m_question.model = file.toStdString();
    if (isGguf(file)) m_question.weights.clear();
    fillFields();
    emit changed();
}

void LanguageForm::setOptions(const LanguageOptions& options) {
    m_options = options;
    {
        const QScopedValueRollback filling(m_filling, true);
        m_model->clear();
        for (const auto& one : options.models) m_model->addItem(plain(one.title), plain(one.id));
        m_weights->clear();
        for (const auto& [name, title] : options.weights) m_weights->addItem(plain(title), plain(name));
        for (const auto& [box, software] :
             {std::pair{m_software, &options.software}, std::pair{m_tuningSoftware, &options.tuningSoftware}}) {
            while (box->count() > 1) box->removeItem(1);
            for (const auto& [id, title] : *software) box->addItem(plain(title), plain(id));
        }
        m_device->clear();
        for (const auto& [id, name] : options.devices) m_device->addItem(plain(name), plain(id));
    }
    fillFields();
}

void LanguageForm::setQuestion(const LanguageQuestion& question) {
    m_question = question;
    fillFields();
    showTask();
}

// A GGUF file can be taken as it is.
void LanguageForm::fillFormats(bool withStored) {
    const int stored = m_weights->findData(QString());
    if (withStored && stored < 0 && m_weights->count() > 0) m_weights->insertItem(0, tr("As in the file"), QString());
    if (!withStored && stored >= 0) m_weights->removeItem(stored);
    if (!withStored && m_question.weights.empty()) m_question.weights = advisor::kUsualWeights;
    selectData(m_weights, plain(m_question.weights));
}

void LanguageForm::fillFields() {
    const QScopedValueRollback filling(m_filling, true);
    const auto& q = m_question;
    const auto model = plain(q.model);
    if (m_model->findData(model) < 0 && model.contains(QLatin1Char('/')))
        m_model->insertItem(0, QFileInfo(model).fileName(), model);
    selectData(m_model, model);
    fillFormats(isGguf(model));
    selectData(m_device, plain(q.device));
    selectData(m_software, plain(q.software));
    selectData(m_tuningSoftware, plain(q.tuningSoftware));
    m_smallCache->setChecked(q.smallCache);
    m_prompt->setValue(q.prompt);
    m_answer->setValue(q.answer);
    m_tokens->setValue(q.load().tokensPerMonth / kMillion);
    m_speed->setValue(q.load().userSpeed);
    m_busy->setValue(q.busy * 100);
    m_years->setValue(q.years);
    m_spot->setChecked(q.spot);
    setUsd(*m_apiInput, q.apiInput.value_or(0));
    setUsd(*m_apiOutput, q.apiOutput.value_or(0));
    m_context->setValue(stepOf(q.context));
    m_batch->setValue(q.batch);
    m_devices->setValue(q.devices);
    m_method->setCurrentIndex(std::max(0, m_method->findData(static_cast<int>(q.tuning.method))));
    m_rank->setValue(static_cast<double>(q.tuning.rank));
    m_datasetTokens->setValue(q.datasetTokens / kMillion);
    m_epochs->setValue(q.epochs);
    m_stepTokens->setValue(q.tuning.tokens);
    m_sequence->setValue(q.tuning.sequence);
    m_checkpointing->setChecked(q.tuning.checkpointing);
    showContext();
}

LanguageQuestion LanguageForm::question() const {
    auto q = m_question;
    const auto text = [](const QComboBox* box, std::string& value) {
        if (const auto chosen = box->currentData().toString(); !chosen.isEmpty()) value = chosen.toStdString();
    };
    text(m_model, q.model);
    if (m_weights->count() > 0) q.weights = m_weights->currentData().toString().toStdString();
    text(m_device, q.device);
    if (!m_options.software.empty()) q.software = m_software->currentData().toString().toStdString();
    if (!m_options.tuningSoftware.empty()) q.tuningSoftware = m_tuningSoftware->currentData().toString().toStdString();
    q.smallCache = m_smallCache->isChecked();
    q.prompt = m_prompt->value();
    q.answer = m_answer->value();
    q.load().tokensPerMonth = m_tokens->value() * kMillion;
    q.load().userSpeed = m_speed->value();
    q.busy = m_busy->value() / 100;
    q.years = m_years->value();
    q.spot = m_spot->isChecked();
    const bool isPriced = m_apiOutput->value() > 0;
    q.apiInput = isPriced ? std::optional(usdOf(*m_apiInput)) : std::nullopt;
    q.apiOutput = isPriced ? std::optional(usdOf(*m_apiOutput)) : std::nullopt;
    if (stepOf(q.context) != m_context->value()) q.context = contextAt(m_context->value());
    q.batch = m_batch->value();
    q.devices = m_devices->value();
    q.tuning.method = static_cast<advisor::FineTuning::Method>(m_method->currentData().toInt());
    q.tuning.rank = std::llround(m_rank->value());
    q.datasetTokens = m_datasetTokens->value() * kMillion;
    q.epochs = m_epochs->value();
    q.tuning.tokens = m_stepTokens->value();
    q.tuning.sequence = m_sequence->value();
    q.tuning.checkpointing = m_checkpointing->isChecked();
    return q;
}

}  // namespace steelyard::ui
