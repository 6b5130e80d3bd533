// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/network_dialog.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/controllers/network_controller.h"
#include "ui/dialogs/dialog_buttons.h"
#include "ui/presenters/network_presenter.h"
#include "ui/text/error_text.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

namespace {

constexpr int kReadDelayMs = 250;  // debounces typing

}  // namespace

NetworkDialog::NetworkDialog(NetworkController& networks, const QString& file, QWidget* parent)
    : QDialog(parent), m_networks(networks) {
    setObjectName(QStringLiteral("networkDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Add a network"));
    resize(scaled(QSize(620, 560)));
    m_request.file = file.toStdString();
    m_delay.setSingleShot(true);
    m_delay.setInterval(kReadDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &NetworkDialog::ask);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    layout->addWidget(makeLabel(QFileInfo(file).fileName(), role::kHeading, this));
    m_state = new Badge(this);
    m_state->setObjectName(QStringLiteral("networkState"));
    m_state->setWrapping();
    m_state->setState(Tone::Neutral, tr("Reading the file…"));
    layout->addWidget(m_state);
    m_advice = makeLabel({}, role::kMuted, this);
    m_advice->setObjectName(QStringLiteral("networkAdvice"));
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_advice->hide();
    layout->addWidget(m_advice);
    m_cut = makeButton(tr("Take the part before it"), {}, "", this);
    m_cut->setObjectName(QStringLiteral("networkCut"));
    m_cut->hide();
    layout->addWidget(m_cut, 0, Qt::AlignLeft);

    m_fields = new QWidget(this);
    m_form = new QFormLayout(m_fields);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name = new QLineEdit(m_fields);
    m_name->setObjectName(QStringLiteral("networkName"));
    m_name->setMaxLength(80);
    m_name->setAccessibleName(tr("Name in the list"));
    m_form->addRow(tr("Name in the list"), m_name);
    m_batch = addNumber(tr("Batch"), QStringLiteral("networkBatch"), 1);
    m_form->setRowVisible(m_batch, false);
    layout->addWidget(m_fields);

    m_details = new DetailList;
    auto* details = new QWidget;
    auto* column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_details);
    column->addStretch(1);
    layout->addWidget(makeScrolled(details, this), 1);
    m_kept = makeLabel({}, role::kSmall, this);
    layout->addWidget(m_kept);
    auto* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    m_add = buttons->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
    m_add->setObjectName(QStringLiteral("networkAdd"));
    m_add->setEnabled(false);
    setRole(m_add, role::kPrimary);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_add->setEnabled(false);
        m_networks.add(request());
    });
    connect(m_cut, &QPushButton::clicked, this, [this] {
        m_request.stopBefore = m_cutBefore;
        askSoon();
    });
    connect(m_name, &QLineEdit::textEdited, this, [this] { m_nameTyped = true; });
    connect(&m_networks, &NetworkController::inspected, this, &NetworkDialog::showSummary);
    connect(&m_networks, &NetworkController::added, this, &QDialog::accept);
    connect(&m_networks, &NetworkController::refused, this, &NetworkDialog::refuse);
    ask();
}

QSpinBox* NetworkDialog::addNumber(const QString& label, const QString& name, int lowest) {
    auto* box = new QSpinBox(m_fields);
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->setRange(lowest, 100'000'000);
    if (lowest == 0) box->setSpecialValueText(tr("not set"));
    box->setKeyboardTracking(false);
    m_form->addRow(label, box);
    connect(box, &QSpinBox::valueChanged, this, &NetworkDialog::askSoon);
    return box;
}

void NetworkDialog::askSoon() {
    m_add->setEnabled(false);
    m_delay.start();
}

void NetworkDialog::ask() {
    m_networks.inspect(request());
}

NetworkRequest NetworkDialog::request() const {
    auto request = m_request;
    request.name = m_name->text().trimmed().toStdString();
    if (m_batchAsked) request.batch = m_batch->value();
    for (const auto& [key, box] : m_dimensions)
        if (box->value() > 0) request.dimensions[key] = box->value();
    for (const auto& [input, edit] : m_shapes)
        if (edit->hasAcceptableInput()) request.shapes[input] = edit->text().toStdString();
    for (const auto& [input, edit] : m_values) {
        bool isNumber = false;
        const double value = edit->text().toDouble(&isNumber);
        if (isNumber) request.values[input] = value;
    }
    return request;
}

void NetworkDialog::showSummary(const NetworkSummary& summary) {
    if (summary.request.file != m_request.file) return;
    if (!m_nameTyped && m_name->text().isEmpty()) m_name->setText(plain(summary.title));
    showFields(summary);
    showState(summary);
    m_details->setDetails(NetworkPresenter::details(summary));
    m_kept->setText(summary.isOnnx
                        ? tr("The file stays where it is. The list keeps its path and recognises it by its structure.")
                        : tr("A copy of the file is kept."));
    m_add->setEnabled(summary.understood.has_value());
}

// A field is added with the first answer that needs it, and keeps its value.
void NetworkDialog::showFields(const NetworkSummary& summary) {
    if (summary.batchIsOpen && !m_batchAsked) {
        m_batchAsked = true;
        m_form->setRowVisible(m_batch, true);
    }
    for (const auto& open : summary.open) {
        auto& box = m_dimensions[open.key];
        if (box == nullptr) box = addNumber(plain(open.label), QStringLiteral("networkDimension"), 0);
    }
    const auto addText = [&](std::map<std::string, QLineEdit*>& edits, const std::string& input, const QString& label,
                             const QString& hint, const char* pattern) {
        auto& edit = edits[input];
        if (edit != nullptr) return;
        edit = new QLineEdit(m_fields);
        edit->setPlaceholderText(hint);
        edit->setAccessibleName(label);
        edit->setValidator(new QRegularExpressionValidator(QRegularExpression(QLatin1String(pattern)), edit));
        m_form->addRow(label, edit);
        connect(edit, &QLineEdit::textChanged, this, &NetworkDialog::askSoon);
    };
    for (const auto& input : summary.inputs) {
        const auto name = plain(input.name);
        if (!input.hasShape)
            addText(m_shapes, input.name, tr("Shape of %1").arg(name), QStringLiteral("1x3x224x224"),
                    R"(\d{1,8}(x\d{1,8}){0,7})");
        if (input.mayBeFixed)
            addText(m_values, input.name, tr("Value of %1").arg(name), tr("set here if it decides sizes"),
                    R"(-?\d{1,9})");
    }
}

void NetworkDialog::showState(const NetworkSummary& summary) {
    m_state->setState(NetworkPresenter::tone(summary), NetworkPresenter::state(summary));
    const auto advice = NetworkPresenter::advice(summary, QString::fromStdString(m_networks.schema().string()));
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_cutBefore = summary.cutBefore;
    m_cut->setVisible(!m_cutBefore.empty());
}

void NetworkDialog::refuse(const Error& error) {
    m_state->setState(Tone::Bad, ErrorText::sentence(error));
    const auto detail = error.detail.empty() ? QString() : MessageText::sentence(error.detail);
    m_advice->setText(detail);
    m_advice->setVisible(!detail.isEmpty());
    m_add->setEnabled(true);
}

}  // namespace steelyard::ui
