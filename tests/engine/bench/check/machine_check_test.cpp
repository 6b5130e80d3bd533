// SPDX-License-Identifier: Apache-2.0
// The machine check with injected faults: a stuck bit, memory that answers at two addresses, an operation that is
// wrong, a result that changes under load, a clock that drops, and children that crash, hang or talk nonsense.
#include "engine/bench/check/machine_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "engine/bench/check/covering_cases.h"
#include "engine/bench/check/memory_pattern.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/core/file_io.h"
#include "engine/model/zoo/zoo.h"
#include "tests/support/altered_backend.h"
#include "tests/support/json_schema.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kMiB = 1 << 20;

// Bytes with faults: bits of a byte that are always set, and writes that also land elsewhere.
class FaultyMemory final : public compute::RawMemory {
public:
    explicit FaultyMemory(std::int64_t bytes) : m_data(static_cast<std::size_t>(bytes)) {}
    [[nodiscard]] std::int64_t bytes() const override { return static_cast<std::int64_t>(m_data.size()); }
    [[nodiscard]] Result<void> write(std::int64_t offset, std::span<const std::byte> values) override {
        std::memcpy(m_data.data() + offset, values.data(), values.size());
        for (const auto& [from, to] : aliases)
            if (from >= offset && from < offset + static_cast<std::int64_t>(values.size()))
                m_data[static_cast<std::size_t>(to)] = m_data[static_cast<std::size_t>(from)];
        return {};
    }
    [[nodiscard]] Result<void> read(std::int64_t offset, std::span<std::byte> values) override {
        if (failing) return fail(ErrorKind::Internal, "cuda:0", Message("an illegal address"));
        std::memcpy(values.data(), m_data.data() + offset, values.size());
        for (const auto& [place, bits] : stuck)
            if (place >= offset && place < offset + static_cast<std::int64_t>(values.size()))
                values[static_cast<std::size_t>(place - offset)] |= bits;
        return {};
    }

    std::map<std::int64_t, std::byte> stuck;
    std::map<std::int64_t, std::int64_t> aliases;
    bool failing = false;

private:
    std::vector<std::byte> m_data;
};

TEST(MemoryPattern, SoundMemoryPasses) {
    FaultyMemory memory(3 * kMiB + 5 * 8);
    double last = 0;
    const auto tally = testPatterns(memory, {.onProgress = [&](double fraction) {
                                        EXPECT_GT(fraction, last);
                                        last = fraction;
                                    }});
    ASSERT_TRUE(tally);
    EXPECT_EQ(tally->bytes, memory.bytes());
    EXPECT_EQ(tally->patterns, 7);
    EXPECT_EQ(tally->wrongWords, 0);
    EXPECT_DOUBLE_EQ(last, 1);
    const auto real = allocateMainMemory(Bytes(2 * kMiB));
    ASSERT_TRUE(real);
    EXPECT_EQ(testPatterns(**real, {})->wrongWords, 0);
}

TEST(MemoryPattern, AStuckBitIsFoundWithItsPlace) {
    FaultyMemory memory(2 * kMiB);
    constexpr std::int64_t kPlace = kMiB + 8 * 7 + 2;
    memory.stuck[kPlace] = std::byte{0x10};
    const auto tally = testPatterns(memory, {});
    ASSERT_TRUE(tally);
    // Not by the patterns in which the bit is set anyway.
    EXPECT_GE(tally->wrongWords, 2);
    EXPECT_LT(tally->wrongWords, 7);
    EXPECT_EQ(tally->wrongBits, std::uint64_t{0x10} << 16);
    ASSERT_FALSE(tally->first.empty());
    EXPECT_EQ(tally->first.front().offset, kPlace - 2);
    EXPECT_EQ(tally->first.front().expected ^ tally->first.front().found, std::uint64_t{0x10} << 16);
}

