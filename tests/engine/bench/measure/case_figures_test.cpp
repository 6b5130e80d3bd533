// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/case_figures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/bench/measure/peak_probe.h"
#include "engine/compute/arithmetic_peak.h"

namespace steelyard::bench {
namespace {

// Returns the given rates in order, then repeats the last one.
class DisturbedPeak final : public compute::Backend, public compute::ArithmeticPeak {
public:
    explicit DisturbedPeak(std::vector<double> rates) : m_rates(std::move(rates)) {}
    [[nodiscard]] std::string_view name() const override { return "disturbed"; }
    [[nodiscard]] std::vector<compute::Device> devices() const override { return {}; }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> libraries() const override { return {}; }
    [[nodiscard]] Result<void> supports(const plan::Operation&, const plan::Plan&) const override {
        return fail(ErrorKind::Unsupported, "disturbed");
    }
    [[nodiscard]] Result<std::unique_ptr<compute::Executable>> compile(std::shared_ptr<const plan::Plan>,
                                                                       const compute::CompileOptions&) override {
        return fail(ErrorKind::Unsupported, "disturbed");
    }
    [[nodiscard]] Result<double> multiplyAddPeak(plan::Precision, const compute::CompileOptions&) override {
        return m_rates[std::min(m_asked++, m_rates.size() - 1)];
    }
    [[nodiscard]] std::size_t asked() const { return m_asked; }

private:
    std::vector<double> m_rates;
    std::size_t m_asked = 0;
};

CaseRecord recordAchieving(double flopsPerSecond) {
    CaseRecord record;
    record.stepSeconds = Summary{.median = 0.5, .mean = 0.5, .min = 0.5, .n = 2};
    record.flopsPerStep = 0.5 * flopsPerSecond;
    record.bytesPerStep = 1;
    return record;
}

Utilization utilizationOf(double achieved, DisturbedPeak& backend) {
    auto record = recordAchieving(achieved);
    recordUtilization(record, backend, plan::Precision::Fp32, {}, 64, SystemClock());
    return record.utilization.value();
}

TEST(CaseFigures, APeakBelowWhatWasAchievedIsMeasuredAgain) {
    DisturbedPeak once({50, 120, 130});
    const auto use = utilizationOf(100, once);
    EXPECT_EQ(use.peakFlops, 120);
    EXPECT_DOUBLE_EQ(use.fraction.value(), 100.0 / 120);
    EXPECT_EQ(once.asked(), 2U);
}

hardware::HardwareProfile machineWith(std::vector<hardware::CacheInfo> caches, std::int64_t availableBytes) {
    hardware::HardwareProfile profile;
    profile.cpu.caches = hardware::known(std::move(caches), "test");
    profile.memory.availableBytes = hardware::known(availableBytes, "test");
    return profile;
}

TEST(ProbedArrays, AreSeveralTimesTheLastCachesOfTheMachine) {
    constexpr std::int64_t kMebibyte = 1 << 20, kPlenty = std::int64_t{1} << 40;
    const hardware::CacheInfo second{.level = 2, .type = "unified", .bytes = kMebibyte, .count = 96};
    const auto third = [](std::int64_t mebibytes, int count) {
        return hardware::CacheInfo{.level = 3, .type = "unified", .bytes = mebibytes * kMebibyte, .count = count};
    };
    EXPECT_EQ(probeMebibytes("cpu", machineWith({second, third(16, 1)}, kPlenty)), 256);
    EXPECT_EQ(probeMebibytes("cpu", machineWith({third(32, 4), second}, kPlenty)), 512);
    EXPECT_EQ(probeMebibytes("cpu", machineWith({second, third(24, 2), third(32, 1)}, kPlenty)), 320) << "two kinds";
    EXPECT_EQ(probeMebibytes("cpu", machineWith({second, third(96, 12)}, kPlenty)), 1024);
    EXPECT_EQ(probeMebibytes("cpu", machineWith({third(32, 4)}, 1200 * kMebibyte)), 200) << "half of what is free";
    EXPECT_EQ(probeMebibytes("cpu", machineWith({third(32, 4)}, kMebibyte)), 64);
    EXPECT_EQ(probeMebibytes("cpu", {}), 256) << "nothing is known";
    EXPECT_EQ(probeMebibytes("cuda:0", machineWith({third(96, 12)}, kPlenty)), 64);
}

TEST(CaseFigures, APeakAboveItIsNot) {
    DisturbedPeak quiet({120, 130});
    EXPECT_EQ(utilizationOf(100, quiet).peakFlops, 120);
    EXPECT_EQ(quiet.asked(), 1U);
}

TEST(CaseFigures, StepsThatNeedFewerOperationsThanCountedStayAboveThePeak) {
    DisturbedPeak exceeded({80, 90, 85});
    const auto use = utilizationOf(100, exceeded);
    EXPECT_EQ(use.peakFlops, 90);
    EXPECT_GT(use.fraction.value(), 1);
    EXPECT_EQ(exceeded.asked(), 3U);
}

}  // namespace
}  // namespace steelyard::bench
