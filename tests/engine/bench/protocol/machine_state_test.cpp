// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/machine_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bench/protocol/figure.h"
#include "tests/engine/bench/protocol/machine_readings.h"

namespace steelyard::bench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::vector<MachineState> statesIn(const std::map<std::string, ReadCase>& cases) {
    std::vector<double> all;
    for (const auto& [name, one] : cases)
        for (const double value : roundTripsOf(one.visits)) all.push_back(value);
    return findStates(all);
}

TEST(MachineStates, TwoOfTheMachineThatTheHostMoves) {
    const auto states = statesIn(readMachineReadings("two_states.csv"));
    ASSERT_THAT(states, SizeIs(2));
    EXPECT_GE(states[0].low, 48e-9);
    EXPECT_LE(states[0].high, 57e-9);
    EXPECT_GE(states[1].low, 318e-9);
    EXPECT_LE(states[1].high, 345e-9);
}

TEST(MachineStates, OneOfAQuietAndOfADriftingMachine) {
    EXPECT_THAT(statesIn(readMachineReadings("quiet.csv")), SizeIs(1));
    EXPECT_THAT(statesIn(readMachineReadings("drifting.csv")), SizeIs(1));
}

TEST(MachineStates, NoneWhereNothingCouldBeRead) {
    EXPECT_THAT(statesIn(readMachineReadings("throttling_gpu.csv")), IsEmpty());
    EXPECT_THAT(findStates(std::vector{0.0, -1.0}), IsEmpty());
}

TEST(MachineStates, AGapCountsOnlyComparedWithTheSpread) {
    // Two groups a factor of 1.4 apart, whose readings scatter by a factor of 1.25 around their medians.
    const std::vector wide{40.0, 50.0, 62.0, 88.0, 110.0, 137.0};
    EXPECT_THAT(findStates(wide), SizeIs(1));
    const std::vector narrow{50.0, 51.0, 50.5, 75.0, 75.5, 76.0};
    EXPECT_THAT(findStates(narrow), SizeIs(2));
}

TEST(MachineStates, ALoneReadingIsNone) {
    const std::vector readings{50.0, 51.0, 52.0, 330.0, 50.0, 51.0};
    const auto states = findStates(readings);
    ASSERT_THAT(states, SizeIs(1));
    EXPECT_DOUBLE_EQ(states[0].high, 52.0);
    EXPECT_EQ(stateOf(states, 330.0), std::nullopt);
    EXPECT_EQ(stateOf(states, 55.0), 0U);  // slightly beyond the observed range
}

SamplingWindow windowWith(double before, double after) {
    SamplingWindow window{.samples = 1, .before = {}, .after = {}};
    window.before.slowestRoundTripSeconds = before;
    window.after.slowestRoundTripSeconds = after;
    return window;
}

TEST(WindowUse, TornBetweenStates) {
    const std::vector<MachineState> states{{48e-9, 52e-9, 57e-9}, {318e-9, 330e-9, 345e-9}};
    EXPECT_EQ(classify(windowWith(50e-9, 51e-9), states, 2).use, WindowUse::Counted);
    EXPECT_EQ(classify(windowWith(50e-9, 51e-9), states, 2).state, 0U);
    EXPECT_EQ(classify(windowWith(330e-9, 320e-9), states, 2).state, 1U);
    EXPECT_EQ(classify(windowWith(50e-9, 330e-9), states, 2).use, WindowUse::Torn);
    EXPECT_EQ(classify(windowWith(150e-9, 150e-9), states, 2).use, WindowUse::Torn);
    // A single thread has no round trip: the state is unknown, and the window is accepted.
    EXPECT_EQ(classify({.samples = 1, .before = {}, .after = {}}, {}, 1).use, WindowUse::Counted);
}

TEST(WindowUse, TwoReadingsOfDifferentStatesAreTorn) {
    const auto states = findStates(std::vector{50e-9, 330e-9});
    EXPECT_EQ(classify(windowWith(50e-9, 330e-9), states, 2).use, WindowUse::Torn);
}

TEST(WindowUse, DisturbedByOthers) {
    auto window = windowWith(50e-9, 50e-9);
    const auto states = findStates(std::vector{50e-9, 50e-9});
    window.after.otherCpus = 0.09;
    EXPECT_EQ(classify(window, states, 2).use, WindowUse::Counted);
    window.after.otherCpus = 0.11;
    EXPECT_EQ(classify(window, states, 2).use, WindowUse::Disturbed);
    EXPECT_EQ(classify(window, states, 8).use, WindowUse::Counted);
    window.after.otherCpus = 0;
    window.after.stolenCpus = 0.3;
    EXPECT_EQ(classify(window, states, 2).use, WindowUse::Disturbed);
}