// The same value at both addresses satisfies constant patterns.
TEST(MemoryPattern, TwoAddressesOfOneCellAreFound) {
    FaultyMemory memory(2 * kMiB);
    memory.aliases[kMiB + 1] = 1;
    const auto tally = testPatterns(memory, {});
    ASSERT_TRUE(tally);
    EXPECT_GE(tally->wrongWords, 1);
    EXPECT_EQ(tally->first.front().offset, 0);
}

TEST(MemoryPattern, StopsAndReportsErrors) {
    FaultyMemory memory(2 * kMiB);
    const auto stopped = testPatterns(memory, {.cancelled = [] { return true; }});
    ASSERT_TRUE(stopped);
    EXPECT_TRUE(stopped->cancelled);
    EXPECT_EQ(stopped->patterns, 0);
    memory.failing = true;
    EXPECT_FALSE(testPatterns(memory, {}));
}

hardware::HardwareProfile smallProfile() {
    hardware::HardwareProfile profile;
    profile.memory.availableBytes.value = 64 * kMiB;
    profile.cpu.usableThreads.value = 1;
    return profile;
}

// Time passes with every look at it.
class TickingClock final : public Clock {
public:
    explicit TickingClock(double seconds) : m_step(static_cast<std::int64_t>(seconds * 1e9)) {}
    [[nodiscard]] std::int64_t nowNanoseconds() const override { return m_now += m_step; }
    [[nodiscard]] std::int64_t unixMilliseconds() const override { return m_now / 1'000'000; }
    void sleep(Seconds) override {}

private:
    std::int64_t m_step;
    mutable std::int64_t m_now = 0;
};

class CheckTaskTest : public testing::Test {
protected:
    CheckPart run(CheckKind kind, const std::string& device = "cpu", double loadSeconds = 2) {
        CheckTask task{.kind = kind, .device = device, .deviceName = "a device", .loadSeconds = loadSeconds};
        return runCheckTask(task, {.backend = m_backend.get(),
                                   .reference = *m_reference,
                                   .profile = m_profile,
                                   .clock = m_clock,
                                   .cancelled = m_cancelled,
                                   .sense = m_sense,
                                   .allocateMain = m_allocate});
    }

    std::unique_ptr<compute::Backend> m_reference = compute::makeReferenceBackend();
    std::unique_ptr<compute::Backend> m_backend;
    hardware::HardwareProfile m_profile = smallProfile();
    TickingClock m_clock{0.01};
    std::function<bool()> m_cancelled;
    std::function<LoadReading()> m_sense = [] { return LoadReading{}; };
    std::function<Result<std::unique_ptr<compute::RawMemory>>(Bytes)> m_allocate;
};

TEST_F(CheckTaskTest, MainMemoryWithAFlippedBitIsFaulty) {
    auto part = run(CheckKind::Memory, std::string(kMainMemoryDevice));
    EXPECT_EQ(part.state, CheckState::Passed) << part.finding;
    EXPECT_EQ(part.checked, 32 * kMiB);  // half of what is free
    m_allocate = [](Bytes bytes) -> Result<std::unique_ptr<compute::RawMemory>> {
        auto memory = std::make_unique<FaultyMemory>(bytes.value());
        memory->stuck[12345] = std::byte{1};
        return memory;
    };
    part = run(CheckKind::Memory, std::string(kMainMemoryDevice));
    EXPECT_EQ(part.state, CheckState::Faults);
    EXPECT_GT(part.wrong, 0);
    EXPECT_THAT(part.finding.text, HasSubstr("wrong 64-bit words"));
    ASSERT_FALSE(part.details.empty());
    EXPECT_THAT(part.details.front().text, HasSubstr("0x3038"));
}

