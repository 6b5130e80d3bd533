// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/hardware/check_card.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/controllers/check_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/presenters/check_presenter.h"
#include "ui/text/error_text.h"
#include "ui/widgets/adaptive.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

constexpr int kUsualSeconds = 60, kMostSeconds = 86'400;
constexpr int kCheckSteps = 1000;

}  // namespace

CheckCard::CheckCard(WindowContext& context, QWidget* parent)
    : Card(tr("Is this machine sound?"), parent), m_context(context) {
    body()->setSpacing(spacing::kSmall);
    body()->addWidget(makeLabel(tr("Tests memory with patterns, compares every operation with a reference, and keeps "
                                   "each device busy while clocks, temperature and results are watched. For a machine "
                                   "that misbehaves, or a card bought used."),
                                role::kMuted, this));
    auto* row = new QWidget(this);
    auto* fields = new FlowLayout(row, spacing::kSmall);
    m_button = makeButton(tr("Check this machine"), QStringLiteral("verified"), "", row);
    m_button->setObjectName(QStringLiteral("checkButton"));
    m_seconds = new QSpinBox(row);
    m_seconds->setObjectName(QStringLiteral("checkSeconds"));
    m_seconds->setRange(1, kMostSeconds);
    m_seconds->setValue(kUsualSeconds);
    m_seconds->setSuffix(tr(" s of load per device"));
    m_seconds->setAccessibleName(tr("Seconds of load per device"));
    fields->addWidget(m_button);
    fields->addWidget(m_seconds);
    body()->addWidget(row);
    m_bar = new QProgressBar(this);
    m_bar->setObjectName(QStringLiteral("checkProgress"));
    m_bar->setRange(0, kCheckSteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the check"));
    body()->addWidget(m_bar);
    m_text = makeLabel({}, role::kHeading, this);
    m_text->setObjectName(QStringLiteral("checkVerdict"));
    body()->addWidget(m_text);
    m_parts = new QVBoxLayout;
    m_parts->setSpacing(spacing::kSmall);
    body()->addLayout(m_parts);

    auto& check = m_context.check;
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_context.check.isRunning())
            m_context.check.stop();
        else
            m_context.check.start(m_seconds->value(), m_context.databaseFile());
    });
    connect(&check, &CheckController::runningChanged, this, &CheckCard::showState);
    connect(&check, &CheckController::progressed, this, &CheckCard::showProgress);
    connect(&check, &CheckController::finished, this, [this] {
        showState();
        const auto& report = m_context.check.lastReport(m_context.databaseFile());
        if (report) emit noticePosted(CheckPresenter::tone(report->verdict()), CheckPresenter::verdict(*report));
    });
    connect(&check, &CheckController::failed, this, [this](const Error& error) {
        showState();
        emit noticePosted(Tone::Bad, ErrorText::full(error));
    });
    connect(&m_context.run, &RunController::runningChanged, this, &CheckCard::showState);
    showState();
}

void CheckCard::showState() {
    const auto& check = m_context.check;
    const bool running = check.isRunning();
    m_button->setText(running ? tr("Stop the check") : tr("Check this machine"));
    const bool disturbs = !running && m_context.run.isRunning();
    m_button->setEnabled(!check.isStopping() && !disturbs);
    m_button->setToolTip(disturbs ? tr("A benchmark is running; a check would disturb it.") : QString());
    m_seconds->setEnabled(!running);
    m_bar->setVisible(running);
    if (running)
        showProgress();
    else
        showParts();
}

void CheckCard::showProgress() {
    const auto& check = m_context.check;
    if (!check.isRunning()) return;
    m_bar->setValue(static_cast<int>(check.fraction() * kCheckSteps));
    const auto& event = check.current();
    m_text->setText(event ? CheckPresenter::progress(*event) : tr("Starting…"));
    m_text->setVisible(true);
    if (!event || event->part || event->fraction == 0) showParts();
}

// Of the running check, otherwise of the last one.
void CheckCard::showParts() {
    clearLayout(m_parts);
    auto& check = m_context.check;
    auto parts = check.parts();
    if (!check.isRunning()) {
        const auto& report = check.lastReport(m_context.databaseFile());
        m_text->setText(report ? CheckPresenter::verdict(*report) : QString());
        m_text->setVisible(report.has_value());
        parts = report ? report->parts : std::vector<bench::CheckPart>();
    }
    for (const auto& part : parts) {
        const auto line = CheckPresenter::line(part);
        auto* badge = new Badge(this);
        badge->setWrapping();
        badge->setState(line.tone, tr("%1: %2. %3").arg(line.subject, line.state, line.sentence));
        m_parts->addWidget(badge);
        if (!line.details.isEmpty())
            m_parts->addWidget(makeLabel(line.details.join(QLatin1Char('\n')), role::kSmall, this));
    }
}

}  // namespace steelyard::ui
