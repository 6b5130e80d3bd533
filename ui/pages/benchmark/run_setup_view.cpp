// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/run_setup_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_controller.h"
#include "ui/models/case_tree_model.h"
#include "ui/pages/benchmark/gpu_choice.h"
#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/status_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/table.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

std::vector<std::string> plain(const QStringList& texts) {
    std::vector<std::string> result;
    for (const auto& text : texts) result.push_back(text.toStdString());
    return result;
}

QStringList texts(const std::vector<std::string>& values) {
    QStringList result;
    for (const auto& value : values) result << QString::fromStdString(value);
    return result;
}

// "16, 32" -> {16, 32}; other input is ignored (the validator prevents it).
std::vector<std::int64_t> numbersOf(const QString& text) {
    std::vector<std::int64_t> numbers;
    for (const auto& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const auto number = part.trimmed().toLongLong();
        if (number > 0) numbers.push_back(number);
    }
    return numbers;
}

// The checked items; empty if all available ones are checked, which is the default.
std::vector<std::string> chosen(const std::vector<std::pair<std::string, QCheckBox*>>& boxes) {
    std::vector<std::string> result;
    bool all = true;
    for (const auto& [id, box] : boxes) {
        if (box->isChecked()) result.push_back(id);
        all = all && (box->isChecked() || !box->isEnabled());
    }
    return all ? std::vector<std::string>() : result;
}

template <typename Key>
bool anyChecked(const std::vector<std::pair<Key, QCheckBox*>>& boxes) {
    return boxes.empty() ||
           std::any_of(boxes.begin(), boxes.end(), [](const auto& box) { return box.second->isChecked(); });
}

}  // namespace

RunSetupView::RunSetupView(WindowContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* row = new AdaptiveRow(this, spacing::kGap);
    layout->addWidget(makeScrolled(row, this));
    row->addWidget(makeWhatCard(), 3, 360);
    auto* right = new QWidget(row);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kGap);
    auto* how = makeHowCard();
    auto* area = makeScrolled(how, right);
    column->addWidget(area, 1);
    column->addWidget(makeStartCard());
    right->setMaximumWidth(scaled(420));
    row->addWidget(right, 2, 320);
    connect(row, &AdaptiveRow::stackedChanged, this, [this, right, area, how](bool stacked) {
        right->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : scaled(420));
        area->setMinimumHeight(stacked ? how->sizeHint().height() : 0);
        m_tree->setMinimumHeight(stacked ? scaled(260) : 0);
    });

    showCatalogue();
    connect(&m_context.machine, &MachineController::catalogueReady, this, &RunSetupView::showCatalogue);
    connect(&m_context.networks, &NetworkController::added, this, [this](const QString& id) { m_addedNetwork = id; });
    connect(&m_context.machine, &MachineController::estimateReady, this, &RunSetupView::showEstimate);
    connect(&m_context.machine, &MachineController::durationLearned, this, [this] {
        const auto checked = m_model->checked();
        m_model->setCatalogue(m_context.machine.catalogue());
        m_model->setChecked(checked);
        showAllFamilies();
        if (const auto* suite =
                m_context.machine.catalogue().findSuite(m_suite->currentData().toString().toStdString()))
            m_model->setSuite(suite->cases);
        choiceChanged();
    });
}

