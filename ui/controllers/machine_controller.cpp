// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/machine_controller.h"

#include <algorithm>

#include "engine/hardware/profile/profile_facts.h"

namespace steelyard::ui {
namespace {

constexpr double kMostDurationFactor = 4;  // a run beside other programs says little about the next

}  // namespace

MachineController::MachineController(MachineServices services, QObject* parent)
    : QObject(parent), m_services(std::move(services)) {}

void MachineController::detect() {
    m_worker.run(this, m_services.detect, [this](const Result<hardware::HardwareProfile>& found) {
        if (!found) {
            emit failed(found.error());
            return;
        }
        m_detected = *found;
        m_profile = corrected(*found);
        emit profileReady();
        requestCatalogue();
    });
}

void MachineController::refreshCatalogue() {
    if (m_profile) requestCatalogue();
}

void MachineController::requestCatalogue() {
    m_worker.run(
        this, [catalogue = m_services.catalogue, profile = *m_profile] { return catalogue(profile); },
        [this](const WorkloadCatalogue& found) {
            m_catalogue = found;
            m_catalogue.scaleEstimates(m_durationFactor);
            emit catalogueReady();
        });
}

hardware::HardwareProfile MachineController::corrected(hardware::HardwareProfile profile) const {
    for (const auto& [path, text] : m_corrections) {
        if (auto changed = hardware::withOverride(profile, path, text)) profile = std::move(*changed);
    }
    return profile;
}

void MachineController::setCorrections(std::map<std::string, std::string> corrections) {
    if (corrections == m_corrections) return;
    m_corrections = std::move(corrections);
    if (!m_detected) return;
    m_profile = corrected(*m_detected);
    emit profileReady();
    requestCatalogue();
}

// Without the learned factor.
std::function<RunEstimate()> MachineController::estimateTask(const bench::RunRequest& request) const {
    if (m_services.estimate) return [request, estimate = m_services.estimate] { return estimate(request); };
    auto plain = m_catalogue;
    plain.scaleEstimates(1 / m_durationFactor);
    return [request, catalogue = std::move(plain)] { return estimateOf(request, catalogue); };
}

void MachineController::requestEstimate(const bench::RunRequest& request) {
    const int number = ++m_latestEstimate;
    m_worker.run(this, estimateTask(request), [this, number](RunEstimate result) {
        if (result.seconds) *result.seconds *= m_durationFactor;
        if (number == m_latestEstimate) emit estimateReady(result);
    });
}

void MachineController::learnDuration(const bench::RunRequest& request, double seconds) {
    m_worker.run(this, estimateTask(request), [this, seconds](const RunEstimate& expected) {
        if (!expected.seconds || *expected.seconds <= 0 || seconds <= 0) return;
        const double factor = std::clamp(seconds / *expected.seconds, 1 / kMostDurationFactor, kMostDurationFactor);
        m_catalogue.scaleEstimates(factor / m_durationFactor);
        m_durationFactor = factor;
        emit durationLearned(factor);
    });
}

void MachineController::requestPreflight() {
    if (!m_services.preflight || !m_profile) {
        emit preflightDone({});
        return;
    }
    m_worker.run(
        this, [preflight = m_services.preflight, profile = *m_profile] { return preflight(profile); },
        [this](const std::vector<hardware::PreflightWarning>& warnings) { emit preflightDone(warnings); });
}

void MachineController::makeReport() {
    if (!m_profile) return;
    m_worker.run(
        this,
        [report = m_services.diagnosticReport, profile = *m_profile] {
            return QString::fromStdString(report(profile));
        },
        [this](const QString& text) { emit reportReady(text); });
}

}  // namespace steelyard::ui