TEST_F(CheckTaskTest, LittleOrUnknownMemoryIsNotChecked) {
    m_profile.memory.availableBytes.value = 8 * kMiB;
    EXPECT_EQ(run(CheckKind::Memory, std::string(kMainMemoryDevice)).state, CheckState::Skipped);
    m_profile.memory.availableBytes.value.reset();
    EXPECT_EQ(run(CheckKind::Memory, std::string(kMainMemoryDevice)).state, CheckState::Skipped);
    // A backend without plain memory, and a device without a backend.
    m_backend = compute::makeReferenceBackend();
    EXPECT_EQ(run(CheckKind::Memory, "cpu").state, CheckState::Skipped);
    m_backend.reset();
    EXPECT_EQ(run(CheckKind::Load, "cuda:3").state, CheckState::Skipped);
}

// The backend of a device with memory of its own.
class DeviceWithMemory final : public compute::Backend, public compute::RawMemorySource {
public:
    [[nodiscard]] std::string_view name() const override { return "device"; }
    [[nodiscard]] std::vector<compute::Device> devices() const override { return {}; }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    [[nodiscard]] Result<void> supports(const plan::Operation&, const plan::Plan&) const override { return {}; }
    [[nodiscard]] Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                                       const compute::CompileOptions&) override {
        return fail(ErrorKind::Unsupported, {}, Message("nothing"));
    }
    [[nodiscard]] Result<Bytes> freeMemory(const std::string&) override { return Bytes(40 * kMiB); }
    [[nodiscard]] Result<std::unique_ptr<compute::RawMemory>> allocateRaw(const std::string&, Bytes bytes) override {
        auto memory = std::make_unique<FaultyMemory>(bytes.value());
        memory->failing = failing;
        if (stuck) memory->stuck[bytes.value() / 2] = std::byte{0x80};
        return memory;
    }
    bool failing = false, stuck = false;
};

TEST_F(CheckTaskTest, MemoryOfADeviceIsTestedThroughItsBackend) {
    auto device = std::make_unique<DeviceWithMemory>();
    auto* faults = device.get();
    m_backend = std::move(device);
    auto part = run(CheckKind::Memory, "cuda:0");
    EXPECT_EQ(part.state, CheckState::Passed) << part.finding;
    EXPECT_EQ(part.checked, 36 * kMiB);  // nine tenths
    faults->stuck = true;
    EXPECT_EQ(run(CheckKind::Memory, "cuda:0").state, CheckState::Faults);
    faults->stuck = false;
    faults->failing = true;
    part = run(CheckKind::Memory, "cuda:0");
    EXPECT_EQ(part.state, CheckState::Faults);
    EXPECT_THAT(part.finding.text, HasSubstr("an illegal address"));
    m_cancelled = [] { return true; };
    faults->failing = false;
    EXPECT_EQ(run(CheckKind::Memory, "cuda:0").state, CheckState::Cancelled);
}

TEST(CoveringCases, ContainEveryOperationThatTheZooHas) {
    const auto cases = coveringCases();
    ASSERT_FALSE(cases.empty());
    std::set<std::string> covered, all;
    for (const auto& one : cases) covered.insert(one.operations.begin(), one.operations.end());
    for (const auto& workload : model::workloads()) {
        const auto graph = workload.build();
        ASSERT_TRUE(graph);
        const auto mode = workload.inferenceOnly ? plan::Mode::Infer : plan::Mode::Train;
        const auto plan = plan::lower(*graph, {mode, 1, plan::Precision::Fp32, workload.optimizer});
        ASSERT_TRUE(plan) << workload.id;
        for (const auto& op : plan->operations)
            all.insert(std::string(toString(op.kind)) + " (" + std::string(toString(op.pass)) + ")");
    }
    EXPECT_EQ(covered, all);
    EXPECT_LT(cases.size(), model::workloads().size() / 2);
}

