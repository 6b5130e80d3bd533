// SPDX-License-Identifier: Apache-2.0
// One window per user, display and history file: the first one listens on a local socket; a second one connects, and
// exits once it is answered. A closing window no longer answers, so that another can start; a socket left by a crash is
// taken over. GUI thread.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace steelyard::ui {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    static constexpr int kTimeoutMs = 8000;  // for the answer of a busy window

    // Checks for another instance; returns at once if there is none or it answers.
    explicit SingleInstance(const QString& name, int timeoutMs = kTimeoutMs, QObject* parent = nullptr);
    // `display`: DISPLAY or WAYLAND_DISPLAY.
    [[nodiscard]] static QString nameFor(unsigned user, const QString& display, const QString& historyFile);
    // False: another window is running, and was asked to come to the front.
    [[nodiscard]] bool isFirst() const { return m_first; }

public slots:
    // From now on another instance may start: this one finishes without a window.
    void close() { m_server.close(); }

signals:
    void knocked();

private:
    [[nodiscard]] static bool otherAnswers(const QString& name, int timeoutMs);
    void answer();

    QLocalServer m_server;
    bool m_first = false;
};

}  // namespace steelyard::ui
