// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/end_on_signal.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace steelyard::desktop {
namespace {

constexpr std::array kSignals{SIGTERM, SIGINT, SIGHUP};
constexpr int kBySignal = 128;  // as shells report a signal

// Self-pipe: written by the signal handler, read in the event loop.
std::array<int, 2> wakeUp{-1, -1};

void onSignal(int number) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const auto written = ::write(wakeUp[1], &byte, 1);
    errno = before;
}

}  // namespace

EndOnSignal::EndOnSignal() {
    if (::pipe2(wakeUp.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
    m_notifier = std::make_unique<QSocketNotifier>(wakeUp[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &EndOnSignal::take);
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (int number : kSignals) ::sigaction(number, &action, nullptr);
}

EndOnSignal::~EndOnSignal() {
    if (!m_notifier) return;
    for (int number : kSignals) std::signal(number, SIG_DFL);
    m_notifier.reset();
    for (int& end : wakeUp) ::close(std::exchange(end, -1));
}

void EndOnSignal::take() {
    unsigned char number = 0;
    if (::read(wakeUp[0], &number, 1) == 1) QCoreApplication::exit(kBySignal + number);
}

}  // namespace steelyard::desktop
