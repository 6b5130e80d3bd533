// SPDX-License-Identifier: Apache-2.0
#include "engine/core/clock.h"

#include <ctime>
#include <thread>

namespace steelyard {

std::int64_t SystemClock::nowNanoseconds() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t SystemClock::unixMilliseconds() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

void SystemClock::sleep(Seconds duration) {
    std::this_thread::sleep_for(std::chrono::duration<double>(duration.value()));
}

std::string formatIsoTime(std::int64_t unixMilliseconds) {
    const auto seconds = static_cast<std::time_t>(unixMilliseconds / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    const auto length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, length};
}

}  // namespace steelyard
