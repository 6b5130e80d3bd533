// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/advice/advice_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/text/status_text.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/money_box.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr const char* kAddNetwork = "?";  // not a valid workload name

// A label above its field, since the form is narrow.
QLabel* addField(QVBoxLayout* layout, const QString& text, QWidget* field, const char* name) {
    auto* label = makeLabel(text, role::kSmall, field->parentWidget(), false);
    label->setBuddy(field);
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(text);
    field->setMinimumWidth(scaled(72));  // the default width of a spin box is that of its largest number
    layout->addWidget(label);
    layout->addWidget(field);
    return label;
}

QDoubleSpinBox* countBox(QWidget* parent, double most) {
    auto* box = new QDoubleSpinBox(parent);
    box->setDecimals(0);
    box->setRange(1, most);
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setKeyboardTracking(false);
    return box;
}

QDoubleSpinBox* limitBox(QWidget* parent, const QString& none) {
    auto* box = new NumberBox(parent);
    box->setDecimals(1);
    box->setRange(0, 1e7);
    box->setSpecialValueText(none);
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setKeyboardTracking(false);
    return box;
}

ElidedComboBox* choiceBox(QWidget* parent) {
    auto* box = new ElidedComboBox(parent);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    return box;
}

void select(QComboBox* box, const QString& data) {
    box->setCurrentIndex(std::max(0, box->findData(data)));
}

}  // namespace

AdviceForm::AdviceForm(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, spacing::kSmall, 0);
    layout->setSpacing(spacing::kGap);
    buildJob(layout);
    buildGoal(layout);
    buildPlaces(layout);
    layout->addStretch(1);
    connectAll();
    setQuestion({});
}

void AdviceForm::buildJob(QVBoxLayout* layout) {
    auto* card = new Card(tr("The job"), this);
    auto* body = card->body();
    body->setSpacing(spacing::kStep);
    m_workload = new QComboBox(card);
    makeSearchable(m_workload);
    m_workload->lineEdit()->setPlaceholderText(tr("Type a name"));
    addField(body, tr("Network"), m_workload, "adviceWorkload");
    m_removeNetwork = makeButton(tr("Remove from the list"), {}, role::kQuiet, card);
    m_removeNetwork->setObjectName(QStringLiteral("adviceRemoveNetwork"));
    m_removeNetwork->setToolTip(tr("The file of the network stays."));
    body->addWidget(m_removeNetwork, 0, Qt::AlignLeft);
    connect(m_removeNetwork, &QPushButton::clicked, this,
            [this] { emit networkRemovalRequested(m_workload->currentData().toString()); });
    m_mode = choiceBox(card);
    for (const auto mode : {plan::Mode::Train, plan::Mode::Infer})
        m_mode->addItem(StatusText::mode(mode), plain(plan::toString(mode)));
    m_batch = new QSpinBox(card);
    m_batch->setRange(1, 1'000'000);
    m_batch->setKeyboardTracking(false);
    m_precision = choiceBox(card);
    for (const auto precision :
         {plan::Precision::Fp32, plan::Precision::Tf32, plan::Precision::Bf16, plan::Precision::Fp16})
        m_precision->addItem(plain(plan::toString(precision)), plain(plan::toString(precision)));
    m_mode->setObjectName(QStringLiteral("adviceMode"));
    m_mode->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kSmall);
    for (const auto& [text, field, name] :
         {std::tuple<QString, QWidget*, const char*>{tr("Batch"), m_batch, "adviceBatch"},
          {tr("Precision"), m_precision, "advicePrecision"}}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(spacing::kStep);
        addField(column, text, field, name);
        row->addLayout(column, 1);
    }
    body->addLayout(row);
    m_size = choiceBox(card);
    m_size->addItem(tr("epochs"), false);
    m_size->addItem(tr("steps"), true);
    addField(body, tr("Job length"), m_size, "adviceSize");
    m_epochs = countBox(card, 1e6);
    m_epochsLabel = addField(body, tr("Epochs"), m_epochs, "adviceEpochs");
    m_samples = countBox(card, 1e12);
    m_samplesLabel = addField(body, tr("Samples per epoch"), m_samples, "adviceSamples");
    m_steps = countBox(card, 1e12);
    m_stepsLabel = addField(body, tr("Steps"), m_steps, "adviceSteps");
    m_usual = makeButton(tr("Use the network's defaults"), {}, role::kQuiet, card);
    m_usual->setObjectName(QStringLiteral("adviceUsual"));
    m_usual->setToolTip(tr("Batch, epochs and samples as the network is usually trained"));
    body->addWidget(m_usual);
    m_software = choiceBox(card);
    addField(body, tr("Software"), m_software, "adviceSoftware");
    layout->addWidget(card);
}

