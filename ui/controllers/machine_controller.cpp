// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/machine_controller.h"

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
            m_profile = found;
            emit profileReady();
        });
        auto catalogue = services.catalogue(*profile);
        QMetaObject::invokeMethod(this, [this, found = std::move(catalogue)] {
            m_catalogue = found;
            emit catalogueReady();
        });
    });
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
