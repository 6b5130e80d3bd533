// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/network_controller.h"

namespace steelyard::ui {

void NetworkController::inspect(const NetworkRequest& request) {
    if (!m_services.inspect) return;
    const int number = ++m_latest;
    m_worker.run(
        this, [inspect = m_services.inspect, request] { return inspect(request); },
        [this, number](const NetworkSummary& summary) {
            if (number == m_latest) emit inspected(summary);
        });
}

void NetworkController::add(const NetworkRequest& request) {
    if (!m_services.add) return;
    m_worker.run(
        this, [add = m_services.add, request] { return add(request); },
        [this](const Result<std::string>& id) {
            if (!id) {
                emit refused(id.error());
                return;
            }
            emit added(QString::fromStdString(*id));
            emit listChanged();
        });
}

void NetworkController::remove(const QString& id) {
    setRemoved(id, true);
}

void NetworkController::restore(const QString& id) {
    setRemoved(id, false);
}

void NetworkController::setRemoved(const QString& id, bool isRemoved) {
    if (!m_services.setRemoved) return;
    m_worker.run(
        this, [set = m_services.setRemoved, name = id.toStdString(), isRemoved] { return set(name, isRemoved); },
        [this, id, isRemoved](const Result<void>& done) {
            if (!done) {
                emit failed(done.error());
                return;
            }
            if (isRemoved) emit removed(id);
            emit listChanged();
        });
}

}  // namespace steelyard::ui