void AdviceForm::buildGoal(QVBoxLayout* layout) {
    auto* card = new Card(tr("Priorities"), this);
    auto* body = card->body();
    body->setSpacing(spacing::kStep);
    m_preset = choiceBox(card);
    m_preset->addItem(tr("Custom settings"), QString());
    for (const auto& preset : advisor::presets()) m_preset->addItem(AdviceText::preset(preset.id), plain(preset.id));
    addField(body, tr("Preset"), m_preset, "advicePreset");
    m_presetText = makeLabel({}, role::kSmall, card);
    m_presetText->setObjectName(QStringLiteral("advicePresetText"));
    body->addWidget(m_presetText);
    m_undoPreset = makeButton(tr("Undo preset"), {}, role::kQuiet, card);
    m_undoPreset->setObjectName(QStringLiteral("adviceUndoPreset"));
    body->addWidget(m_undoPreset);
    m_priority = choiceBox(card);
    for (const auto priority : {advisor::Priority::Balanced, advisor::Priority::Cheapest, advisor::Priority::Fastest})
        m_priority->addItem(AdviceText::name(priority), plain(advisor::toString(priority)));
    addField(body, tr("Optimise for"), m_priority, "advicePriority");
    m_weight = new QSlider(Qt::Horizontal, card);
    m_weight->setRange(0, kMostWeight * kWeightSteps);
    m_weight->setPageStep(kWeightSteps / 2);
    addField(body, tr("Money matters ↔ time matters"), m_weight, "adviceWeight");
    m_budget = limitBox(card, tr("no limit"));
    useCurrency(*m_budget);
    addField(body, tr("Budget"), m_budget, "adviceBudget");
    m_deadline = limitBox(card, tr("no limit"));
    m_deadline->setSuffix(tr(" h"));
    addField(body, tr("Deadline"), m_deadline, "adviceDeadline");
    layout->addWidget(card);
}

void AdviceForm::buildPlaces(QVBoxLayout* layout) {
    auto* card = new Card(tr("Where"), this);
    auto* body = card->body();
    body->setSpacing(spacing::kStep);
    m_providers = makeButton({}, {}, role::kMenu, card);
    m_providerMenu = new QMenu(m_providers);
    m_providers->setMenu(m_providerMenu);
    addField(body, tr("Providers"), m_providers, "adviceProviders");
    m_spot = new QCheckBox(tr("Include spot instances"), card);
    m_spot->setObjectName(QStringLiteral("adviceSpot"));
    m_spot->setToolTip(tr("Cheaper, but the provider may take them back at any time."));
    m_ownComputer = new QCheckBox(tr("Include this computer"), card);
    m_ownComputer->setObjectName(QStringLiteral("adviceOwnComputer"));
    body->addWidget(m_spot);
    body->addWidget(m_ownComputer);
    layout->addWidget(card);
}

void AdviceForm::connectAll() {
    connect(m_workload, &QComboBox::activated, this, &AdviceForm::workloadChosen);
    connect(m_workload->lineEdit(), &QLineEdit::editingFinished, this, &AdviceForm::workloadTyped);
    connect(m_preset, &QComboBox::activated, this, &AdviceForm::presetChosen);
    connect(m_software, &QComboBox::activated, this, [this] {
        followUsual();
        valueChanged(false);
    });
    for (auto* box : {m_mode, m_precision, m_size})
        connect(box, &QComboBox::activated, this, [this] { valueChanged(false); });
    connect(m_batch, &QSpinBox::valueChanged, this, [this] { valueChanged(false); });
    for (auto* box : {m_epochs, m_samples, m_steps})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] { valueChanged(false); });
    connect(m_usual, &QPushButton::clicked, this, &AdviceForm::useUsualValues);
    connect(m_undoPreset, &QPushButton::clicked, this, [this] {
        m_preset->setCurrentIndex(0);
        presetChosen();
    });
    connect(m_priority, &QComboBox::activated, this, [this] { valueChanged(true); });
    connect(m_weight, &QSlider::valueChanged, this, [this] { valueChanged(true); });
    for (auto* box : {m_budget, m_deadline})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] { valueChanged(true); });
    connect(m_spot, &QCheckBox::toggled, this, [this] { valueChanged(true); });
    connect(m_ownComputer, &QCheckBox::toggled, this, [this] { valueChanged(false); });
}