Card* RunSetupView::makeWhatCard() {
    auto* card = new Card(tr("What to run"), this);
    m_suite = new ElidedComboBox(card);
    m_suite->setObjectName(QStringLiteral("suiteBox"));
    m_suite->setAccessibleName(tr("Suite"));
    card->body()->addWidget(m_suite);
    auto* row = new QHBoxLayout;
    m_search = new QLineEdit(card);
    m_search->setPlaceholderText(tr("Search workloads"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_onlyRunnable = new QCheckBox(tr("Show only runnable"), card);
    m_onlyRunnable->setObjectName(QStringLiteral("onlyRunnableBox"));
    row->addWidget(m_search, 1);
    row->addWidget(m_onlyRunnable);
    card->body()->addLayout(row);
    auto* buttons = new QHBoxLayout;
    auto* own = makeButton(tr("Add a network…"), QStringLiteral("import"), "", card);
    own->setObjectName(QStringLiteral("addNetworkButton"));
    own->setToolTip(tr("Add an ONNX file, or a network described in JSON; files can also be dropped on the window."));
    m_removeNetwork = makeButton(tr("Remove"), {}, role::kQuiet, card);
    m_removeNetwork->setObjectName(QStringLiteral("removeNetworkButton"));
    m_removeNetwork->setToolTip(tr("Remove the selected network from the list. Its file stays."));
    buttons->addWidget(own);
    buttons->addWidget(m_removeNetwork);
    buttons->addStretch(1);
    card->body()->addLayout(buttons);
    connect(own, &QPushButton::clicked, this, &RunSetupView::addNetworkRequested);
    connect(m_removeNetwork, &QPushButton::clicked, this,
            [this] { emit networkRemovalRequested(currentUserNetwork()); });
    m_model = new CaseTreeModel(this);
    m_filter = new CaseFilter(this);
    m_filter->setSourceModel(m_model);
    m_tree = makeTree(m_filter, tr("Workloads"), card);
    m_tree->setObjectName(QStringLiteral("workloadTree"));
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    card->body()->addWidget(m_tree, 1);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &RunSetupView::showTreeMenu);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunSetupView::showRemoval);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &RunSetupView::showRemoval);
    showRemoval();

    connect(m_suite, &QComboBox::activated, this, &RunSetupView::suiteChosen);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterFixedString(text);
        showAllFamilies();
    });
    connect(m_onlyRunnable, &QCheckBox::toggled, this, [this](bool only) {
        m_filter->setOnlyRunnable(only);
        showAllFamilies();
        auto preferences = m_context.preferences.load();
        preferences.onlyRunnable = only;
        m_context.preferences.save(preferences);
    });
    connect(m_model, &CaseTreeModel::checkedByUser, this, &RunSetupView::checkedByUser);
    return card;
}

// Batch, threads, time cap.
void RunSetupView::makeNumberFields(QWidget* parent) {
    static const QRegularExpression kList(QStringLiteral("\\s*(\\d{1,7}(\\s*,\\s*\\d{1,7})*\\s*,?\\s*)?"));
    m_batch = new QLineEdit(parent);
    m_batch->setObjectName(QStringLiteral("batchEdit"));
    m_batch->setPlaceholderText(tr("default"));
    m_batch->setToolTip(tr("Samples per step. Several numbers, separated by commas, make a sweep."));
    m_threads = new QLineEdit(parent);
    m_threads->setObjectName(QStringLiteral("threadsEdit"));
    m_threads->setToolTip(tr("CPU threads. Several numbers, separated by commas, show how it scales."));
    for (auto* edit : {m_batch, m_threads}) {
        edit->setValidator(new QRegularExpressionValidator(kList, edit));
        connect(edit, &QLineEdit::textChanged, this, &RunSetupView::choiceChanged);
    }
    m_timeCap = new QDoubleSpinBox(parent);
    m_timeCap->setObjectName(QStringLiteral("timeCapBox"));
    m_timeCap->setRange(0, 3600);
    m_timeCap->setDecimals(1);
    m_timeCap->setSpecialValueText(tr("default"));
    m_timeCap->setSuffix(tr(" s"));
    m_timeCap->setToolTip(tr("Longest sampling time per case."));
    connect(m_timeCap, &QDoubleSpinBox::valueChanged, this, &RunSetupView::choiceChanged);
}

