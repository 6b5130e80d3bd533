// SPDX-License-Identifier: Apache-2.0
// A thread for work that must not block the window: tasks run in order and always in the same thread (as database
// connections require); their results are passed to a function in the GUI thread. Owned by a controller and destroyed
// before it: the destructor waits for all tasks, whose results are dropped with their receiver. GUI thread.
#pragma once

#include <QFuture>
#include <QThreadPool>
#include <QtConcurrentRun>
#include <utility>

namespace steelyard::ui {

class SerialWorker {
public:
    SerialWorker() {
        m_pool.setMaxThreadCount(1);
        m_pool.setExpiryTimeout(-1);  // keep the thread
    }
    ~SerialWorker() { m_pool.waitForDone(); }
    SerialWorker(const SerialWorker&) = delete;
    SerialWorker& operator=(const SerialWorker&) = delete;

    // `done` takes the result of `work`.
    template <typename Work, typename Done>
    void run(QObject* receiver, Work work, Done done) {
        QtConcurrent::run(&m_pool, std::move(work)).then(receiver, std::move(done));
    }

private:
    QThreadPool m_pool;
};

}  // namespace steelyard::ui
