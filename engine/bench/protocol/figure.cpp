// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "engine/bench/protocol/distributions.h"
#include "engine/bench/protocol/machine_state.h"
#include "engine/bench/protocol/statistics.h"

namespace steelyard::bench {
namespace {

struct Window {
    std::size_t visit = 0;
    double seconds = 0;
    std::span<const double> samples;
    WindowState state;
    const SamplingWindow* readings = nullptr;
};

std::optional<double> medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return medianOfSorted(values);
}

std::vector<Window> windowsOf(std::span<const double> samples, std::span<const Visit> visits, int threads,
                              std::span<const MachineState> states) {
    std::vector<Window> windows;
    std::size_t at = 0;
    for (std::size_t v = 0; v < visits.size(); ++v)
        for (const auto& window : visits[v].windows) {
            const auto count =
                std::min(static_cast<std::size_t>(std::max<std::int64_t>(0, window.samples)), samples.size() - at);
            const auto own = samples.subspan(at, count);
            const auto seconds = medianOfSorted(sortedFinite(own));
            at += count;
            if (seconds && *seconds > 0)
                windows.push_back({v, *seconds, own, classify(window, states, threads), &window});
        }
    return windows;
}

template <typename Member>
std::optional<double> medianOfReadings(const std::vector<const Window*>& windows, Member member) {
    std::vector<double> values;
    for (const auto* window : windows)
        for (const auto* reading : {&window->readings->before, &window->readings->after})
            if (reading->*member) values.push_back(*(reading->*member));
    return medianOf(std::move(values));
}

StateFigure stateFigure(const std::vector<const Window*>& windows, std::optional<double> roundTrip) {
    StateFigure figure;
    figure.roundTripSeconds = roundTrip;
    figure.windows = static_cast<std::int64_t>(windows.size());
    figure.arithmeticRate = medianOfReadings(windows, &MachineReading::arithmeticRate);
    figure.bandwidth = medianOfReadings(windows, &MachineReading::bandwidth);
    std::vector<double> all;
    std::map<std::size_t, std::vector<double>> byVisit;
    RunningMoments moments;
    for (const auto* window : windows) {
        for (const double sample : window->samples) moments.add(sample);
        all.push_back(window->seconds);
        byVisit[window->visit].push_back(window->seconds);
    }
    figure.medianSeconds = *medianOf(std::move(all));
    figure.meanSeconds = *moments.mean();
    for (auto& [visit, values] : byVisit) figure.visitSeconds.push_back(*medianOf(std::move(values)));
    return figure;
}

// Windows by state, most windows first; a single group of all windows if none is valid.
struct Groups {
    bool isCounted = true;
    std::vector<std::pair<std::optional<std::size_t>, std::vector<const Window*>>> byWindows;
};

Groups groupsOf(const std::vector<Window>& windows) {
    std::map<std::optional<std::size_t>, std::vector<const Window*>> byState;
    for (const auto& window : windows)
        if (window.state.use == WindowUse::Counted) byState[window.state.state].push_back(&window);
    Groups groups;
    groups.isCounted = !byState.empty();
    if (!groups.isCounted)
        for (const auto& window : windows) byState[std::nullopt].push_back(&window);
    groups.byWindows.assign(byState.begin(), byState.end());
    std::stable_sort(groups.byWindows.begin(), groups.byWindows.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return groups;
}

// Windows that the result is based on.
std::vector<Window> countedWindows(std::span<const double> samples, std::span<const Visit> visits, int threads) {
    const auto states = findStates(roundTripsOf(visits));
    const auto windows = windowsOf(samples, visits, threads, states);
    std::vector<Window> counted;
    if (windows.empty()) return counted;
    const auto groups = groupsOf(windows);
    for (const auto* window : groups.byWindows.front().second) counted.push_back(*window);
    return counted;
}

void addInterval(Figure& figure, std::size_t visitsOfCase, const Noise& noise) {
    const auto& prior = noise.betweenVisits;
    if (prior.degrees > 0) {
        figure.priorDeviation = std::sqrt(prior.value);
        figure.priorDegrees = prior.degrees;
    }
    const auto own = visitVariance(figure);
    const bool isKnown = own.degrees > 0 || (visitsOfCase > 1 && prior.degrees > 0);
    if (!isKnown) return;
    const auto variance = moderate(own, prior);
    figure.deviation = std::sqrt(variance.value);
    figure.degrees = variance.degrees;
    if (noise.runEffect.degrees > 0) {
        figure.runDeviation = std::sqrt(noise.runEffect.value);
        figure.runDegrees = noise.runEffect.degrees;
    }
    const auto visits = figure.main.visitSeconds.size();
    const double wider = medianOverMeanDeviation(visits);
    const auto ofFigure =
        sum({variance.value * wider * wider / static_cast<double>(visits), variance.degrees}, noise.runEffect);
    const double width = studentQuantile(kOutsideInterval, ofFigure.degrees) * std::sqrt(2 * ofFigure.value);
    figure.low = figure.main.medianSeconds * std::exp(-width);
    figure.high = figure.main.medianSeconds * std::exp(width);
}

}  // namespace

double medianOverMeanDeviation(std::size_t n) {
    constexpr std::array kExact{1.0, 1.0, 1.0, 1.1602, 1.0922, 1.1976, 1.1351, 1.2137};
    return n < kExact.size() ? kExact.at(n) : std::sqrt(std::numbers::pi / 2);
}

Variance visitVariance(const Figure& figure) {
    auto all = varianceOfLogarithms(figure.main.visitSeconds);
    for (const auto& state : figure.others) all = pooled(all, varianceOfLogarithms(state.visitSeconds));
    return all;
}

std::optional<Figure> figureOf(std::span<const double> samples, std::span<const Visit> visits, int threads,
                               const Noise& noise) {
    const auto states = findStates(roundTripsOf(visits));
    const auto windows = windowsOf(samples, visits, threads, states);
    if (windows.empty()) return std::nullopt;
    Figure figure;
    for (const auto& window : windows) {
        figure.tornWindows += window.state.use == WindowUse::Torn ? 1 : 0;
        figure.disturbedWindows += window.state.use == WindowUse::Disturbed ? 1 : 0;
        if (const auto& others = window.readings->after.otherCpus)
            figure.worstOtherCpus = std::max(figure.worstOtherCpus.value_or(0), *others);
    }
    const auto groups = groupsOf(windows);
    figure.disturbed = !groups.isCounted;
    std::vector<StateFigure> figures;
    for (const auto& [state, members] : groups.byWindows)
        figures.push_back(stateFigure(members, state ? std::optional(states[*state].median) : std::nullopt));
    figure.main = std::move(figures.front());
    figure.others.assign(std::make_move_iterator(figures.begin() + 1), std::make_move_iterator(figures.end()));
    addInterval(figure, visits.size(), noise);
    return figure;
}

std::vector<double> countedSamples(std::span<const double> samples, std::span<const Visit> visits, int threads) {
    std::vector<double> counted;
    for (const auto& window : countedWindows(samples, visits, threads))
        counted.insert(counted.end(), window.samples.begin(), window.samples.end());
    return counted;
}

std::optional<WeightBandwidth> countedWeightBandwidth(std::span<const double> samples, std::span<const Visit> visits,
                                                      int threads) {
    double bytes = 0, seconds = 0;
    std::vector<double> readings;
    for (const auto& window : countedWindows(samples, visits, threads)) {
        const auto &before = window.readings->before.weightBandwidth, &after = window.readings->after.weightBandwidth;
        if (!before || !after) return std::nullopt;
        const double spent = std::accumulate(window.samples.begin(), window.samples.end(), 0.0);
        bytes += spent * std::midpoint(*before, *after);
        seconds += spent;
        readings.insert(readings.end(), {*before, *after});
    }
    if (readings.empty()) return std::nullopt;
    const auto [slowest, fastest] = std::ranges::minmax(readings);
    return WeightBandwidth{bytes / seconds, slowest, fastest};
}

}  // namespace steelyard::bench
