// SPDX-License-Identifier: Apache-2.0
#include "engine/core/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace steelyard {
namespace {

constexpr std::array<std::string_view, 7> kDecimalPrefixes{"", "k", "M", "G", "T", "P", "E"};

// Three significant digits without scientific notation: 1.23, 12.3, 123, 1234.
std::string threeDigits(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0 || magnitude >= 99.95) return fmt::format("{:.0f}", value);
    if (magnitude >= 9.995) return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

std::string scaled(double value, double base, const auto& prefixes, std::string_view unit) {
    std::size_t step = 0;
    while (std::fabs(value) >= base * 0.9995 && step + 1 < prefixes.size()) {
        value /= base;
        ++step;
    }
    const auto number = step == 0 && value == std::floor(value) ? fmt::format("{:.0f}", value) : threeDigits(value);
    return fmt::format("{} {}{}", number, prefixes[step], unit);
}

}  // namespace

std::string formatNumber(double value) {
    return std::fabs(value) >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string formatBytes(Bytes bytes) {
    constexpr std::array<std::string_view, 6> prefixes{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    return scaled(static_cast<double>(bytes.value()), 1024.0, prefixes, "B");
}

std::string formatFlops(Flops flops) {
    return scaled(flops.value(), 1000.0, kDecimalPrefixes, "FLOP");
}

std::string formatRate(double perSecond, std::string_view unit) {
    if (unit == "FLOP/s" || unit == "B/s") return scaled(perSecond, 1000.0, kDecimalPrefixes, unit);
    return fmt::format("{} {}", threeDigits(perSecond), unit);
}

std::string formatSeconds(Seconds seconds) {
    const double value = seconds.value();
    if (std::fabs(value) >= 86400) {
        const auto hours = std::llround(value / 3600);
        return fmt::format("{} d {:02} h", hours / 24, hours % 24);
    }
    if (std::fabs(value) >= 3600) {
        const auto minutes = std::llround(value / 60);
        return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
    }
    if (std::fabs(value) >= 120) {
        const auto whole = std::llround(value);
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    if (std::fabs(value) >= 1 || value == 0) return threeDigits(value) + " s";
    if (std::fabs(value) >= 1e-3) return threeDigits(value * 1e3) + " ms";
    if (std::fabs(value) >= 1e-6) return threeDigits(value * 1e6) + " us";
    return threeDigits(value * 1e9) + " ns";
}

}  // namespace steelyard
