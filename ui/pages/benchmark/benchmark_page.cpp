// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/benchmark/benchmark_page.h"

#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/controllers/machine_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/pages/benchmark/run_setup_view.h"
#include "ui/pages/benchmark/run_view.h"
#include "ui/text/format.h"
#include "ui/widgets/banner.h"

namespace steelyard::ui {

namespace {

bench::RunRequest requestOf(const bench::Case& spec) {
    bench::RunRequest request;
    request.workloads = {spec.workload};
    request.modes = {spec.mode};
    request.devices = {spec.device};
    request.batches = {spec.batch};
    if (spec.threads) request.threads = {*spec.threads};
    request.precisions = {spec.precision};
    if (spec.isa) request.isas = {*spec.isa};
    if (spec.kernels) request.kernels = {*spec.kernels};
    return request;
}

}  // namespace

BenchmarkPage::BenchmarkPage(WindowContext& context, QWidget* parent)
    : Page(context, tr("Benchmark"), parent), m_context(context) {
    makeBanners();
    m_stack = new QStackedWidget(this);
    m_setup = new RunSetupView(context, m_stack);
    m_view = new RunView(context, m_stack);
    m_stack->addWidget(m_setup);
    m_stack->addWidget(m_view);
    content()->addWidget(m_stack, 1);
    connect(m_setup, &RunSetupView::addNetworkRequested, this, [this] { emit addNetworkRequested({}); });
    connect(m_setup, &RunSetupView::networkRemovalRequested, this, &Page::networkRemovalRequested);
    connect(m_setup, &RunSetupView::runRequested, this, &BenchmarkPage::startChosen);
    connect(m_view, &RunView::stopRequested, &m_context.run, &RunController::stop);
    connect(m_view, &RunView::resultsRequested, this, [this] { emit pageRequested(QStringLiteral("results")); });
    connect(m_view, &RunView::resumeRequested, this, [this] {
        bench::RunRequest request;
        request.resume = m_context.run.progress().runId();
        request.database = m_context.databaseFile().toStdString();
        m_context.run.start(request);
    });
    connect(m_view, &RunView::setupRequested, this, [this] { m_stack->setCurrentWidget(m_setup); });
    connect(&m_context.run, &RunController::started, this, [this] {
        m_wantsFirstSuite = false;
        waitNoLonger();
        m_stack->setCurrentWidget(m_view);
    });
    connect(&m_context.machine, &MachineController::catalogueReady, this, [this] {
        if (m_wantsFirstSuite) startFirstSuite();
    });
    connect(&m_context.machine, &MachineController::preflightDone, this, &BenchmarkPage::startUnlessBusy);
    if (m_context.run.isRunning()) m_stack->setCurrentWidget(m_view);
}

void BenchmarkPage::entered() {
    m_setup->showProtocol();
}

void BenchmarkPage::startChosen() {
    if (m_context.run.isRunning() || !m_setup->whyNot().isEmpty()) return;
    waitNoLonger();
    m_wanted = m_setup->request();
    m_context.machine.requestPreflight();
}

void BenchmarkPage::makeBanners() {
    constexpr int kIdleIntervalMs = 10'000;
    m_notStarted = new Banner(tr("Start when idle"), this);
    m_notStarted->setObjectName(QStringLiteral("notStartedBanner"));
    m_waiting = new Banner(tr("Cancel"), this, QStringLiteral("close"));
    m_waiting->setObjectName(QStringLiteral("waitingBanner"));
    content()->addWidget(m_notStarted);
    content()->addWidget(m_waiting);
    m_idleTimer = new QTimer(this);
    m_idleTimer->setObjectName(QStringLiteral("idleTimer"));
    m_idleTimer->setInterval(kIdleIntervalMs);
    connect(m_notStarted, &Banner::actionTriggered, this, &BenchmarkPage::waitUntilIdle);
    connect(m_waiting, &Banner::actionTriggered, this, &BenchmarkPage::waitNoLonger);
    connect(m_idleTimer, &QTimer::timeout, this, [this] {
        m_wanted = m_later;
        m_context.machine.requestPreflight();
    });
}

void BenchmarkPage::waitUntilIdle() {
    m_notStarted->setText({});
    m_waiting->setText(tr("The run starts when other programs no longer use the CPU."));
    m_idleTimer->start();
}

void BenchmarkPage::waitNoLonger() {
    m_idleTimer->stop();
    m_later.reset();
    m_wanted.reset();
    m_notStarted->setText({});
    m_waiting->setText({});
}

void BenchmarkPage::startUnlessBusy(const std::vector<hardware::PreflightWarning>& warnings) {
    const auto wanted = std::exchange(m_wanted, {});
    if (!wanted || m_context.run.isRunning()) return;
    for (const auto& warning : warnings) {
        if (warning.kind != hardware::PreflightKind::OtherLoad || !warning.value) continue;
        if (m_idleTimer->isActive()) return;
        const Question question{tr("The CPU is busy"),
                                tr("Other programs use %1 of the CPU.").arg(Format::percent(*warning.value)),
                                tr("Results measured now would be unreliable. Close the other programs or wait."),
                                tr("Run anyway"),
                                tr("Do not run"),
                                true};
        if (!m_context.dialogs.confirm(this, question)) {
            m_later = wanted;
            m_notStarted->setText(
                tr("The run was not started: other programs use %1 of the CPU.").arg(Format::percent(*warning.value)));
            return;
        }
    }
    m_context.run.start(*wanted);
}

void BenchmarkPage::runAgain(const bench::RunRecord& run) {
    if (m_context.run.isRunning()) return;
    if (m_context.machine.catalogue().findSuite(run.suite)) {
        m_setup->selectSuite(run.suite);
        startChosen();
        return;
    }
    if (run.records.size() == 1) {
        waitNoLonger();
        m_wanted = requestOf(run.records.front().spec);
        m_context.machine.requestPreflight();
        return;
    }
    std::vector<std::string> workloads;
    for (const auto& record : run.records) {
        const auto& id = record.spec.workload;
        if (std::find(workloads.begin(), workloads.end(), id) == workloads.end()) workloads.push_back(id);
    }
    m_setup->selectWorkloads(workloads);
    m_stack->setCurrentWidget(m_setup);
}

void BenchmarkPage::startFirstSuite() {
    const auto& suites = m_context.machine.catalogue().suites;
    m_wantsFirstSuite = suites.empty();
    if (m_context.run.isRunning() || suites.empty()) return;
    m_setup->selectSuite(suites.front().id);
    startChosen();
}

QString BenchmarkPage::helpText() const {
    return tr(
        "A case is one network in one mode on one device. Each is compiled, checked against a reference, warmed up and "
        "sampled until the 95 % interval of the median is narrow enough or its time is up. Cases run one after the "
        "other "
        "in a process of their own, so that a crash ends one case only. Several batch sizes or thread counts, "
        "separated by "
        "commas, make a sweep.");
}

}  // namespace steelyard::ui
