// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/single_instance.h"

#include <QLocalSocket>

namespace steelyard::ui {
namespace {

constexpr int kPatienceMs = 500;

}  // namespace

SingleInstance::SingleInstance(const QString& name, QObject* parent) : QObject(parent) {
    QLocalSocket other;
    other.connectToServer(name);
    if (other.waitForConnected(kPatienceMs)) {
        other.disconnectFromServer();
        return;
    }
    m_first = true;
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        while (auto* socket = m_server.nextPendingConnection()) socket->deleteLater();
        emit knocked();
    });
    // Without a socket (a full or read-only /tmp) the window works all the same; only a second start is not noticed.
    if (m_server.listen(name)) return;
    QLocalServer::removeServer(name);
    m_server.listen(name);
}

}  // namespace steelyard::ui
