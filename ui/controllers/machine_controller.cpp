// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/machine_controller.h"

#include "engine/hardware/profile/profile_facts.h"

namespace steelyard::ui {

MachineController::MachineController(MachineServices services, QObject* parent)
    : QObject(parent), m_services(std::move(services)), m_worker(new QObject) {
    m_thread.setObjectName(QStringLiteral("machine"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

MachineController::~MachineController() {
    m_thread.quit();
    m_thread.wait();
}

void MachineController::detect() {
    // The thread ends before this object does: what it posts is dropped with it.
    QMetaObject::invokeMethod(m_worker, [this, services = m_services] {
        auto profile = services.detect();
        if (!profile) {
            QMetaObject::invokeMethod(this, [this, error = profile.error()] { emit failed(error); });
            return;
        }
        QMetaObject::invokeMethod(this, [this, found = *profile] {
            m_detected = found;
            m_profile = corrected(found);
            emit profileReady();
            requestCatalogue();
        });
    });
}

void MachineController::requestCatalogue() {
    QMetaObject::invokeMethod(m_worker, [this, services = m_services, profile = *m_profile] {
        auto catalogue = services.catalogue(profile);
        QMetaObject::invokeMethod(this, [this, found = std::move(catalogue)] {
            m_catalogue = found;
            emit catalogueReady();
        });
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

void MachineController::requestEstimate(const RunRequest& request) {
    const int number = ++m_latestEstimate;
    QMetaObject::invokeMethod(m_worker,
                              [this, number, request, estimate = m_services.estimate, catalogue = m_catalogue] {
                                  const auto result = estimate ? estimate(request) : estimateOf(request, catalogue);
                                  QMetaObject::invokeMethod(this, [this, number, result] {
                                      if (number == m_latestEstimate) emit estimateReady(result);
                                  });
                              });
}

void MachineController::makeReport() {
    if (!m_profile) return;
    QMetaObject::invokeMethod(m_worker, [this, services = m_services, profile = *m_profile] {
        const auto text = QString::fromStdString(services.diagnosticReport(profile));
        QMetaObject::invokeMethod(this, [this, text] { emit reportReady(text); });
    });
}

}  // namespace steelyard::ui
