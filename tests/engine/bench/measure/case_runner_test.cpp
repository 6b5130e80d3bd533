// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/case_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "engine/bench/measure/sensor_recorder.h"
#include "tests/engine/hardware/fake_drivers.h"

namespace steelyard::bench {
namespace {

using compute::Backend;
using compute::Executable;

// Simulated backend: each step advances the test's clock by a given time.
struct FakeBehaviour {
    std::function<Seconds(std::int64_t)> stepTime = [](std::int64_t) { return Seconds(0.002); };
    std::optional<Error> compileError;
    std::optional<std::string> unsupported;  // name of an operation
    std::int64_t failAtStep = -1;
};

class FakeExecutable final : public Executable {
public:
    FakeExecutable(std::shared_ptr<const plan::Plan> plan, const FakeBehaviour& behaviour, ManualClock& clock,
                   std::int64_t& steps)
        : m_plan(std::move(plan)), m_behaviour(behaviour), m_clock(clock), m_steps(steps) {}
    const plan::Plan& plan() const override { return *m_plan; }
    Result<void> write(plan::TensorId, std::span<const float>) override { return {}; }
    Result<void> write(plan::TensorId, std::span<const std::int32_t>) override { return {}; }
    Result<void> read(plan::TensorId, std::span<float>) override { return {}; }
    Result<compute::StepOutcome> step(const compute::StepContext& context) override {
        if (m_steps == m_behaviour.failAtStep)
            return fail(ErrorKind::Internal, "the fake device", Message("fell over"));
        m_clock.advance(m_behaviour.stepTime(context.index));
        ++m_steps;
        return compute::StepOutcome{0.5, {}};
    }
    compute::MemoryFigures memory() const override {
        return {Bytes(1), Bytes(2), Bytes(3), Bytes(4), Bytes(5), Bytes(15)};
    }
    std::vector<compute::OperationTime> profile() const override { return {}; }

private:
    std::shared_ptr<const plan::Plan> m_plan;
    const FakeBehaviour& m_behaviour;
    ManualClock& m_clock;
    std::int64_t& m_steps;
};

class FakeBackend final : public Backend {
public:
    FakeBackend(const FakeBehaviour& behaviour, ManualClock& clock) : m_behaviour(behaviour), m_clock(clock) {}
    std::string_view name() const override { return "fake"; }
    std::vector<compute::Device> devices() const override { return {{"cpu", "Invented processor", {}}}; }
    std::vector<std::pair<std::string, std::string>> libraries() const override { return {{"fakelib", "1.2"}}; }
    Result<void> supports(const plan::Operation& operation, const plan::Plan&) const override {
        if (m_behaviour.unsupported && operation.name == *m_behaviour.unsupported)
            return fail(ErrorKind::Unsupported, operation.name, Message("the fake cannot do it"));
        return {};
    }
    Result<std::unique_ptr<Executable>> compile(std::shared_ptr<const plan::Plan> plan,
                                                const compute::CompileOptions&) override {
        if (m_behaviour.compileError) return Failure(*m_behaviour.compileError);
        m_clock.advance(Seconds(0.25));
        return std::make_unique<FakeExecutable>(std::move(plan), m_behaviour, m_clock, steps);
    }
    std::int64_t steps = 0;

private:
    const FakeBehaviour& m_behaviour;
    ManualClock& m_clock;
};

class CaseRunnerTest : public ::testing::Test {
protected:
    CaseRecord run(Protocol protocol = {}) {
        protocol.verify = false;
        protocol.sensorsPerSecond = 0;
        FakeBackend backend(m_behaviour, m_clock);
        const CaseServices services{
            .backend = backend,
            .reference = backend,
            .profile = m_profile,
            .clock = m_clock,
            .onEvent = [this](const Event& event) { m_events.push_back(event); },
            .cancelled = [&] { return m_cancelAfterSteps >= 0 && backend.steps >= m_cancelAfterSteps; },
            .management = m_management};
        return runCase(m_case, protocol, services);
    }

    std::vector<Phase> phases() const {
        std::vector<Phase> list;
        for (const auto& event : m_events)
            if (event.phase) list.push_back(*event.phase);
        return list;
    }

