// SPDX-License-Identifier: Apache-2.0
// Lets only one window of a user run, for two must not write one database at the same time: the first listens on a
// local socket, a second one knocks and leaves. A socket left by a crash is taken over. GUI thread.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace steelyard::ui {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    // `name` is made unique for the user by the caller.
    explicit SingleInstance(const QString& name, QObject* parent = nullptr);
    // False: another window runs, and has been asked to come to the front.
    [[nodiscard]] bool isFirst() const { return m_first; }

signals:
    void knocked();

private:
    QLocalServer m_server;
    bool m_first = false;
};

}  // namespace steelyard::ui
