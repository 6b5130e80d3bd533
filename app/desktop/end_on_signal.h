// SPDX-License-Identifier: Apache-2.0
// SIGTERM, SIGINT and SIGHUP (logout, closed terminal) end the event loop as closing the window would, without asking:
// destructors run, the single-instance socket is removed, a measuring child is stopped and stores its results.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace steelyard::desktop {

// At most one, in the thread of its QCoreApplication and within its lifetime. The exit code is then 128 + the signal
// number. If no pipe can be created, signals keep their default effect.
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
