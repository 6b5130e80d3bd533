// SPDX-License-Identifier: Apache-2.0
// Quantities with the unit in the type. Arithmetic preserves the unit; value() is the number in the SI base unit
// (bytes, floating-point operations, seconds) or in US dollars.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace steelyard {

template <typename Tag, typename Number>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(Number value) : m_value(value) {}
    [[nodiscard]] constexpr Number value() const { return m_value; }

    friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.m_value + b.m_value); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.m_value - b.m_value); }
    friend constexpr Quantity operator*(Quantity a, Number factor) { return Quantity(a.m_value * factor); }
    friend constexpr double operator/(Quantity a, Quantity b) {
        return static_cast<double>(a.m_value) / static_cast<double>(b.m_value);
    }
    constexpr Quantity& operator+=(Quantity other) {
        m_value += other.m_value;
        return *this;
    }

private:
    Number m_value{};
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Flops = Quantity<struct FlopsTag, double>;  // a count, not a rate
using Seconds = Quantity<struct SecondsTag, double>;
using Usd = Quantity<struct UsdTag, double>;

// "1.4 GiB", "512 B": binary prefixes, three significant digits.
[[nodiscard]] std::string formatBytes(Bytes bytes);
// "12.3 ms", "4.56 s", "1 h 03 min".
[[nodiscard]] std::string formatSeconds(Seconds seconds);
// "246 GFLOP", three significant digits; append "/s" for a rate.
[[nodiscard]] std::string formatFlops(Flops flops);
// "12.3", "0.00123", "12346": three significant digits, but all integer digits of large numbers.
[[nodiscard]] std::string formatNumber(double value);
// "519 GFLOP/s", "31.2 GB/s": decimal prefixes for FLOP and bytes; otherwise "12.3 samples/s", "19110 tokens/s".
[[nodiscard]] std::string formatRate(double perSecond, std::string_view unit);

}  // namespace steelyard