    FakeBehaviour m_behaviour;
    ManualClock m_clock;
    hardware::HardwareProfile m_profile;
    Case m_case{.workload = "mnist_mlp", .mode = plan::Mode::Train, .device = "cpu", .batch = 16};
    std::vector<Event> m_events;
    std::int64_t m_cancelAfterSteps = -1;
    std::shared_ptr<hardware::ManagementLibrary> m_management;
};

TEST_F(CaseRunnerTest, SamplesAreTakenInWindows) {
    Protocol protocol;
    protocol.timeCap = Seconds(6);
    m_behaviour.stepTime = [](std::int64_t index) { return Seconds(index % 2 == 0 ? 0.02 : 0.04); };  // never precise
    const auto record = run(protocol);
    ASSERT_EQ(record.status, Status::Ok) << record.reason;
    ASSERT_EQ(record.visits.size(), 1U);
    ASSERT_GE(record.visits[0].windows.size(), 3U);
    std::int64_t samples = 0;
    for (const auto& window : record.visits[0].windows) samples += window.samples;
    EXPECT_EQ(samples, static_cast<std::int64_t>(record.samplesSeconds.size()));
    EXPECT_GE(record.visits[0].windows[0].samples, 8);  // a quarter of a second
    EXPECT_LE(record.visits[0].windows[0].samples, 13);
    ASSERT_TRUE(record.figure);
    EXPECT_EQ(record.figure->main.visitSeconds.size(), 1U);
    EXPECT_FALSE(record.stepSeconds->ci95Low) << "one visit has no interval";
}

TEST_F(CaseRunnerTest, ASteadyCaseStopsWhenItIsPrecise) {
    const auto record = run();
    EXPECT_EQ(record.status, Status::Ok) << record.reason;
    ASSERT_TRUE(record.stepSeconds);
    EXPECT_NEAR(record.stepSeconds->median, 0.002, 1e-9);
    EXPECT_GE(record.stepSeconds->n, 10);
    EXPECT_EQ(record.stopReason, StopReason::Precision);
    EXPECT_GE(record.warmUp.seconds, 0.3);
    EXPECT_NEAR(record.compileSeconds.value_or(0), 0.25, 1e-9);
    EXPECT_NEAR(record.throughput->value, 16 / 0.002, 1);
    EXPECT_EQ(record.throughput->unit, "samples/s");
    EXPECT_EQ(record.memory.enginePeakBytes, 15);
    EXPECT_EQ(record.deviceName, "Invented processor");
    EXPECT_EQ(record.conditions.at("fakelib"), "1.2");
    EXPECT_EQ(phases(), (std::vector<Phase>{Phase::Compile, Phase::WarmUp, Phase::Sampling}));
}

TEST_F(CaseRunnerTest, ShortStepsAreGathered) {
    m_behaviour.stepTime = [](std::int64_t) { return Seconds(50e-6); };
    const auto record = run();
    EXPECT_GE(record.stepsPerSample, 20);
    EXPECT_NEAR(record.stepSeconds->median, 50e-6, 1e-9);
}

TEST_F(CaseRunnerTest, ANoisyCaseEndsAtTheCapOrWhenItsNoiseIsStable) {
    m_behaviour.stepTime = [](std::int64_t i) { return Seconds(i % 2 == 0 ? 0.01 : 0.03); };
    const auto record = run({.timeCap = Seconds(2)});
    EXPECT_EQ(record.status, Status::Ok);
    EXPECT_NE(record.stopReason, StopReason::Precision);
}

TEST_F(CaseRunnerTest, ASustainedCaseSaysWhetherTheSpeedLasts) {
    const auto steady = run({.timeCap = Seconds(30), .sustained = true});
    EXPECT_EQ(steady.status, Status::Ok) << steady.reason;
    EXPECT_EQ(steady.stopReason, StopReason::Sustained);
    EXPECT_GE(steady.stepsPerSample, 50);  // 0.1 s of 2 ms
    EXPECT_NEAR(static_cast<double>(steady.samplesSeconds.size()), 300, 2);
    EXPECT_EQ(steady.conditions.at("sustained_ratio"), "1.000");
    EXPECT_THAT(steady.warnings,
                testing::Not(testing::Contains(testing::Field(&Message::text, testing::HasSubstr("last third")))));

    // Simulated heating: 2 ms per step for the first ten thousand steps (20 s), then 4 ms.
    m_behaviour.stepTime = [](std::int64_t i) { return Seconds(i < 10'000 ? 0.002 : 0.004); };
    const auto hot = run({.timeCap = Seconds(40), .sustained = true});
    EXPECT_EQ(hot.conditions.at("sustained_ratio"), "0.500");
    EXPECT_THAT(hot.warnings,
                testing::Contains(testing::Field(
                    &Message::text, "the last third of the run reached 50 % of the speed of the first third")));
}

TEST_F(CaseRunnerTest, StepsWithoutLengthDoNotHang) {
    m_behaviour.stepTime = [](std::int64_t) { return Seconds(0); };
    const auto record = run({.timeCap = Seconds(1)});
    EXPECT_EQ(record.status, Status::Failed);
    EXPECT_NE(record.reason.text.find("time"), std::string::npos);
}

TEST_F(CaseRunnerTest, EachFailureIsNamed) {
    m_behaviour.compileError = Error{ErrorKind::OutOfMemory, "mnist_mlp", {}, {}, 100, 50};
    auto record = run();
    EXPECT_EQ(record.status, Status::OutOfMemory);
    EXPECT_NE(record.reason.text.find("needs 100 B, has 50 B"), std::string::npos);
    m_behaviour.compileError.reset();

    m_behaviour.unsupported = "dense_2";
    record = run();
    EXPECT_EQ(record.status, Status::Unsupported);
    EXPECT_NE(record.reason.text.find("dense_2"), std::string::npos);
    m_behaviour.unsupported.reset();

    m_behaviour.failAtStep = 155;
    record = run();
    EXPECT_EQ(record.status, Status::Failed);
    EXPECT_NE(record.reason.text.find("fell over"), std::string::npos);
    EXPECT_FALSE(record.stepSeconds);
}

TEST_F(CaseRunnerTest, WhatCannotFitIsRefusedBeforeItStarts) {
    m_profile.memory.availableBytes = hardware::known<std::int64_t>(1 << 20, "test");
    const auto record = run();
    EXPECT_EQ(record.status, Status::OutOfMemory);
    EXPECT_NE(record.reason.text.find("has 1.00 MiB"), std::string::npos) << record.reason;
    EXPECT_TRUE(phases().empty());
}

TEST_F(CaseRunnerTest, MemoryIsNamedBeforeIndicesAre) {
    m_case.batch = 100'000'000;
    m_profile.memory.availableBytes = hardware::known<std::int64_t>(std::int64_t{1} << 30, "test");
    EXPECT_EQ(run().status, Status::OutOfMemory);
    m_profile.memory.availableBytes = hardware::known<std::int64_t>(std::int64_t{1} << 60, "test");
    const auto record = run();
    EXPECT_EQ(record.status, Status::Unsupported);
    EXPECT_NE(record.reason.text.find("can be indexed"), std::string::npos) << record.reason;
}

TEST_F(CaseRunnerTest, AProfileThatFailsCostsOnlyAWarning) {
    const auto record = run({.profile = true});
    EXPECT_EQ(record.status, Status::Ok) << record.reason;
    EXPECT_FALSE(record.profile);
    ASSERT_FALSE(record.warnings.empty());
    EXPECT_NE(record.warnings.back().text.find("no profile"), std::string::npos) << record.warnings.back();
}

TEST_F(CaseRunnerTest, BandwidthIsRelativeToWhatWasMeasuredToo) {
    const auto record = run();
    ASSERT_TRUE(record.utilization && record.utilization->achievedBytes && record.utilization->peakBytes);
    EXPECT_NEAR(*record.utilization->achievedBytes, *record.bytesPerStep / 0.002, 1);
    EXPECT_NEAR(*record.utilization->peakBytes, 3.0 * 256 * 1024 * 1024 / 0.002, 1)
        << "the fake takes as long for anything";
    EXPECT_EQ(record.conditions.at("peak_bytes_of"), "sums of two arrays of 256 MiB");
}

TEST_F(CaseRunnerTest, GpusAreAskedBeforeTheStart) {
    auto management = std::make_shared<hardware::testing::FakeManagement>();
    auto& gpu = m_profile.gpus.emplace_back();
    gpu.id = "cuda:0";
    gpu.status = hardware::GpuStatus::Usable;
    gpu.pciBusId = hardware::known<std::string>("0000:01:00.0", "test");
    management->readings["0000:01:00.0"].celsius = 88;
    m_management = management;
    const auto record = run();
    const auto isHot = [](const Message& warning) {
        return warning.text.find("cuda:0 is at 88 °C") != std::string::npos;
    };
    EXPECT_TRUE(std::any_of(record.warnings.begin(), record.warnings.end(), isHot)) << record.warnings.size();
}

TEST_F(CaseRunnerTest, AGpuCaseRecordsItsGpu) {
    auto management = std::make_shared<hardware::testing::FakeManagement>();
    auto& gpu = m_profile.gpus.emplace_back();
    gpu.id = "cuda:0";
    gpu.status = hardware::GpuStatus::Usable;
    gpu.pciBusId = hardware::known<std::string>("0000:01:00.0", "test");
    gpu.driver = hardware::known<std::string>("580.65.06", "test");
    gpu.pcieGeneration = hardware::known(5, "test");
    gpu.pcieWidth = hardware::known(16, "test");
    auto& reading = management->readings["0000:01:00.0"];
    reading = {.mhz = 1500.0, .celsius = 60.0, .watts = 300.5, .computeProcessIds = std::vector<std::int64_t>{7}};
    reading.throttleReasons = 0x4;
    reading.energyJoules = 10.0;
    m_management = management;
    m_case.device = "cuda:0";
    const auto record = run();
    EXPECT_EQ(record.conditions.at("gpu_driver"), "580.65.06");
    EXPECT_EQ(record.conditions.at("pcie_link"), "5.0 x16");
    EXPECT_EQ(record.conditions.at("gpu_mhz_start"), "1500.00");
    EXPECT_EQ(record.conditions.at("gpu_watts_end"), "300.50");
    EXPECT_EQ(record.conditions.at("gpu_processes_start"), "1");
    m_case.device = "cpu";
    EXPECT_FALSE(run().conditions.contains("gpu_mhz_start"));
}

// In real time: the counters of a machine, or of a simulated GPU that uses 50 J between two readings.
TEST(SensorRecorderTest, EnergyAndReasonsAreOfTheGpuUnderTest) {
    class CountingManagement final : public hardware::ManagementLibrary {
    public:
        Result<void> open() override { return {}; }
        std::optional<std::string> driverVersion() override { return std::nullopt; }
        std::optional<hardware::GpuReading> read(const std::string&) override {
            hardware::GpuReading reading;
            reading.energyJoules = m_joules += 50;
            reading.throttleReasons = 0x40;
            return reading;
        }

    private:
        double m_joules = 0;
    };
    const SystemClock clock;
    hardware::SensorOptions options;
    options.management = std::make_shared<CountingManagement>();
    options.gpuPciBusId = "0000:01:00.0";
    SensorRecorder recorder(options, 20, clock, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto readings = recorder.finish();
    const auto energy = recorder.energy();
    ASSERT_TRUE(energy);
    EXPECT_TRUE(energy->ofGpu);
    EXPECT_DOUBLE_EQ(energy->joules, 50.0 * static_cast<double>(readings.size() + 1));
    EXPECT_GE(energy->seconds, 0.4);
    EXPECT_THAT(recorder.throttleReasons(), testing::ElementsAre(testing::Eq("hardware thermal slowdown")));
}

TEST_F(CaseRunnerTest, CancelEndsSampling) {
    m_cancelAfterSteps = 155;
    const auto record = run({.timeCap = Seconds(10), .precise = true});
    EXPECT_EQ(record.status, Status::Cancelled);
    EXPECT_FALSE(record.stepSeconds);
}

}  // namespace
}  // namespace steelyard::bench