Card* RunSetupView::makeHowCard() {
    auto* card = new Card(tr("How"), this);
    auto* form = m_form = new QFormLayout;
    form->setHorizontalSpacing(spacing::kGap);
    form->setVerticalSpacing(spacing::kSmall);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setRowWrapPolicy(textScale() > 1.3 ? QFormLayout::WrapLongRows : QFormLayout::DontWrapRows);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    const auto addRow = [&](const QString& text, QWidget* field) {
        auto* label = makeLabel(text, role::kMuted, card, false);
        label->setBuddy(field);
        label->setContentsMargins(0, 5, 0, 0);
        if (field->accessibleName().isEmpty()) field->setAccessibleName(text);
        form->addRow(label, field);
    };
    const auto boxColumn = [&](QVBoxLayout*& layout) {
        auto* widget = new QWidget(card);
        layout = new QVBoxLayout(widget);
        layout->setContentsMargins(0, 2, 0, 2);
        layout->setSpacing(0);
        return widget;
    };
    QVBoxLayout* modes = nullptr;
    auto* modeWidget = boxColumn(modes);
    m_train = new QCheckBox(StatusText::mode(plan::Mode::Train), modeWidget);
    m_infer = new QCheckBox(StatusText::mode(plan::Mode::Infer), modeWidget);
    m_train->setObjectName(QStringLiteral("trainBox"));
    m_infer->setObjectName(QStringLiteral("inferBox"));
    modes->addWidget(m_train);
    modes->addWidget(m_infer);
    addRow(tr("Modes"), modeWidget);
    addRow(tr("Devices"), boxColumn(m_deviceBox));
    m_gpus = new GpuChoice(card);
    addRow(tr("GPUs together"), m_gpus);
    connect(m_gpus, &GpuChoice::changed, this, &RunSetupView::choiceChanged);
    addRow(tr("Precision"), boxColumn(m_precisionBox));

    makeNumberFields(card);
    m_realData = new QCheckBox(tr("use real data"), card);
    m_realData->setObjectName(QStringLiteral("realDataBox"));
    addRow(tr("Batch"), m_batch);
    addRow(tr("Threads"), m_threads);
    addRow(tr("Time cap"), m_timeCap);
    m_precise = new QCheckBox(tr("±1 % (default ±2 %)"), card);
    m_precise->setToolTip(tr("Sample until the 95 % interval of the median is that narrow."));
    addRow(tr("Precision target"), m_precise);
    addRow(tr("Data"), m_realData);
    card->body()->addLayout(form);
    card->body()->addStretch(1);
    for (auto* box : {m_train, m_infer, m_precise, m_realData})
        connect(box, &QCheckBox::toggled, this, &RunSetupView::choiceChanged);
    return card;
}

Card* RunSetupView::makeStartCard() {
    auto* card = new Card({}, this);
    m_estimateText = makeLabel({}, role::kMuted, card);
    m_estimateText->setObjectName(QStringLiteral("estimateLabel"));
    m_runButton = makeButton(tr("Run"), QStringLiteral("run"), role::kPrimary, card);
    m_runButton->setObjectName(QStringLiteral("runButton"));
    card->body()->addWidget(m_estimateText);
    card->body()->addWidget(m_runButton);
    connect(m_runButton, &QPushButton::clicked, this, &RunSetupView::runRequested);
    return card;
}

