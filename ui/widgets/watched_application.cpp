// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/watched_application.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <ctime>

namespace steelyard::ui {
namespace {

constexpr std::size_t kMostKept = 1000;

double secondsOf(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

QString nameOf(int type) {
    const auto* name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return name ? QString::fromLatin1(name) : QString::number(type);
}

}  // namespace

QString SlowEvent::text() const {
    return QStringLiteral("%1 computed %2 ms (%3 ms passed) for %4")
        .arg(receiver)
        .arg(computedMs, 0, 'f', 0)
        .arg(passedMs, 0, 'f', 0)
        .arg(event);
}

bool watchWanted() {
#ifdef NDEBUG
    return qEnvironmentVariableIsSet("STEELYARD_WATCHDOG");
#else
    return true;
#endif
}

WatchedApplication::WatchedApplication(int& argc, char** argv) : QApplication(argc, argv) {
    m_on = watchWanted();
}

void WatchedApplication::watch(bool on, double limitMs) {
    m_on = on;
    m_limitMs = limitMs;
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    // Events of other threads are delivered here, too.
    if (!m_on || QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
    const int level = thread()->loopLevel();
    if (!m_frames.empty() && m_frames.back().loopLevel == level) return QApplication::notify(receiver, event);
    // Both may be deleted during delivery.
    const auto type = event->type();
    const auto* className = receiver->metaObject()->className();
    const auto name = receiver->objectName();
    m_frames.push_back({level, secondsOf(CLOCK_THREAD_CPUTIME_ID), secondsOf(CLOCK_MONOTONIC), 0, 0});
    const bool result = QApplication::notify(receiver, event);
    const auto frame = m_frames.back();
    m_frames.pop_back();
    judge(frame, QString::fromLatin1(className) + (name.isEmpty() ? QString() : QLatin1Char(' ') + name), type);
    return result;
}

void WatchedApplication::judge(const Frame& frame, const QString& receiver, int type) {
    const double computed = secondsOf(CLOCK_THREAD_CPUTIME_ID) - frame.computed;
    const double passed = secondsOf(CLOCK_MONOTONIC) - frame.passed;
    if (!m_frames.empty()) {
        m_frames.back().innerComputed += computed;
        m_frames.back().innerPassed += passed;
    }
    const double ms = (computed - frame.innerComputed) * 1000;
    if (ms <= m_limitMs) return;
    const SlowEvent slow{receiver, nameOf(type), ms, (passed - frame.innerPassed) * 1000};
    qWarning("slow: %s", qUtf8Printable(slow.text()));
    if (m_slow.size() < kMostKept) m_slow.push_back(slow);
}

}  // namespace steelyard::ui
