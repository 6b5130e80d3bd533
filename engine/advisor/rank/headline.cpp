// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/messages/advisor.h"

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

std::string twoDigitText(double value) {
    if (value >= 99.5) return groupedDigits(std::round(value / 10) * 10, 0);
    return groupedDigits(value, value == 0 || value >= 9.95 ? 0 : decimalsOfThree(value) - 1);
}

struct WaitUnit {
    double seconds;
    const char* name;
    Message (*message)(const std::string&);
};
WaitUnit waitUnit(double seconds) {
    const auto make = [](double length, const char* name, auto message) { return WaitUnit{length, name, message}; };
    if (seconds < 99.5) return make(1, "s", [](const std::string& text) { return messages::waitSeconds(text); });
    if (seconds < 99.5 * 60)
        return make(60, "min", [](const std::string& text) { return messages::waitMinutes(text); });
    if (seconds < 60 * 3600.0)
        return make(3600, "h", [](const std::string& text) { return messages::waitHours(text); });
    return make(86400, "d", [](const std::string& text) { return messages::waitDays(text); });
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

Message waitMessage(double hours) {
    const auto unit = waitUnit(hours * 3600);
    return unit.message(twoDigitText(hours * 3600 / unit.seconds));
}

std::string waitBandText(const Interval& hours) {
    const auto unit = waitUnit(hours.median * 3600);
    return fmt::format("{} to {} {}", twoDigitText(hours.low * 3600 / unit.seconds),
                       twoDigitText(hours.high * 3600 / unit.seconds), unit.name);
}

std::string rateSentence(const ExchangeRate& rate) {
    if (rate.currency == Currency::UsDollar) return {};
    const auto code = toString(rate.currency);
    return fmt::format("Amounts in {}; 1 US dollar = {:g} {} ({}, {}).", code, rate.perUsd, code, rate.date,
                       rate.source);
}

const Candidate* ownIsEnough(const Advice& advice) {
    if (!advice.chosen) return nullptr;
    const auto& best = advice.candidates[*advice.chosen];
    if (best.own) return nullptr;
    const Candidate* found = nullptr;
    for (const auto& one : advice.candidates) {
        if (!one.own || !one.instead || one.instead->hours.median > best.hours.median) continue;
        if (!found || one.instead->hours.median < found->instead->hours.median) found = &one;
    }
    return found;
}

std::string headline(const AdviceRequest& request, const Advice& advice, const catalog::Catalog& catalog,
                     std::string_view workloadTitle, const ExchangeRate& rate) {
    if (!advice.chosen)
        return "No machine can do this job within these limits: loosen a limit, or choose a smaller batch.";
    const auto& best = advice.candidates[*advice.chosen];
    const auto device = deviceName(best, catalog);
    const auto name = device.empty() ? best.title : fmt::format("{} ({})", best.title, device);
    const auto& model = request.job;
    const auto job =
        fmt::format("{} {}, batch {}, {}", model.mode == plan::Mode::Train ? "training" : "inference with",
                    workloadTitle, groupedDigits(static_cast<double>(model.batch), 0), plan::toString(model.precision));
    const auto time = fmt::format("{} takes about {} ({})", job, waitText(best.hours.median), waitBandText(best.hours));
    if (best.own && best.costUsd.median == 0) return fmt::format("Use {}: {} and there is nothing to pay.", name, time);
    const auto cost = fmt::format("{} ({})", moneyText(best.costUsd.median, rate),
                                  moneyRangeText(best.costUsd.low, best.costUsd.high, rate));
    if (best.own) return fmt::format("Use {}: {} and {} of electricity.", name, time, cost);
    const auto* enough = ownIsEnough(advice);
    if (!enough) return fmt::format("Rent {}: {} and costs {}.", name, time, cost);
    const auto& instead = *enough->instead;
    const auto with = instead.software == request.software ? "" : ", with Steelyard itself";
    return fmt::format(
        "No need to rent for {} {}: {} takes about {} ({}), in {}, batch {}{}. The best to rent is {}: {} and costs "
        "{}.",
        model.mode == plan::Mode::Train ? "training" : "inference with", workloadTitle, enough->title,
        waitText(instead.hours.median), waitBandText(instead.hours), plan::toString(instead.precision),
        groupedDigits(static_cast<double>(instead.batch), 0), with, name, time, cost);
}

}  // namespace steelyard::advisor
