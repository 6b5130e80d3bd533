// SPDX-License-Identifier: Apache-2.0
// A clock interface, injected so that tests control time. Monotonic time is std::chrono::steady_clock (in libstdc++
// high_resolution_clock is the wall clock and may jump).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/core/units.h"

namespace steelyard {

class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual std::int64_t nowNanoseconds() const = 0;    // monotonic
    [[nodiscard]] virtual std::int64_t unixMilliseconds() const = 0;  // wall clock, UTC
    virtual void sleep(Seconds duration) = 0;
};

// The real clock. Stateless; any thread.
class SystemClock final : public Clock {
public:
    [[nodiscard]] std::int64_t nowNanoseconds() const override;
    [[nodiscard]] std::int64_t unixMilliseconds() const override;
    void sleep(Seconds duration) override;
};

// Advances only explicitly, or by sleep(). For tests.
class ManualClock final : public Clock {
public:
    [[nodiscard]] std::int64_t nowNanoseconds() const override { return m_now; }
    [[nodiscard]] std::int64_t unixMilliseconds() const override { return m_now / 1'000'000; }
    void sleep(Seconds duration) override { advance(duration); }
    void advance(Seconds duration) { m_now += static_cast<std::int64_t>(duration.value() * 1e9); }

private:
    std::int64_t m_now = 0;
};

[[nodiscard]] inline Seconds secondsBetween(std::int64_t startNanoseconds, std::int64_t endNanoseconds) {
    return Seconds(static_cast<double>(endNanoseconds - startNanoseconds) * 1e-9);
}

// "2026-11-21T05:06:45Z".
[[nodiscard]] std::string formatIsoTime(std::int64_t unixMilliseconds);

}  // namespace steelyard
