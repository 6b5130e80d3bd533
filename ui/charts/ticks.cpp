// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace steelyard::ui {
namespace {

// The smallest of 1, 2, 2.5, 5 times a power of ten that is at least the value.
double niceStep(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= value * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

std::vector<double> linearTicks(double low, double high, double step) {
    std::vector<double> ticks;
    const double first = std::ceil(low / step - 1e-9);
    for (double index = first; index * step <= high + step * 1e-9; ++index) ticks.push_back(index * step);
    return ticks;
}

// Decades, or 1-2-5 when there are few decades.
std::vector<double> logTicks(double low, double high) {
    const double decades = std::log10(high / low);
    // Of less than half a decade 1-2-5 would leave one or two.
    if (decades < 0.45) return linearTicks(low, high, niceStep((high - low) / 5));
    std::vector<double> factors{1.0};
    if (decades <= 1.2) {
        factors = {1.0, 2.0, 3.0, 5.0, 7.0};
    } else if (decades <= 3.2) {
        factors = {1.0, 2.0, 5.0};
    }
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    const int stride = std::max(1, (last - first) / 8);
    for (int exponent = first; exponent <= last; exponent += stride) {
        for (const double factor : factors) {
            const double tick = factor * std::pow(10.0, exponent);
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
        }
    }
    return ticks;
}

AxisScale linearScale(double low, double high, const AxisRequest& request) {
    AxisScale result;
    const double smallest = low;
    if (request.fromZero) low = std::min(low, 0.0);
    if (high <= low) {
        const double half = low == 0 ? 1 : std::fabs(low) / 2;
        high = low + half;
        if (!request.fromZero) low -= half;
    }
    const double pad = (high - low) * request.padding;
    high += pad;
    if (!request.fromZero || low < 0) low -= pad;
    const double step = niceStep((high - low) / std::max(request.wantedTicks - 1, 1));
    if (request.fixedTicks.empty()) {
        // Padding alone must not extend the axis below zero.
        low = std::floor((smallest >= 0 ? std::max(low, 0.0) : low) / step + 1e-9) * step;
        high = std::ceil(high / step - 1e-9) * step;
        result.ticks = linearTicks(low, high, step);
    }
    result.low = low;
    result.high = high;
    return result;
}

AxisScale logScale(double low, double high, const AxisRequest& request) {
    AxisScale result;
    result.scale = ChartScale::Logarithmic;
    if (high / low < 1.001) {
        low /= 2;
        high *= 2;
    }
    const double pad = std::pow(high / low, request.padding);
    low /= pad;
    high *= pad;
    if (request.fixedTicks.empty()) {
        result.ticks = logTicks(low, high);
        // An axis needs at least two ticks: extend to the neighbouring 1-2-5 numbers.
        if (result.ticks.size() < 2) {
            const double power = std::pow(10.0, std::floor(std::log10(low)));
            low = low >= 5 * power ? 5 * power : low >= 2 * power ? 2 * power : power;
            high = niceStep(high);
            result.ticks = logTicks(low, high);
        }
    }
    result.low = low;
    result.high = high;
    return result;
}

}  // namespace

double AxisScale::toAxis(double value) const {
    if (scale == ChartScale::Linear) return value;
    return std::log10(value > 0 && std::isfinite(value) ? value : low);
}

ChartInterval reachOfIntervals(const std::vector<double>& values, ChartScale scale) {
    constexpr double kDecade = 10;
    constexpr double kOfLargest = 2;
    constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    const bool logarithmic = scale == ChartScale::Logarithmic;
    std::vector<double> usable;
    std::copy_if(values.begin(), values.end(), std::back_inserter(usable),
                 [&](double value) { return std::isfinite(value) && (!logarithmic || value > 0); });
    if (usable.empty()) return {-kUnlimited, kUnlimited};
    const auto [low, high] = std::minmax_element(usable.begin(), usable.end());
    if (logarithmic) return {*low / kDecade, *high * kDecade};
    const double more = kOfLargest * std::max(std::abs(*low), std::abs(*high));
    return {*low - more, *high + more};
}

AxisScale axisScale(const std::vector<double>& values, const AxisRequest& request) {
    const bool logarithmic = request.scale == ChartScale::Logarithmic;
    std::vector<double> usable;
    const auto take = [&](double value) {
        if (std::isfinite(value) && (!logarithmic || value > 0)) usable.push_back(value);
    };
    std::for_each(values.begin(), values.end(), take);
    std::for_each(request.fixedTicks.begin(), request.fixedTicks.end(), take);
    if (usable.empty()) usable = logarithmic ? std::vector<double>{1, 10} : std::vector<double>{0, 1};
    const auto [low, high] = std::minmax_element(usable.begin(), usable.end());
    auto result = logarithmic ? logScale(*low, *high, request) : linearScale(*low, *high, request);
    for (const double tick : request.fixedTicks) {
        if (tick >= result.low && tick <= result.high) result.ticks.push_back(tick);
    }
    std::sort(result.ticks.begin(), result.ticks.end());
    return result;
}

}  // namespace steelyard::ui