TEST_F(CheckTaskTest, AWrongOperationIsFoundAndNamed) {
    m_backend = test::makeAlteredBackend({.onRead = [](const plan::Tensor& tensor, std::span<float> values) {
        // Every result of a network with an embedding.
        if (tensor.name.find("embedding") != std::string::npos && !values.empty()) values.front() += 1;
    }});
    // Stopped before the largest networks: what was found until then counts.
    int looks = 0;
    m_cancelled = [&] { return ++looks > 16; };
    const auto part = run(CheckKind::Operations);
    EXPECT_EQ(part.state, CheckState::Faults) << part.finding;
    EXPECT_GT(part.checked, part.wrong);
    ASSERT_FALSE(part.details.empty());
    EXPECT_THAT(part.details.front().text, HasSubstr("embedding"));
}

TEST_F(CheckTaskTest, ResultsThatChangeUnderLoadAreCounted) {
    m_backend = test::makeAlteredBackend({});
    auto part = run(CheckKind::Load, "cpu", 0.5);
    EXPECT_EQ(part.state, CheckState::Passed) << part.finding;
    EXPECT_GE(part.checked, 2);
    EXPECT_EQ(part.wrong, 0);

    int reads = 0;
    m_backend = test::makeAlteredBackend({.onRead = [&](const plan::Tensor&, std::span<float> values) {
        if (++reads != 3) return;
        auto& value = values[values.size() / 2];  // one bit of one value, once
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        bits ^= 1;
        std::memcpy(&value, &bits, sizeof bits);
    }});
    part = run(CheckKind::Load, "cpu", 0.5);
    EXPECT_EQ(part.state, CheckState::Faults);
    EXPECT_EQ(part.wrong, 1);
    EXPECT_THAT(part.finding.text, HasSubstr("another result (1 values)"));

    m_backend = test::makeAlteredBackend(
        {.refuseStep = [] { return fail(ErrorKind::Internal, "cuda:0", Message("fell off the bus")); }});
    part = run(CheckKind::Load);
    EXPECT_EQ(part.state, CheckState::Faults);
    EXPECT_THAT(part.finding.text, HasSubstr("fell off the bus"));
}

LoadTally tallyOf(const std::vector<double>& clocks, bool throttled = false) {
    LoadTally tally;
    for (const double mhz : clocks) {
        tally.readings.push_back({static_cast<double>(tally.readings.size()), mhz, 60 + mhz / 1000, throttled});
        tally.stepSeconds.push_back(1 / mhz);
    }
    return tally;
}

TEST(ClockJudgement, TellsAFallFromTheEndOfABoost) {
    const std::vector<double> boosted{4800, 4700, 4600, 3600, 3500, 3500, 3500, 3500, 3500};
    EXPECT_FALSE(judgeClock(tallyOf(boosted), 3400).belowRating);
    EXPECT_FALSE(judgeClock(tallyOf(boosted), {}).belowRating);
    const std::vector<double> fallen{4800, 4700, 4600, 3600, 3000, 2400, 1200, 1200, 1200};
    for (const auto base : {std::optional(3400.0), std::optional<double>()}) {
        const auto judged = judgeClock(tallyOf(fallen, true), base);
        EXPECT_TRUE(judged.belowRating);
        EXPECT_DOUBLE_EQ(*judged.firstMhz, 4700);
        EXPECT_DOUBLE_EQ(*judged.lastMhz, 1200);
        EXPECT_DOUBLE_EQ(*judged.throttledFraction, 1);
        EXPECT_GT(*judged.slowdown, 3);
        EXPECT_DOUBLE_EQ(*judged.hottestCelsius, 64.8);
    }
    // Too few readings, or none, are no evidence.
    EXPECT_FALSE(judgeClock(tallyOf({4800, 1200}), 3400).belowRating);
    EXPECT_FALSE(judgeClock({}, 3400).lastMhz);
}