void RunSetupView::showCatalogue() {
    const auto& catalogue = m_context.machine.catalogue();
    m_model->setCatalogue(catalogue);
    const QSignalBlocker blocker(m_suite);
    m_suite->clear();
    for (const auto& suite : catalogue.suites) {
        m_suite->addItem(
            tr("%1 (%n case(s))", nullptr, static_cast<int>(suite.caseCount)).arg(StatusText::suite(suite.id)),
            QString::fromStdString(suite.id));
    }
    m_suite->addItem(StatusText::suite("custom"), QString());
    clearLayout(m_deviceBox);
    clearLayout(m_precisionBox);
    m_devices.clear();
    m_precisions.clear();
    for (const auto& device : catalogue.devices) {
        auto* box = new QCheckBox(
            QStringLiteral("%1 (%2)").arg(StatusText::device(device.id), QString::fromStdString(device.name)), this);
        box->setChecked(device.runnable);
        box->setEnabled(device.runnable);
        if (!device.runnable) box->setToolTip(MessageText::sentence(device.reason));
        // Long card names are shortened; the full name is shown on hover.
        if (box->sizeHint().width() > scaled(250)) {
            box->setToolTip(box->text());
            box->setAccessibleName(box->text());
            box->setText(StatusText::device(device.id));
        }
        m_deviceBox->addWidget(box);
        m_devices.emplace_back(device.id, box);
        connect(box, &QCheckBox::toggled, this, &RunSetupView::choiceChanged);
    }
    for (const auto precision : catalogue.precisions) {
        auto* box = new QCheckBox(QString::fromLatin1(toString(precision)), this);
        box->setChecked(precision == plan::Precision::Fp32);
        m_precisionBox->addWidget(box);
        m_precisions.emplace_back(precision, box);
        connect(box, &QCheckBox::toggled, this, &RunSetupView::choiceChanged);
    }
    m_gpus->setChoices(gpuChoices(catalogue));
    m_form->setRowVisible(m_gpus, m_gpus->hasChoices());
    orderTabs();
    restoreChoice();
    showAllFamilies();
    resizeColumns();
    showAddedNetwork();
}

// Of the current row; empty if it is not a user's network.
QString RunSetupView::currentUserNetwork() const {
    const auto index = m_tree->currentIndex().siblingAtColumn(CaseTreeModel::Name);
    return index.data(CaseTreeModel::OwnRole).toBool() ? index.data(CaseTreeModel::IdRole).toString() : QString();
}

void RunSetupView::showRemoval() {
    m_removeNetwork->setVisible(!currentUserNetwork().isEmpty());
}

void RunSetupView::showTreeMenu(const QPoint& place) {
    const auto id = currentUserNetwork();
    if (id.isEmpty() || !m_tree->indexAt(place).isValid()) return;
    QMenu menu(this);
    menu.addAction(tr("Remove from the list"), this, [this, id] { emit networkRemovalRequested(id); });
    menu.exec(m_tree->viewport()->mapToGlobal(place));
}

// Checks only the added network, since the next run is about it.
void RunSetupView::showAddedNetwork() {
    if (m_addedNetwork.isEmpty()) return;
    const auto found = m_filter->match(m_filter->index(0, 0), CaseTreeModel::IdRole, m_addedNetwork, 1,
                                       Qt::MatchExactly | Qt::MatchRecursive);
    if (found.isEmpty()) return;
    m_addedNetwork.clear();
    m_tree->setCurrentIndex(found.front());
    m_tree->scrollTo(found.front());
    if (found.front().data(CaseTreeModel::RunnableRole).toBool())
        selectWorkloads({found.front().data(CaseTreeModel::IdRole).toString().toStdString()});
}

// Check boxes created from the catalogue come last in Qt's tab order, but belong between modes and batch.
void RunSetupView::orderTabs() {
    std::vector<QWidget*> order{m_infer};
    for (const auto& device : m_devices) order.push_back(device.second);
    for (auto* box : m_gpus->boxes()) order.push_back(box);
    for (const auto& precision : m_precisions) order.push_back(precision.second);
    order.push_back(m_batch);
    for (std::size_t i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);
}

// A family only has a name, which may span the row.
void RunSetupView::showAllFamilies() {
    m_tree->expandAll();
    for (int row = 0; row < m_filter->rowCount(); ++row) m_tree->setFirstColumnSpanned(row, {}, true);
}

