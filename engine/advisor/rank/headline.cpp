// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {
namespace {

// Decimal places for three significant digits.
int decimalsOfThree(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0 || magnitude >= 99.95) return 0;
    if (magnitude >= 9.995) return 1;
    if (magnitude >= 0.9995) return 2;
    return std::min(3 + static_cast<int>(std::floor(-std::log10(magnitude))), 12);
}

// "1,234.5"
std::string grouped(double value, int decimals) {
    auto text = fmt::format("{:.{}f}", value, decimals);
    const auto first = static_cast<std::ptrdiff_t>(text.starts_with('-') ? 1 : 0);
    auto end = static_cast<std::ptrdiff_t>(std::min(text.find('.'), text.size()));
    while (end - first > 3) {
        end -= 3;
        text.insert(static_cast<std::size_t>(end), 1, ',');
    }
    return text;
}

std::string twoDigitText(double value) {
    if (value >= 99.5) return grouped(std::round(value / 10) * 10, 0);
    return grouped(value, value == 0 || value >= 9.95 ? 0 : decimalsOfThree(value) - 1);
}

int decimalsOfMoney(double usd) {
    const double magnitude = std::fabs(usd);
    const int decimals = magnitude >= 999.5 ? 0 : magnitude >= 0.0995 ? 2 : decimalsOfThree(usd);
    return magnitude < 0.00995 ? decimals - 1 : decimals;
}

struct WaitUnit {
    double seconds = 1;
    const char* name = "s";
};
WaitUnit waitUnit(double seconds) {
    if (seconds < 99.5) return {1, "s"};
    if (seconds < 99.5 * 60) return {60, "min"};
    return seconds < 60 * 3600.0 ? WaitUnit{3600, "h"} : WaitUnit{86400, "d"};
}

}  // namespace

std::string deviceName(const Candidate& candidate, const catalog::Catalog& catalog) {
    if (candidate.own) return {};
    const auto colon = candidate.hardware.find(':');  // of a processor: id and cores
    const auto* spec = catalog.findHardware(candidate.hardware.substr(0, colon));
    if (spec == nullptr) return {};
    auto name = colon == std::string::npos ? spec->name
                                           : fmt::format("{} x {}", candidate.hardware.substr(colon + 1), spec->name);
    return candidate.devices == 1 ? name : fmt::format("{:.4g} x {}", candidate.devices, name);
}

std::string waitText(double hours) {
    const auto unit = waitUnit(hours * 3600);
    return fmt::format("{} {}", twoDigitText(hours * 3600 / unit.seconds), unit.name);
}

std::string waitBandText(const Interval& hours) {
    const auto unit = waitUnit(hours.median * 3600);
    return fmt::format("{} to {} {}", twoDigitText(hours.low * 3600 / unit.seconds),
                       twoDigitText(hours.high * 3600 / unit.seconds), unit.name);
}

std::string dollars(double usd) {
    constexpr double kLeastUsd = 0.0001;
    if (usd == 0) return "$0";
    if (std::fabs(usd) < kLeastUsd) return fmt::format("<${:.4f}", kLeastUsd);
    return "$" + grouped(usd, decimalsOfMoney(usd));
}

std::string dollarsBandText(const Interval& usd) {
    const int decimals = decimalsOfMoney(usd.high);
    const bool rounds = decimalsOfMoney(usd.low) > decimals && usd.low >= std::pow(10.0, -decimals);
    auto last = dollars(usd.high);
    if (last.starts_with('$')) last.erase(0, 1);
    return fmt::format("{} to {}", rounds ? "$" + grouped(usd.low, decimals) : dollars(usd.low), last);
}

std::string headline(const AdviceRequest& request, const Advice& advice, const catalog::Catalog& catalog,
                     std::string_view workloadTitle) {
    if (!advice.chosen)
        return "No machine can do this job within these limits: loosen a limit, or choose a smaller batch.";
    const auto& best = advice.candidates[*advice.chosen];
    const auto device = deviceName(best, catalog);
    const auto name = device.empty() ? best.title : fmt::format("{} ({})", best.title, device);
    const auto& model = request.job;
    const auto job =
        fmt::format("{} {}, batch {}, {}", model.mode == plan::Mode::Train ? "training" : "inference", workloadTitle,
                    grouped(static_cast<double>(model.batch), 0), plan::toString(model.precision));
    const auto time = fmt::format("{} takes about {} ({})", job, waitText(best.hours.median), waitBandText(best.hours));
    if (best.own && best.costUsd.median == 0) return fmt::format("Use {}: {} and there is nothing to pay.", name, time);
    const auto cost = fmt::format("{} ({})", dollars(best.costUsd.median), dollarsBandText(best.costUsd));
    if (best.own) return fmt::format("Use {}: {} and {} of electricity.", name, time, cost);
    return fmt::format("Rent {}: {} and costs {}.", name, time, cost);
}

}  // namespace steelyard::advisor