TEST_F(CheckTaskTest, AClockThatDropsIsAFault) {
    m_profile.cpu.baseMhz.value = 3000;
    m_backend = test::makeAlteredBackend({});
    m_clock = TickingClock(0.4);
    double mhz = 3500;
    m_sense = [&] {
        mhz -= 200;
        return LoadReading{0, mhz, 91.0, mhz < 3000};
    };
    auto part = run(CheckKind::Load, "cpu", 12);
    EXPECT_EQ(part.state, CheckState::Faults) << part.finding;
    EXPECT_THAT(part.finding.text, HasSubstr("the clock did not hold"));
    ASSERT_GE(part.details.size(), 2U);
    EXPECT_THAT(part.details[0].text, HasSubstr("MHz"));
    EXPECT_THAT(part.details[1].text, HasSubstr("slowed down by heat"));
    EXPECT_EQ(part.hottestCelsius, 91);
    // Hot, but fast enough.
    m_sense = [] { return LoadReading{0, 3100.0, 91.0, true}; };
    part = run(CheckKind::Load, "cpu", 12);
    EXPECT_EQ(part.state, CheckState::Remarks) << part.finding;
}

CheckReport sampleReport() {
    CheckReport report{
        .computer = "a computer", .programVersion = "1", .startedUnixMs = 5, .finishedUnixMs = 9, .loadSeconds = 60};
    report.parts.push_back({.kind = CheckKind::Load,
                            .device = "cuda:0",
                            .deviceName = "a card",
                            .state = CheckState::Passed,
                            .finding = Message("as it should be"),
                            .details = {Message("one"), Message("two")},
                            .seconds = 61,
                            .checked = 1000,
                            .firstMhz = 1500,
                            .lastMhz = 1400,
                            .hottestCelsius = 70,
                            .throttledFraction = 0.5,
                            .slowdown = 1.1});
    return report;
}

TEST(CheckReport, VerdictIsThatOfTheWorstPart) {
    auto report = sampleReport();
    EXPECT_EQ(report.verdict(), CheckState::Passed);
    report.parts.push_back({.state = CheckState::Skipped});
    EXPECT_EQ(report.verdict(), CheckState::Passed);
    report.parts.push_back({.state = CheckState::Remarks});
    EXPECT_EQ(report.verdict(), CheckState::Remarks);
    report.finishedUnixMs.reset();
    EXPECT_EQ(report.verdict(), CheckState::Cancelled);
    report.parts.push_back({.state = CheckState::Faults});
    EXPECT_EQ(report.verdict(), CheckState::Faults);
    report = {.finishedUnixMs = 1, .parts = {{.state = CheckState::Skipped}}};
    EXPECT_EQ(report.verdict(), CheckState::Skipped);
    for (const auto state : {CheckState::Passed, CheckState::Remarks, CheckState::Faults, CheckState::Skipped}) {
        report.parts.front().state = state;
        EXPECT_FALSE(verdictMessage(report).empty());
        EXPECT_EQ(checkStateFromString(toString(state)), state);
    }
}

TEST(CheckReport, IsKeptInAFile) {
    test::TemporaryFolder folder;
    const auto file = checkFileBeside(folder / "deep" / "history.sqlite");
    EXPECT_EQ(loadCheckReport(file).error().kind, ErrorKind::NotFound);
    const auto report = sampleReport();
    ASSERT_TRUE(saveCheckReport(report, file));
    const auto again = loadCheckReport(file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, report);
    EXPECT_THAT(test::schemaProblems(STEELYARD_SOURCE_DIR "/resources/schemas", "check.schema.json",
                                     readFile(file, 1 << 20).value(), test::Undeclared::Reported),
                IsEmpty());
    CheckEvent event{.partIndex = 1, .partCount = 2, .device = "cpu", .fraction = 0.5, .part = report.parts.front()};
    EXPECT_EQ(checkEventFromJson(toJsonLine(event)).value(), event);
    const CheckTask task{CheckKind::Load, "cpu", "x", 5, 6, 7};
    EXPECT_EQ(checkTaskFromJson(toJsonLine(task)).value(), task);
    for (const auto* hostile : {"", "{}", "[]", "{\"format\": \"steelyard-check\", \"version\": 99}",
                                "{\"format\": \"steelyard-check\", \"version\": 1, \"computer\": 4}",
                                "{\"format\": \"steelyard-check\", \"version\": 1, \"computer\": \"a\", "
                                "\"started_unix_ms\": 1, \"parts\": [{\"kind\": \"luck\", \"device\": \"\", "
                                "\"state\": \"passed\"}]}"})
        EXPECT_FALSE(checkReportFromJson(hostile)) << hostile;
}

