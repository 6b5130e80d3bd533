// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/prune_dialog.h"

#include <QCheckBox>
#include <QDateEdit>
#include <QDateTime>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/dialogs/dialog_buttons.h"
#include "ui/presenters/history/history_presenter.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {

constexpr int kUsuallyKept = 20;  // runs

PruneDialog::PruneDialog(std::vector<history::RunOverview> runs, QWidget* parent)
    : QDialog(parent), m_runs(std::move(runs)) {
    setWindowTitle(tr("Delete old runs"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    m_keep = new QSpinBox(this);
    m_keep->setRange(1, 1'000'000);
    m_keep->setValue(kUsuallyKept);
    m_keepBox = addChoice(tr("Keep the newest runs:"), QStringLiteral("keep"), m_keep);
    m_keepBox->setChecked(true);
    m_since = new QDateEdit(this);
    if (!m_runs.empty())
        m_since->setDate(QDateTime::fromMSecsSinceEpoch(m_runs.front().startedUnixMs).date().addMonths(-3));
    m_sinceBox = addChoice(tr("Keep all runs from this day on:"), QStringLiteral("since"), m_since);
    layout->addWidget(makeLabel(tr("Runs with a note and runs in progress are always kept. Undo restores deleted runs "
                                   "until the window is closed."),
                                role::kMuted, this));
    m_summary = makeLabel({}, "", this);
    m_summary->setObjectName(QStringLiteral("pruneSummary"));
    layout->addWidget(m_summary);
    layout->addStretch(1);
    auto* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    m_delete = buttons->addButton(tr("Delete"), QDialogButtonBox::AcceptRole);
    m_delete->setObjectName(QStringLiteral("pruneButton"));
    setRole(m_delete, role::kDanger);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (const auto* box : {m_keepBox, m_sinceBox}) connect(box, &QCheckBox::toggled, this, &PruneDialog::showRule);
    connect(m_keep, &QSpinBox::valueChanged, this, &PruneDialog::showRule);
    connect(m_since, &QDateEdit::dateChanged, this, &PruneDialog::showRule);
    showRule();
    setMinimumWidth(scaled(460));
}

QCheckBox* PruneDialog::addChoice(const QString& text, const QString& name, QWidget* value) {
    auto* row = new QHBoxLayout;
    auto* box = new QCheckBox(text, this);
    box->setObjectName(name + QStringLiteral("Box"));
    value->setObjectName(name + QStringLiteral("Edit"));
    value->setAccessibleName(text);
    value->setMinimumWidth(scaled(140));
    row->addWidget(box, 1);
    row->addWidget(value);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    return box;
}

history::PruneRule PruneDialog::rule() const {
    history::PruneRule rule;
    if (m_keepBox->isChecked()) rule.keepNewest = m_keep->value();
    if (m_sinceBox->isChecked()) rule.startedBeforeUnixMs = m_since->date().startOfDay().toMSecsSinceEpoch();
    return rule;
}

void PruneDialog::showRule() {
    m_keep->setEnabled(m_keepBox->isChecked());
    m_since->setEnabled(m_sinceBox->isChecked());
    m_summary->setText(HistoryPresenter::pruning(m_runs, rule()));
    m_delete->setEnabled(!history::prunable(m_runs, rule()).empty());
}

}  // namespace steelyard::ui
