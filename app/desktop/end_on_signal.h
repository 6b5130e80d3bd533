// SPDX-License-Identifier: Apache-2.0
// SIGTERM, SIGINT and SIGHUP (a logout, a closed terminal) end the event loop as a closed window would, without asking:
// destructors run, the single-instance socket goes away, a measuring child is stopped and stores what it has.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace steelyard::desktop {

// One for the program, in the thread of its QCoreApplication and for as long as that lives. The program's exit code is
// then 128 + the signal's number. If no pipe can be created, signals have their default effect.
class EndOnSignal : public QObject {
    Q_OBJECT

public:
    EndOnSignal();
    ~EndOnSignal() override;

private:
    void take();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace steelyard::desktop