void RunSetupView::resizeColumns() {
    auto* header = m_tree->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(CaseTreeModel::Name, QHeaderView::Stretch);
    for (const int column : {CaseTreeModel::Parameters, CaseTreeModel::Batch, CaseTreeModel::Estimate}) {
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
}

void RunSetupView::restoreChoice() {
    const auto preferences = m_context.preferences.load();
    {
        const QSignalBlocker train(m_train);
        const QSignalBlocker infer(m_infer);
        m_train->setChecked(preferences.modes.contains(QStringLiteral("train")));
        m_infer->setChecked(preferences.modes.contains(QStringLiteral("infer")));
    }
    m_gpus->restore(preferences);
    showProtocol();
    m_onlyRunnable->setChecked(preferences.onlyRunnable);
    m_filter->setOnlyRunnable(preferences.onlyRunnable);
    const auto& catalogue = m_context.machine.catalogue();
    const bool custom = preferences.suite.isEmpty() && !preferences.workloads.isEmpty();
    if (custom) {
        m_suite->setCurrentIndex(m_suite->findData(QString()));
        m_model->setChecked(plain(preferences.workloads));
        choiceChanged();
        return;
    }
    const bool known = catalogue.findSuite(preferences.suite.toStdString()) != nullptr;
    selectSuite(known                      ? preferences.suite.toStdString()
                : catalogue.suites.empty() ? std::string()
                                           : catalogue.suites.front().id);
}

void RunSetupView::showProtocol() {
    const auto preferences = m_context.preferences.load();
    const QSignalBlocker precise(m_precise);
    const QSignalBlocker cap(m_timeCap);
    const QSignalBlocker realData(m_realData);
    const auto& catalogue = m_context.machine.catalogue();
    const int usual = threadsOf(preferences, catalogue.maxThreads);
    const auto all = catalogue.devices.empty() ? QString() : tr("all %n core(s)", nullptr, catalogue.maxThreads);
    m_threads->setPlaceholderText(usual > 0 ? Format::integer(usual) : all);
    m_realData->setEnabled(!preferences.dataFolder.isEmpty());
    if (preferences.dataFolder.isEmpty()) m_realData->setChecked(false);
    m_realData->setToolTip(preferences.dataFolder.isEmpty()
                               ? tr("Choose the folder with the data sets in Settings first.")
                               : tr("Times the step, the input pipeline, and both together, with the files of %1")
                                     .arg(preferences.dataFolder));
    m_precise->setChecked(preferences.precise);
    m_timeCap->setValue(preferences.timeCapSeconds);
}

void RunSetupView::selectSuite(const std::string& id) {
    const int position = m_suite->findData(QString::fromStdString(id));
    m_suite->setCurrentIndex(std::max(position, 0));
    suiteChosen();
}

void RunSetupView::selectWorkloads(const std::vector<std::string>& ids) {
    m_model->setChecked(ids);
    checkedByUser();
}

void RunSetupView::suiteChosen() {
    const auto* suite = m_context.machine.catalogue().findSuite(m_suite->currentData().toString().toStdString());
    if (suite) m_model->setChecked(suite->workloads);
    m_model->setSuite(suite ? suite->cases : std::vector<SuiteCase>());
    choiceChanged();
}

void RunSetupView::checkedByUser() {
    m_suite->setCurrentIndex(m_suite->findData(QString()));
    m_model->setSuite({});
    choiceChanged();
}

void RunSetupView::choiceChanged() {
    auto preferences = m_context.preferences.load();
    const auto wanted = request();
    preferences.suite = QString::fromStdString(wanted.suite);
    preferences.workloads = wanted.suite.empty() ? texts(wanted.workloads) : QStringList();
    preferences.modes.clear();
    if (m_train->isChecked()) preferences.modes << QStringLiteral("train");
    if (m_infer->isChecked()) preferences.modes << QStringLiteral("infer");
    preferences.precise = m_precise->isChecked();
    preferences.timeCapSeconds = m_timeCap->value();
    m_gpus->store(preferences);
    if (!m_context.machine.catalogue().workloads.empty()) m_context.preferences.save(preferences);
    showWhatIsAsked();
    const auto reason = whyNot();
    m_runButton->setEnabled(reason.isEmpty());
    if (!reason.isEmpty()) {
        m_runButton->setText(tr("Run"));
        m_estimateText->setText(reason);
        return;
    }
    m_context.machine.requestEstimate(wanted);
}

// GPUs that share cases are given as a number, and use synthetic data.
void RunSetupView::showWhatIsAsked() {
    const bool shared = !m_gpus->counts().empty();
    m_deviceBox->parentWidget()->setEnabled(!shared);
    m_threads->setEnabled(!shared);
    m_realData->setEnabled(!shared && !m_context.preferences.load().dataFolder.isEmpty());
}

void RunSetupView::showEstimate(const RunEstimate& estimate) {
    m_estimate = estimate;
    if (!whyNot().isEmpty()) return;
    m_runButton->setText(tr("Run %n case(s)", nullptr, estimate.cases));
    m_estimateText->setText(estimate.seconds ? tr("About %1. You can stop at any time; finished cases are kept.")
                                                   .arg(Format::duration(*estimate.seconds))
                                             : tr("The duration is unknown. You can stop at any time."));
    if (estimate.cases == 0) m_estimateText->setText(tr("None of the chosen cases can run here."));
    m_runButton->setEnabled(estimate.cases > 0);
}

// The request described by the form.
bench::RunRequest RunSetupView::request() const {
    bench::RunRequest request;
    request.suite = m_suite->currentData().toString().toStdString();
    if (request.suite.empty()) request.workloads = m_model->checked();
    request.gpus = m_gpus->counts();
    const bool shared = !request.gpus.empty();
    // A suite knows the modes of its cases. Otherwise the check boxes hold: without modes, imported networks are only
    // timed in inference, and GPUs that share a case only in training.
    if (request.suite.empty() || shared || m_train->isChecked() != m_infer->isChecked()) {
        if (m_train->isChecked()) request.modes.push_back(plan::Mode::Train);
        if (m_infer->isChecked()) request.modes.push_back(plan::Mode::Infer);
    }
    if (shared) {
        request.scalings = m_gpus->scalings();
    } else {
        request.devices = chosen(m_devices);
    }
    for (const auto& [precision, box] : m_precisions) {
        if (box->isChecked()) request.precisions.push_back(precision);
    }
    if (request.precisions == std::vector{plan::Precision::Fp32}) request.precisions.clear();
    request.batches = numbersOf(m_batch->text());
    const auto preferences = m_context.preferences.load();
    if (!shared) {
        for (const auto count : numbersOf(m_threads->text())) request.threads.push_back(static_cast<int>(count));
        const int usual = threadsOf(preferences, m_context.machine.catalogue().maxThreads);
        if (request.threads.empty() && usual > 0) request.threads = {usual};
    }
    if (m_realData->isChecked() && !shared) request.data = preferences.dataFolder.toStdString();
    if (m_timeCap->value() > 0) request.timeCapSeconds = m_timeCap->value();
    request.precise = m_precise->isChecked();
    request.database = m_context.databaseFile().toStdString();
    return request;
}

QString RunSetupView::whyNot() const {
    if (m_context.machine.catalogue().workloads.empty()) return tr("Checking what can run here…");
    const auto wanted = request();
    if (wanted.suite.empty() && wanted.workloads.empty()) return tr("Choose a suite, or check at least one workload.");
    if (!m_train->isChecked() && !m_infer->isChecked()) return tr("Choose training, inference or both.");
    if (m_gpus->lacksScaling()) return tr("Choose at least one kind of scaling.");
    if (wanted.gpus.empty() && !anyChecked(m_devices)) return tr("Choose at least one device.");
    if (!anyChecked(m_precisions)) return tr("Choose at least one precision.");
    return {};
}

}  // namespace steelyard::ui
