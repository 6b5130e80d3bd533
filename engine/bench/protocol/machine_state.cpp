// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/machine_state.h"

#include <algorithm>
#include <cmath>

#include "engine/bench/protocol/statistics.h"

namespace steelyard::bench {
namespace {

constexpr double kSmallestShare = 0.05;  // of all readings

double spreadOf(std::span<const double> sorted) {
    return medianAbsoluteDeviation(sorted).value_or(0);
}

// Cuts between sorted[i - 1] and sorted[i] for each i returned.
std::vector<std::size_t> candidateCuts(std::span<const double> sorted) {
    std::vector<std::size_t> cuts;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i] - sorted[i - 1] >= std::log(kStateFactor)) cuts.push_back(i);
    return cuts;
}

MachineState stateOfLogs(std::span<const double> sorted) {
    return {std::exp(sorted.front()), std::exp(*medianOfSorted(sorted)), std::exp(sorted.back())};
}

bool isReadable(double value) {
    return std::isfinite(value) && value > 0;
}

bool isDisturbed(const SamplingWindow& window, int threads) {
    const double allowed = kDisturbedShare * std::max(1, threads);
    const auto& after = window.after;
    if (after.otherCpus.value_or(0) > allowed || after.stolenCpus.value_or(0) > allowed) return true;
    if (after.gpuThrottled.value_or(false) || window.before.gpuThrottled.value_or(false)) return true;
    return after.gpuOtherProcesses.value_or(0) > 0 || window.before.gpuOtherProcesses.value_or(0) > 0;
}

}  // namespace

std::vector<MachineState> findStates(std::span<const double> roundTrips) {
    std::vector<double> logs;
    for (const double value : roundTrips)
        if (isReadable(value)) logs.push_back(std::log(value));
    std::sort(logs.begin(), logs.end());
    if (logs.empty()) return {};
    const auto cuts = candidateCuts(logs);
    const auto smallest = std::max(2.0, kSmallestShare * static_cast<double>(logs.size()));
    // Clusters by the factor alone; small ones are dropped unless there are no others.
    std::vector<std::span<const double>> all, clusters;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const auto end = i < cuts.size() ? cuts[i] : logs.size();
        all.emplace_back(logs.data() + begin, end - begin);
        begin = end;
    }
    std::copy_if(all.begin(), all.end(), std::back_inserter(clusters),
                 [&](const auto& cluster) { return static_cast<double>(cluster.size()) >= smallest; });
    if (clusters.empty()) clusters = all;
    // Merge neighbours whose gap is small compared with the spread within.
    for (std::size_t i = 1; i < clusters.size();) {
        const double gap = clusters[i].front() - clusters[i - 1].back();
        const double spread = std::max(spreadOf(clusters[i - 1]), spreadOf(clusters[i]));
        if (gap >= kStateGap * spread) {
            ++i;
            continue;
        }
        const auto* first = clusters[i - 1].data();
        clusters[i - 1] = {first, static_cast<std::size_t>(clusters[i].data() + clusters[i].size() - first)};
        clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::vector<MachineState> states;
    for (const auto& cluster : clusters) states.push_back(stateOfLogs(cluster));
    return states;
}

std::optional<std::size_t> stateOf(std::span<const MachineState> states, double roundTrip) {
    const double margin = std::sqrt(kStateFactor);
    for (std::size_t i = 0; i < states.size(); ++i)
        if (roundTrip >= states[i].low / margin && roundTrip <= states[i].high * margin) return i;
    return std::nullopt;
}

std::vector<double> roundTripsOf(std::span<const Visit> visits) {
    std::vector<double> result;
    const auto take = [&](const MachineReading& reading) {
        if (reading.slowestRoundTripSeconds) result.push_back(*reading.slowestRoundTripSeconds);
    };
    for (const auto& visit : visits)
        for (const auto& window : visit.windows) {
            take(window.before);
            take(window.after);
        }
    return result;
}

bool isDisturbed(const Visit& visit, int threads) {
    return std::all_of(visit.windows.begin(), visit.windows.end(),
                       [&](const SamplingWindow& window) { return isDisturbed(window, threads); });
}

WindowState classify(const SamplingWindow& window, std::span<const MachineState> states, int threads) {
    WindowState result;
    const auto& before = window.before.slowestRoundTripSeconds;
    const auto& after = window.after.slowestRoundTripSeconds;
    if (!states.empty()) {
        const auto first = before ? stateOf(states, *before) : std::nullopt;
        const auto last = after ? stateOf(states, *after) : std::nullopt;
        if (first && first == last)
            result.state = first;
        else
            result.use = WindowUse::Torn;
    }
    if (isDisturbed(window, threads)) result.use = WindowUse::Disturbed;
    return result;
}

}  // namespace steelyard::bench