void AdviceForm::valueChanged(bool preset) {
    showSize();
    showWeight();
    if (m_filling) return;
    if (preset) {  // the fields belong to the user from now on
        m_preset->setCurrentIndex(0);
        m_beforePreset.reset();
        showPreset();
    }
    showUsual();
    emit changed();
}

// Not set: the network in the list is unknown.
std::optional<AdviceForm::Usual> AdviceForm::usualOf(const AdviceQuestion& question) const {
    const auto* workload = m_options.find(question.workload);
    if (!workload) return std::nullopt;
    const auto usual = withUsual({}, *workload, workload->usual(question.mode));
    return Usual{static_cast<int>(usual.batch), usual.epochs, usual.samples,
                 advisor::usualPrecision(question.software)};
}

// Fields with the previous job's default values are updated; values entered by the user are kept.
void AdviceForm::followUsual() {
    const auto before = m_shownUsual;
    const auto now = usualOf(question());
    m_shownUsual = now;
    if (!now) return;
    const QScopedValueRollback filling(m_filling, true);
    const auto follow = [&](auto* box, auto Usual::*member) {
        if (!before || box->value() == (*before).*member) box->setValue((*now).*member);
    };
    follow(m_batch, &Usual::batch);
    follow(m_epochs, &Usual::epochs);
    follow(m_samples, &Usual::samples);
    if (before && question().precision == before->precision) select(m_precision, plain(plan::toString(now->precision)));
}

void AdviceForm::workloadChosen() {
    const auto id = m_workload->currentData().toString().toStdString();
    if (id == kAddNetwork) {
        select(m_workload, plain(m_shownWorkload));
        emit addNetworkRequested();
        return;
    }
    const auto* workload = m_options.find(id);
    if (workload && workload->usuallyInferred) select(m_mode, plain(plan::toString(plan::Mode::Infer)));
    m_shownWorkload = id;
    followUsual();
    valueChanged(false);
}

void AdviceForm::workloadTyped() {
    const int row = m_workload->findText(m_workload->currentText(), Qt::MatchFixedString);
    if (row < 0) {
        m_workload->setEditText(m_workload->itemText(m_workload->currentIndex()));
    } else if (row != m_workload->currentIndex()) {
        m_workload->setCurrentIndex(row);
        workloadChosen();
    }
}

void AdviceForm::useUsualValues() {
    const auto usual = usualOf(question());
    if (!usual) return;
    {
        const QScopedValueRollback filling(m_filling, true);
        m_batch->setValue(usual->batch);
        m_epochs->setValue(usual->epochs);
        m_samples->setValue(usual->samples);
    }
    valueChanged(false);
}

void AdviceForm::showUsual() {
    const auto asked = question();
    const auto* workload = m_options.find(asked.workload);
    m_removeNetwork->setVisible(workload && workload->isOwn());
    const auto usual = usualOf(asked);
    m_usual->setVisible(usual && (m_batch->value() != usual->batch || m_epochs->value() != usual->epochs ||
                                  m_samples->value() != usual->samples));
}

// "My own settings" restores the fields as before the first preset.
void AdviceForm::presetChosen() {
    if (const auto* preset = advisor::findPreset(m_preset->currentData().toString().toStdString())) {
        auto wanted = question();
        if (!m_beforePreset) m_beforePreset = wanted;
        const auto kept = m_beforePreset;
        setQuestion(withPreset(wanted, *preset));
        m_beforePreset = kept;
    } else if (m_beforePreset) {
        auto wanted = question();
        const auto& before = *m_beforePreset;
        wanted.preset.clear();
        wanted.priority = before.priority;
        wanted.timeWeight = before.timeWeight;
        wanted.budgetUsd = before.budgetUsd;
        wanted.deadlineHours = before.deadlineHours;
        wanted.spot = before.spot;
        setQuestion(wanted);
    }
    showPreset();
    emit changed();
}

