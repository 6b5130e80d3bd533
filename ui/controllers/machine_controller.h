// SPDX-License-Identifier: Apache-2.0
// Hardware and runnable workloads of this computer, detected in a worker thread and posted to the window. The services
// are provided by the program (app/desktop) or a test and called in that thread, one at a time. GUI thread otherwise.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/preflight.h"
#include "ui/controllers/run_estimate.h"
#include "ui/presenters/workload_catalogue.h"
#include "ui/widgets/serial_worker.h"

namespace steelyard::ui {

struct MachineServices {
    std::function<Result<hardware::HardwareProfile>()> detect;
    std::function<WorkloadCatalogue(const hardware::HardwareProfile&)> catalogue;
    std::function<std::string(const hardware::HardwareProfile&)> diagnosticReport;
    // Number of cases in a request and their duration. Unset: from the catalogue.
    std::function<RunEstimate(const bench::RunRequest&)> estimate;
    // Warnings about a measurement that would start now. Unset: none.
    std::function<std::vector<hardware::PreflightWarning>(const hardware::HardwareProfile&)> preflight;
};

class MachineController : public QObject {
    Q_OBJECT

public:
    explicit MachineController(MachineServices services, QObject* parent = nullptr);

    // Including the user's corrections, whose source is hardware::kUserSource.
    [[nodiscard]] const std::optional<hardware::HardwareProfile>& profile() const { return m_profile; }
    // As detected.
    [[nodiscard]] const std::optional<hardware::HardwareProfile>& detected() const { return m_detected; }
    // Facts corrected by the user, by path (hardware/profile/profile_facts.h). Those that do not apply to this computer
    // are ignored. Emits profileReady and catalogueReady once a profile is known.
    void setCorrections(std::map<std::string, std::string> corrections);
    [[nodiscard]] const std::map<std::string, std::string>& corrections() const { return m_corrections; }
    [[nodiscard]] const WorkloadCatalogue& catalogue() const { return m_catalogue; }

    // Ratio of actual to estimated durations; applied to all estimates.
    void setDurationFactor(double factor) { m_durationFactor = factor; }
    [[nodiscard]] double durationFactor() const { return m_durationFactor; }
    // A run of `request` took this long: emits durationLearned.
    void learnDuration(const bench::RunRequest& request, double seconds);

public slots:
    // Emits profileReady, then catalogueReady.
    void detect();
    void makeReport();
    // After the user added a network. Emits catalogueReady.
    void refreshCatalogue();
    // Emits estimateReady, for the latest request only.
    void requestEstimate(const steelyard::bench::RunRequest& request);
    // Emits preflightDone.
    void requestPreflight();

signals:
    void profileReady();
    void catalogueReady();
    void reportReady(const QString& text);
    void estimateReady(const steelyard::ui::RunEstimate& estimate);
    // The estimates have changed.
    void durationLearned(double factor);
    void preflightDone(const std::vector<steelyard::hardware::PreflightWarning>& warnings);
    void failed(const steelyard::Error& error);

private:
    [[nodiscard]] hardware::HardwareProfile corrected(hardware::HardwareProfile profile) const;
    void requestCatalogue();

    MachineServices m_services;
    std::optional<hardware::HardwareProfile> m_detected, m_profile;
    std::map<std::string, std::string> m_corrections;
    WorkloadCatalogue m_catalogue;
    [[nodiscard]] std::function<RunEstimate()> estimateTask(const bench::RunRequest& request) const;

    int m_latestEstimate = 0;
    double m_durationFactor = 1;
    SerialWorker m_worker;  // last: its destructor waits for running work
};

}  // namespace steelyard::ui
