// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/single_instance.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QThread>
#include <algorithm>

namespace steelyard::ui {
namespace {

constexpr int kConnectMs = 500;
constexpr unsigned long kPauseMs = 100;
constexpr auto kHere = "here";

int remaining(const QDeadlineTimer& deadline) {
    return static_cast<int>(std::max<qint64>(1, deadline.remainingTime()));
}

}  // namespace

QString SingleInstance::nameFor(unsigned user, const QString& display, const QString& historyFile) {
    const auto text = display + QLatin1Char('\n') + QDir::cleanPath(QFileInfo(historyFile).absoluteFilePath());
    const auto digest = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("steelyard-%1-%2").arg(user).arg(QString::fromLatin1(digest));
}

SingleInstance::SingleInstance(const QString& name, int timeoutMs, QObject* parent) : QObject(parent) {
    m_first = !otherAnswers(name, timeoutMs);
    if (!m_first) return;
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
    // Without a socket (a full or read-only /tmp) the window still works; only a second start is not detected.
    if (m_server.listen(name)) return;
    QLocalServer::removeServer(name);
    m_server.listen(name);
}

// A connection that ends without an answer reached a closing window: try again.
bool SingleInstance::otherAnswers(const QString& name, int timeoutMs) {
    for (const QDeadlineTimer deadline(timeoutMs); !deadline.hasExpired(); QThread::msleep(kPauseMs)) {
        QLocalSocket other;
        other.connectToServer(name);
        if (!other.waitForConnected(kConnectMs)) return false;
        if (other.waitForReadyRead(remaining(deadline)) && other.readAll() == kHere) return true;
    }
    return true;  // it is running but does not answer: two windows would be worse than none
}

void SingleInstance::answer() {
    while (auto* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        socket->write(kHere);
        socket->flush();
        socket->disconnectFromServer();
    }
    emit knocked();
}

}  // namespace steelyard::ui
