// SPDX-License-Identifier: Apache-2.0
// One window for each user, display and history file: the first listens on a local socket; a second one knocks, and
// leaves when it is answered. One that is closing answers no more, so that another can start at once; a socket left by
// a crash is taken over. GUI thread.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace steelyard::ui {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    static constexpr int kTimeoutMs = 8000;  // for the answer of a window that is busy

    // Asks whether there is another; returns at once where there is none or it answers.
    explicit SingleInstance(const QString& name, int timeoutMs = kTimeoutMs, QObject* parent = nullptr);
    // `display`: DISPLAY or WAYLAND_DISPLAY.
    [[nodiscard]] static QString nameFor(unsigned user, const QString& display, const QString& historyFile);
    // False: another window runs, and has been asked to come to the front.
    [[nodiscard]] bool isFirst() const { return m_first; }

public slots:
    // From now on a second start is the first: this one ends its work without a window.
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
