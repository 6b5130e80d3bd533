// SPDX-License-Identifier: Apache-2.0
// The colours: contrast by WCAG 2.1, and the distance of the series' colours under protanopia and deuteranopia
// (matrices of Machado, Oliveira and Fernandes 2009, severity 1; distance in CIE L*a*b*).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix kOrdinary{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kGreenBlind{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kRedBlind{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};

Triple linear(const QColor& colour) {
    const auto channel = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return {channel(colour.redF()), channel(colour.greenF()), channel(colour.blueF())};
}

double luminance(const QColor& colour) {
    const auto rgb = linear(colour);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(const QColor& a, const QColor& b) {
    const double light = std::max(luminance(a), luminance(b));
    const double dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

Triple seenAs(const Matrix& sight, const QColor& colour) {
    const auto rgb = linear(colour);
    Triple seen{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) seen[row] += sight[row][column] * rgb[column];
        seen[row] = std::clamp(seen[row], 0.0, 1.0);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
    const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
    const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

class PaletteTest : public testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? Theme::darkTheme() : Theme::light();
};

TEST_P(PaletteTest, TextHasAContrastOfFourAndAHalfOnEverythingItStandsOn) {
    const std::pair<const char*, QColor> inks[] = {{"text", theme.text},       {"muted", theme.muted},
                                                   {"accent", theme.accent},   {"good", theme.good},
                                                   {"caution", theme.caution}, {"bad", theme.bad}};
    const std::pair<const char*, QColor> grounds[] = {{"window", theme.window},
                                                      {"surface", theme.surface},
                                                      {"hover", theme.hover},
                                                      {"pressed", theme.pressed},
                                                      {"selection", theme.selection}};
    for (const auto& [ink, colour] : inks) {
        for (const auto& [ground, behind] : grounds)
            EXPECT_GE(contrast(colour, behind), 4.5) << ink << " on " << ground;
    }
    EXPECT_GE(contrast(theme.onAccent, theme.accent), 4.5);
}

TEST_P(PaletteTest, WhatIsDrawnHasAContrastOfThree) {
    for (std::size_t i = 0; i < theme.series.size(); ++i)
        EXPECT_GE(contrast(theme.series[i], theme.surface), 3.0) << "series " << i;
    EXPECT_GE(contrast(theme.accent, theme.window), 3.0) << "the ring of the focus";
}

TEST_P(PaletteTest, SeriesStayApartWithoutRedAndWithoutGreen) {
    constexpr double kApart = 20;  // 2.3 is just noticeable side by side; chart marks are small and far apart
    const std::pair<const char*, const Matrix&> sights[] = {
        {"ordinary", kOrdinary}, {"green-blind", kGreenBlind}, {"red-blind", kRedBlind}};
    for (const auto& [name, sight] : sights) {
        for (std::size_t i = 0; i < theme.series.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const auto a = seenAs(sight, theme.series[i]);
                const auto b = seenAs(sight, theme.series[j]);
                EXPECT_GE(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), kApart)
                    << name << ": series " << i << " and " << j;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Palettes, PaletteTest, testing::Bool(),
                         [](const auto& one) { return one.param ? "Dark" : "Light"; });

}  // namespace
}  // namespace steelyard::ui