// The values set by the preset.
void AdviceForm::showPreset() {
    const bool any = !m_preset->currentData().toString().isEmpty();
    m_undoPreset->setVisible(any && m_beforePreset.has_value());
    m_presetText->setVisible(any);
    if (!any) return;
    const auto limit = [](const QDoubleSpinBox* box) { return box->value() > 0 ? box->text() : tr("no limit"); };
    m_presetText->setText(tr("Sets: %1; budget %2; deadline %3; %4.")
                              .arg(m_priority->currentText(), limit(m_budget), limit(m_deadline),
                                   m_spot->isChecked() ? tr("spot instances included") : tr("no spot instances")));
}

void AdviceForm::setMode(plan::Mode mode) {
    if (question().mode == mode) return;
    select(m_mode, plain(plan::toString(mode)));
    followUsual();
    valueChanged(false);
}

void AdviceForm::chooseWorkload(const std::string& id) {
    const int row = m_workload->findData(plain(id));
    if (row < 0) return;
    m_workload->setCurrentIndex(row);
    workloadChosen();
}

void AdviceForm::setJob(const AdviceQuestion& job) {
    if (m_workload->findData(plain(job.workload)) < 0) return;
    auto wanted = question();
    wanted.workload = job.workload;
    wanted.mode = job.mode;
    wanted.batch = job.batch;
    wanted.precision = job.precision;
    wanted.software = job.software;
    wanted.bySteps = job.bySteps;
    wanted.epochs = job.epochs;
    wanted.samples = job.samples;
    const auto kept = m_beforePreset;
    setQuestion(wanted);
    m_beforePreset = kept;
    showPreset();
    emit changed();
}

void AdviceForm::setOptions(const AdviceOptions& options) {
    const auto chosen = question();
    m_options = options;
    {
        const QScopedValueRollback filling(m_filling, true);
        m_workload->clear();
        // First the entry for adding a network, then the user's networks.
        if (!options.workloads.empty()) m_workload->addItem(tr("Add a network…"), QLatin1String(kAddNetwork));
        bool ownsEnded = false;
        for (const auto& workload : options.workloads) {
            if (!ownsEnded && !workload.isOwn()) {
                m_workload->insertSeparator(m_workload->count());
                ownsEnded = true;
            }
            m_workload->addItem(
                workload.problem.empty() ? plain(workload.title) : tr("%1 (not available)").arg(plain(workload.title)),
                plain(workload.id));
            if (!workload.problem.empty())
                m_workload->setItemData(m_workload->count() - 1, MessageText::sentence(workload.problem),
                                        Qt::ToolTipRole);
        }
        m_software->clear();
        for (const auto& [name, title] : options.software)
            m_software->addItem(name == advisor::kThisEngine ? QStringLiteral("Steelyard") : plain(title), plain(name));
    }
    auto wanted = chosen;
    if (!options.find(wanted.workload)) wanted.workload.clear();
    setQuestion(wanted);
    if (!wanted.workload.empty()) return;
    // The first time: a well-known network with common training settings.
    if (const auto* first = options.find("resnet50")) {
        setQuestion(withUsual(wanted, *first, first->usual()));
    } else if (!options.workloads.empty()) {
        setQuestion(withUsual(wanted, options.workloads.front(), options.workloads.front().usual()));
    }
}