TEST(WindowUse, OnAGpuByThrottlingAndOtherProcesses) {
    SamplingWindow window{.samples = 1, .before = {}, .after = {}};
    window.after.gpuThrottled = false;
    window.after.gpuOtherProcesses = 0;
    EXPECT_EQ(classify(window, {}, 2).use, WindowUse::Counted);
    window.before.gpuThrottled = true;
    EXPECT_EQ(classify(window, {}, 2).use, WindowUse::Disturbed);
    window.before.gpuThrottled = false;
    window.after.gpuOtherProcesses = 1;
    EXPECT_EQ(classify(window, {}, 2).use, WindowUse::Disturbed);
}

// Figures of whole readings ------------------------------------------------------------------------------------------

TEST(RecordedFigure, OneAState) {
    const std::map<std::string, std::pair<double, double>> published{{"mnist_mlp train", {2.1e-3, 3.3e-3}},
                                                                     {"paradnn_fc train", {10.5e-3, 14.7e-3}},
                                                                     {"mnist_cnn train", {28.5e-3, 40e-3}},
                                                                     {"mobilenet_v2 infer", {14.5e-3, 19e-3}},
                                                                     {"memory_bandwidth", {13.6e-3, 9.3e-3}}};
    for (const auto& [name, one] : readMachineReadings("two_states.csv")) {
        const auto figure = figureOf(one.samples, one.visits, 2, {});
        ASSERT_TRUE(figure) << name;
        ASSERT_THAT(figure->others, SizeIs(1)) << name;
        const bool together = *figure->main.roundTripSeconds < 100e-9;
        const auto& near = together ? figure->main : figure->others[0];
        const auto& far = together ? figure->others[0] : figure->main;
        EXPECT_NEAR(near.medianSeconds / published.at(name).first, 1, 0.05) << name;
        EXPECT_NEAR(far.medianSeconds / published.at(name).second, 1, 0.05) << name;
        EXPECT_FALSE(figure->disturbed);
    }
}

TEST(RecordedFigure, OfTheMachineWithoutItsNeighbour) {
    const auto one = readMachineReadings("neighbour.csv").at("mnist_cnn train");
    const auto figure = figureOf(one.samples, one.visits, 2, {});
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->disturbedWindows, 40);
    EXPECT_FALSE(figure->disturbed);
    EXPECT_NEAR(figure->main.medianSeconds, 28.5e-3, 0.3e-3);
    EXPECT_GT(*figure->worstOtherCpus, 0.8);
    EXPECT_THAT(figure->main.visitSeconds, SizeIs(7));  // two of nine visits saw nothing else
}

TEST(RecordedFigure, IsDisturbedWhereTheNeighbourNeverLeft) {
    auto one = readMachineReadings("neighbour.csv").at("mnist_cnn train");
    for (auto& visit : one.visits)
        for (auto& window : visit.windows) window.after.otherCpus = 0.9;
    const auto figure = figureOf(one.samples, one.visits, 2, {});
    ASSERT_TRUE(figure);
    EXPECT_TRUE(figure->disturbed);
    EXPECT_EQ(figure->disturbedWindows, 108);
    EXPECT_EQ(figure->main.windows, 108);  // there is no other state
}

TEST(RecordedFigure, OfAThrottlingGpuIsThatOfItsFullClock) {
    const auto one = readMachineReadings("throttling_gpu.csv").at("resnet50 train");
    const auto figure = figureOf(one.samples, one.visits, 1, {});
    ASSERT_TRUE(figure);
    EXPECT_NEAR(figure->main.medianSeconds, 95e-3, 0.5e-3);
    EXPECT_EQ(figure->disturbedWindows, 16);
}

TEST(RecordedFigure, OfADriftingMachineHoldsTheDriftInItsInterval) {
    const auto one = readMachineReadings("drifting.csv").at("mnist_mlp train");
    const auto figure = figureOf(one.samples, one.visits, 2, {});
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->tornWindows, 0);
    ASSERT_TRUE(figure->low && figure->high);
    EXPECT_NEAR(*figure->deviation, 0.025, 0.01);  // 8 % evenly spread is a standard deviation of 2.3 %
}

}  // namespace
}  // namespace steelyard::bench