class RunCheckTest : public testing::Test {
protected:
    // A program in place of steelyard-cli.
    CheckReport run(const std::string& script, std::size_t tasks = 1, const std::function<bool()>& cancelled = {}) {
        const auto file = m_folder / "child";
        test::TemporaryFolder::spill(file, "#!/bin/sh\n" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        CheckReport report{.computer = "a computer"};
        SystemClock clock;
        runCheck(report, std::vector<CheckTask>(tasks, {.device = "cpu"}),
                 {.executable = file,
                  .clock = clock,
                  .onEvent = [&](const CheckEvent& event) { m_events.push_back(event); },
                  .cancelled = cancelled});
        return report;
    }
    static std::string finished() {
        return "cat >/dev/null; echo '" + toJsonLine(CheckEvent{.device = "cpu", .fraction = 0.25}) + "'; echo '" +
               toJsonLine(CheckEvent{.device = "cpu", .part = sampleReport().parts.front()}) + "'\n";
    }

    test::TemporaryFolder m_folder;
    std::vector<CheckEvent> m_events;
};

TEST_F(RunCheckTest, CollectsThePartsAndTheirProgress) {
    const auto report = run(finished(), 2);
    ASSERT_EQ(report.parts.size(), 2U);
    EXPECT_EQ(report.parts[1], sampleReport().parts.front());
    EXPECT_TRUE(report.finishedUnixMs);
    EXPECT_EQ(report.verdict(), CheckState::Passed);
    std::vector<double> fractions;
    for (const auto& event : m_events) fractions.push_back(event.fraction);
    EXPECT_THAT(fractions, ElementsAre(0, 0.25, 1, 0, 0.25, 1));
}

TEST_F(RunCheckTest, ACrashIsAFaultAndTheRestGoesOn) {
    const auto report = run("cat >/dev/null; kill -SEGV $$", 2);
    ASSERT_EQ(report.parts.size(), 2U);
    EXPECT_EQ(report.parts[0].state, CheckState::Faults);
    EXPECT_THAT(report.parts[0].finding.text, HasSubstr("crashed"));
    EXPECT_EQ(run("cat >/dev/null; echo nonsense; echo '{\"part\": 3}'; exit 9").parts[0].state, CheckState::Faults);
    // Killed from outside, as by the out-of-memory killer: not the machine's fault.
    EXPECT_EQ(run("cat >/dev/null; kill -KILL $$").parts[0].state, CheckState::Skipped);
}

TEST_F(RunCheckTest, StopsWithinASecondOrTwo) {
    int looks = 0;
    const auto report = run("trap '' TERM; cat >/dev/null; sleep 60 & wait; sleep 60", 3, [&] { return ++looks > 3; });
    ASSERT_EQ(report.parts.size(), 1U);
    EXPECT_EQ(report.parts[0].state, CheckState::Cancelled);
    EXPECT_FALSE(report.finishedUnixMs);
    EXPECT_EQ(report.verdict(), CheckState::Cancelled);
}

TEST(CheckTasks, BeginWithMainMemory) {
    const auto tasks = checkTasks({{"cpu", "a processor", {}}, {"cuda:0", "a card", Bytes(1 << 30)}}, 30, 0);
    std::vector<std::string> words;
    for (const auto& task : tasks) words.push_back(task.device + " " + std::string(toString(task.kind)));
    EXPECT_THAT(words, ElementsAre("memory memory", "cpu operations", "cpu load", "cuda:0 memory", "cuda:0 operations",
                                   "cuda:0 load"));
}

}  // namespace
}  // namespace steelyard::bench
