// SPDX-License-Identifier: Apache-2.0
#include "engine/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/report/escape.h"

namespace steelyard::report {
namespace {

// In units of the viewBox; the page scales it to its width.
constexpr double kWidth = 760;
constexpr double kLabelWidth = 270;
constexpr double kValueWidth = 90;
constexpr double kBarsWidth = kWidth - kLabelWidth - kValueWidth;
constexpr double kRow = 28;
constexpr double kBar = 16;
constexpr double kCap = 4;  // half the height of an error bar's cap
constexpr std::size_t kLabelCharacters = 40;

// SVG does not wrap text: a long label is truncated, with the full text as tooltip. UTF-8 is cut between characters.
std::string shortened(const std::string& label) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < label.size(); ++i) {
        const bool isContinuation = (static_cast<unsigned char>(label[i]) & 0xc0) == 0x80;
        if (!isContinuation && ++characters > kLabelCharacters) return label.substr(0, i) + "\xe2\x80\xa6";
    }
    return label;
}

std::string whisker(double low, double high, double middle) {
    return fmt::format(
        "<path class=\"whisker\" d=\"M{0:.1f} {2:.1f}H{1:.1f}M{0:.1f} {3:.1f}V{4:.1f}M{1:.1f} {3:.1f}V{4:.1f}\"/>", low,
        high, middle, middle - kCap, middle + kCap);
}

}  // namespace

std::string svgChart(const ReportChart& chart) {
    double largest = 0;
    for (const auto& bar : chart.bars) largest = std::max({largest, bar.value, bar.high.value_or(0)});
    const double scale = largest > 0 && std::isfinite(largest) ? kBarsWidth / largest : 0;
    const double height = kRow * static_cast<double>(chart.bars.size());
    auto svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {:.0f} {:.0f}\" aria-label=\"{}\">\n",
        kWidth, height, escapeHtml(chart.title));
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const auto& bar = chart.bars[i];
        const double middle = kRow * (static_cast<double>(i) + 0.5);
        const double length = bar.value * scale;
        svg += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\">{}<title>{}</title></text>",
                           kLabelWidth - 8, middle + 4, escapeHtml(shortened(bar.label)), escapeHtml(bar.label));
        svg += fmt::format("<rect class=\"series{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                           bar.series % kSeriesColours + 1, kLabelWidth, middle - kBar / 2, length, kBar);
        double end = length;
        if (bar.low && bar.high) {
            svg += whisker(kLabelWidth + *bar.low * scale, kLabelWidth + *bar.high * scale, middle);
            end = std::max(end, *bar.high * scale);
        }
        svg += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kLabelWidth + end + 8,
                           middle + 4, escapeHtml(bar.valueText));
    }
    return svg + "</svg>\n";
}

}  // namespace steelyard::report