void AdviceForm::setQuestion(const AdviceQuestion& question) {
    const QScopedValueRollback filling(m_filling, true);
    select(m_workload, plain(question.workload));
    select(m_mode, plain(plan::toString(question.mode)));
    m_batch->setValue(static_cast<int>(std::min<std::int64_t>(question.batch, m_batch->maximum())));
    select(m_precision, plain(plan::toString(question.precision)));
    select(m_software, plain(question.software));
    m_size->setCurrentIndex(question.bySteps ? 1 : 0);
    m_epochs->setValue(question.epochs);
    m_samples->setValue(question.samples);
    m_steps->setValue(question.steps);
    select(m_preset, plain(question.preset));
    select(m_priority, plain(advisor::toString(question.priority)));
    m_weight->setValue(static_cast<int>(std::lround(question.timeWeight * kWeightSteps)));
    setUsd(*m_budget, question.budgetUsd.value_or(0));
    m_deadline->setValue(question.deadlineHours.value_or(0));
    m_spot->setChecked(question.spot);
    m_ownComputer->setChecked(question.ownComputer);
    m_keptProviders = question.providers;
    m_shownWorkload = question.workload;
    m_shownUsual = usualOf(question);
    m_beforePreset.reset();
    fillProviders(question.providers);
    showSize();
    showWeight();
    showUsual();
    showPreset();
}

AdviceQuestion AdviceForm::question() const {
    const auto chosen = [](const QComboBox* box) { return box->currentData().toString().toStdString(); };
    const auto limit = [](const QDoubleSpinBox* box) {
        return box->value() > 0 ? std::optional(box->value()) : std::nullopt;
    };
    AdviceQuestion q;
    q.workload = chosen(m_workload);
    q.mode = plan::modeFromString(chosen(m_mode)).value_or(q.mode);
    q.batch = m_batch->value();
    q.precision = plan::precisionFromString(chosen(m_precision)).value_or(q.precision);
    if (m_software->count() > 0) q.software = chosen(m_software);
    q.bySteps = m_size->currentData().toBool();
    q.epochs = m_epochs->value();
    q.samples = m_samples->value();
    q.steps = m_steps->value();
    q.preset = chosen(m_preset);
    q.priority = advisor::priorityFromString(chosen(m_priority)).value_or(q.priority);
    q.timeWeight = static_cast<double>(m_weight->value()) / kWeightSteps;
    if (limit(m_budget)) q.budgetUsd = usdOf(*m_budget);
    q.deadlineHours = limit(m_deadline);
    q.spot = m_spot->isChecked();
    q.ownComputer = m_ownComputer->isChecked();
    q.providers = m_keptProviders;
    return q;
}

void AdviceForm::showSize() {
    const bool steps = m_size->currentData().toBool();
    for (auto* widget : std::initializer_list<QWidget*>{m_epochs, m_epochsLabel, m_samples, m_samplesLabel})
        widget->setVisible(!steps);
    m_steps->setVisible(steps);
    m_stepsLabel->setVisible(steps);
}

void AdviceForm::showWeight() {
    const auto weight = Format::number(static_cast<double>(m_weight->value()) / kWeightSteps);
    m_weight->setToolTip(tr("Balanced minimises cost × time^%1.").arg(weight));
    m_weight->setEnabled(m_priority->currentData().toString() == plain(advisor::toString(advisor::Priority::Balanced)));
}

void AdviceForm::fillProviders(const std::vector<std::string>& chosen) {
    m_providerMenu->clear();
    for (const auto& provider : m_options.providers) {
        auto* action = m_providerMenu->addAction(plain(provider));
        action->setCheckable(true);
        action->setChecked(chosen.empty() || std::find(chosen.begin(), chosen.end(), provider) != chosen.end());
        connect(action, &QAction::toggled, this, [this, action] {
            const auto actions = m_providerMenu->actions();
            if (std::none_of(actions.begin(), actions.end(), [](const QAction* one) { return one->isChecked(); })) {
                action->setChecked(true);  // at least one stays selected
                return;
            }
            m_keptProviders.clear();
            const bool all =
                std::all_of(actions.begin(), actions.end(), [](const QAction* one) { return one->isChecked(); });
            for (const auto* one : actions) {
                if (!all && one->isChecked()) m_keptProviders.push_back(one->text().toStdString());
            }
            showProviders();
            valueChanged(false);
        });
    }
    showProviders();
}

void AdviceForm::showProviders() {
    m_providers->setText(m_keptProviders.empty()
                             ? tr("All providers")
                             : tr("%n provider(s)", nullptr, static_cast<int>(m_keptProviders.size())));
}

}  // namespace steelyard::ui
