// SPDX-License-Identifier: Apache-2.0
// One thread for work that the window must not wait for: pieces of work run one after the other, in the order given,
// always in the same thread (a database connection needs that); what each returns is handed to a function in the GUI
// thread. Owned by a controller, and destroyed before it: the destructor waits for what was given, whose results are
// then dropped with their receiver. GUI thread.
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
        m_pool.setExpiryTimeout(-1);  // the thread stays
    }
    ~SerialWorker() { m_pool.waitForDone(); }
    SerialWorker(const SerialWorker&) = delete;
    SerialWorker& operator=(const SerialWorker&) = delete;

    // `done` takes what `work` returns.
    template <typename Work, typename Done>
    void run(QObject* receiver, Work work, Done done) {
        QtConcurrent::run(&m_pool, std::move(work)).then(receiver, std::move(done));
    }

private:
    QThreadPool m_pool;
};

}  // namespace steelyard::ui
