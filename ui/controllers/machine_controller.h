// SPDX-License-Identifier: Apache-2.0
// What this computer is and what can run on it, found out in a worker thread and posted back to the window. The
// functions are given by the program (app/desktop) or a test, and are called in that thread, one at a time. GUI thread
// otherwise.
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
    // How many cases a request amounts to and how long they take. Unset: from the catalogue's figures.
    std::function<RunEstimate(const bench::RunRequest&)> estimate;
    // What would disturb a measurement that starts now. Unset: nothing does.
    std::function<std::vector<hardware::PreflightWarning>(const hardware::HardwareProfile&)> preflight;
};

class MachineController : public QObject {
    Q_OBJECT

public:
    explicit MachineController(MachineServices services, QObject* parent = nullptr);

    // With the user's corrections; their source is hardware::kUserSource.
    [[nodiscard]] const std::optional<hardware::HardwareProfile>& profile() const { return m_profile; }
    // As it was found.
    [[nodiscard]] const std::optional<hardware::HardwareProfile>& detected() const { return m_detected; }
    // Facts the user knows better, by path (hardware/profile/profile_facts.h). What does not fit this computer is left
    // out. profileReady and catalogueReady follow where a profile is known.
    void setCorrections(std::map<std::string, std::string> corrections);
    [[nodiscard]] const std::map<std::string, std::string>& corrections() const { return m_corrections; }
    [[nodiscard]] const WorkloadCatalogue& catalogue() const { return m_catalogue; }

    // How long runs really take over what the engine expects; every estimate here has it in it.
    void setDurationFactor(double factor) { m_durationFactor = factor; }
    [[nodiscard]] double durationFactor() const { return m_durationFactor; }
    // A run of `request` took so long: durationLearned follows.
    void learnDuration(const bench::RunRequest& request, double seconds);

public slots:
    // profileReady, then catalogueReady.
    void detect();
    void makeReport();
    // Anew, for what the user has added. catalogueReady follows.
    void refreshCatalogue();
    // estimateReady follows, for the latest request only.
    void requestEstimate(const steelyard::bench::RunRequest& request);
    // preflightDone follows.
    void requestPreflight();

signals:
    void profileReady();
    void catalogueReady();
    void reportReady(const QString& text);
    void estimateReady(const steelyard::ui::RunEstimate& estimate);
    // The catalogue's estimates have changed.
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
    SerialWorker m_worker;  // last: waits, when this object ends, for what is under way
};

}  // namespace steelyard::ui
