// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/core/random.h"

namespace steelyard::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// m and n values without ties, such that exactly u pairs (a, b) have a > b.
std::pair<std::vector<double>, std::vector<double>> samplesWithU(std::size_t m, std::size_t n, std::size_t u) {
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t j = 0; j < n; ++j) b.push_back(static_cast<double>(10 * (j + 1)));
    for (std::size_t i = 0; i < m; ++i) {
        const auto beaten = std::min(u, n);
        u -= beaten;
        a.push_back(static_cast<double>(10 * beaten) + 1 + static_cast<double>(i) * 0.01);
    }
    return {a, b};
}

struct CriticalValue {
    std::size_t m, n, u;
};

class CriticalU : public testing::TestWithParam<CriticalValue> {};

// Two-tailed 5 % table of Mann & Whitney (as in Siegel, "Nonparametric Statistics", 1956, table K): the largest U that
// is significant.
TEST_P(CriticalU, IsTheLastSignificantOne) {
    const auto [m, n, u] = GetParam();
    const auto [a, b] = samplesWithU(m, n, u);
    const auto atTable = mannWhitney(a, b);
    ASSERT_TRUE(atTable);
    EXPECT_TRUE(atTable->exact);
    EXPECT_EQ(atTable->u, static_cast<double>(u));
    EXPECT_LE(atTable->pValue, 0.05);
    const auto [c, d] = samplesWithU(m, n, u + 1);
    EXPECT_EQ(mannWhitney(c, d)->u, static_cast<double>(u + 1));
    EXPECT_GT(mannWhitney(c, d)->pValue, 0.05);
    EXPECT_DOUBLE_EQ(mannWhitney(b, a)->pValue, atTable->pValue);
}

INSTANTIATE_TEST_SUITE_P(Table, CriticalU,
                         testing::Values(CriticalValue{4, 4, 0}, CriticalValue{5, 5, 2}, CriticalValue{5, 10, 8},
                                         CriticalValue{6, 6, 5}, CriticalValue{7, 7, 8}, CriticalValue{8, 8, 13},
                                         CriticalValue{9, 9, 17}, CriticalValue{10, 10, 23}, CriticalValue{10, 20, 55},
                                         CriticalValue{20, 20, 127}));

TEST(MannWhitney, ExactProbabilitiesByHand) {
    // All of a below all of b: one order of C(10, 5) = 252, two-sided 2 / 252.
    const auto apart = mannWhitney(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{6, 7, 8, 9, 10});
    EXPECT_EQ(apart->u, 0);
    EXPECT_NEAR(apart->pValue, 2.0 / 252, 1e-12);
    // Of the C(4, 2) = 6 orders of two and two, U <= 1 in two: p = 2 * 2 / 6.
    const auto small = mannWhitney(std::vector<double>{1, 3}, std::vector<double>{2, 4});
    EXPECT_EQ(small->u, 1);
    EXPECT_NEAR(small->pValue, 4.0 / 6, 1e-12);
}

TEST(MannWhitney, TiesByHand) {
    // Ranks: 1; 2, 2, 2 share 3; 3 has 5; then 6, 7, 8. R_a = 12, U = 2, mean 8,
    // variance 16 / 12 (9 - (27 - 3) / 56) = 11.4286, z = 5.5 / 3.38062 = 1.62692, two-sided p = 0.10376.
    const auto tied = mannWhitney(std::vector<double>{1, 2, 2, 3}, std::vector<double>{2, 4, 5, 6});
    EXPECT_FALSE(tied->exact);
    EXPECT_EQ(tied->u, 2);
    EXPECT_NEAR(tied->pValue, 0.10376, 5e-5);
}

TEST(MannWhitney, EqualValuesAreNoEvidence) {
    const std::vector<double> same(30, 1.5);
    EXPECT_EQ(mannWhitney(same, same)->pValue, 1);
    EXPECT_EQ(mannWhitney({}, same), std::nullopt);
}

TEST(MannWhitney, ApproximationMeetsTheExactDistribution) {
    // 26 values a side are beyond the exact table; leaving one out of each is within it.
    const auto [a, b] = samplesWithU(26, 26, 230);
    const auto [c, d] = samplesWithU(25, 25, 213);
    const auto approximate = mannWhitney(a, b);
    const auto exact = mannWhitney(c, d);
    EXPECT_FALSE(approximate->exact);
    EXPECT_TRUE(exact->exact);
    EXPECT_NEAR(approximate->pValue, exact->pValue, 0.01);
}

TEST(MannWhitney, FalseAlarmsAreAboutFivePercent) {
    constexpr int kTrials = 2000;
    int alarms = 0;
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        const RandomStream stream(7, trial);
        std::vector<double> a;
        std::vector<double> b;
        for (std::uint32_t i = 0; i < 12; ++i) {
            a.push_back(stream.normal(i));
            b.push_back(stream.normal(100 + i));
        }
        alarms += mannWhitney(a, b)->pValue < kSignificance ? 1 : 0;
    }
    EXPECT_NEAR(alarms / static_cast<double>(kTrials), 0.05, 0.015);
}

std::vector<double> around(double centre, double step, int count = 12) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(centre + step * (i - (count - 1) / 2.0));
    return values;
}

TEST(CompareSamples, VerdictNeedsEvidenceAndRelevance) {
    const auto faster = compareSamples(around(1.0, 0.001), around(0.9, 0.001));
    EXPECT_EQ(faster.verdict, Verdict::Faster);
    EXPECT_NEAR(*faster.ratio, 0.9, 1e-12);
    EXPECT_EQ(compareSamples(around(1.0, 0.001), around(1.1, 0.001)).verdict, Verdict::Slower);

    const auto tiny = compareSamples(around(1.0, 1e-5), around(1.01, 1e-5));
    EXPECT_LT(tiny.test->pValue, 0.001);
    EXPECT_EQ(tiny.verdict, Verdict::NoEvidence);
    EXPECT_EQ(tiny.reason, Reason::BelowPracticalDifference);

    const auto noisy = compareSamples(around(1.0, 0.2), around(1.1, 0.2));
    EXPECT_EQ(noisy.verdict, Verdict::NoEvidence);
    EXPECT_EQ(noisy.reason, Reason::SameWithinNoise);

    const auto few = compareSamples(around(1.0, 0.001, 4), around(2.0, 0.001, 4));
    EXPECT_LT(few.test->pValue, 0.05);
    EXPECT_EQ(few.verdict, Verdict::NoEvidence);
    EXPECT_EQ(few.reason, Reason::TooFewSamples);
    EXPECT_DOUBLE_EQ(*few.ratio, 2.0);
}

TEST(CompareSamples, EmptyAndZeroLengthSamplesGiveNoRatio) {
    EXPECT_EQ(compareSamples({}, {}).verdict, Verdict::NoEvidence);
    EXPECT_FALSE(compareSamples({}, {}).ratio);
    const std::vector<double> zeros(10, 0.0);
    const auto comparison = compareSamples(zeros, zeros);
    EXPECT_EQ(comparison.verdict, Verdict::NoEvidence);
    EXPECT_FALSE(comparison.ratio);
}

CaseRecord recordWith(std::vector<double> samples) {
    CaseRecord record;
    record.spec.workload = "resnet50";
    record.spec.batch = 16;
    record.deviceName = "Some CPU";
    record.status = Status::Ok;
    record.samplesSeconds = std::move(samples);
    return record;
}

constexpr SuiteVersions kSameVersions{"1", "1"};

TEST(CompareRecords, SameCaseIsCompared) {
    auto other = recordWith(around(0.5, 0.001));
    other.spec.seed = 77;
    const auto comparison = compareRecords(recordWith(around(1.0, 0.001)), other, kSameVersions);
    EXPECT_EQ(comparison.verdict, Verdict::Faster);
    EXPECT_THAT(comparison.differences, IsEmpty());
    EXPECT_EQ(describe(comparison), "0.500 times the base's time");
}

TEST(CompareRecords, SaysWhatDiffers) {
    const auto base = recordWith(around(1.0, 0.001));
    const auto differs = [&base](auto change) {
        auto other = base;
        change(other);
        const auto comparison = compareRecords(base, other, kSameVersions);
        EXPECT_EQ(comparison.verdict, Verdict::NotComparable);
        EXPECT_FALSE(comparison.ratio);
        return comparison.differences;
    };
    using Item = DifferenceItem;
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.workload = "vgg16"; }),
                ElementsAre(Item{Difference::Workload, "resnet50", "vgg16"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.mode = plan::Mode::Infer; }),
                ElementsAre(Item{Difference::Mode, "train", "infer"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.device = "cuda:0"; }),
                ElementsAre(Item{Difference::Device, "cpu", "cuda:0"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.deviceName = "Other CPU"; }),
                ElementsAre(Item{Difference::DeviceName, "Some CPU", "Other CPU"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.precision = plan::Precision::Bf16; }),
                ElementsAre(Item{Difference::Precision, "fp32", "bf16"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.batch = 32; }), ElementsAre(Item{Difference::Batch, "16", "32"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.threads = 2; }),
                ElementsAre(Item{Difference::Threads, "default", "2"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.isa = "avx2"; }),
                ElementsAre(Item{Difference::Isa, "default", "avx2"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.kernels = "openblas"; }),
                ElementsAre(Item{Difference::Kernels, "fastest", "openblas"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.part = Part::Pipeline; }),
                ElementsAre(Item{Difference::Part, "step", "pipeline"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.data = "/d"; }),
                ElementsAre(Item{Difference::Data, "synthetic", "/d"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.spec.optimizer = "adam"; }),
                ElementsAre(Item{Difference::Optimizer, "", "adam"}));
    EXPECT_THAT(differs([](CaseRecord& r) { r.status = Status::OutOfMemory; }),
                ElementsAre(Item{Difference::OtherNotOk, "ok", "out_of_memory"}));
}

TEST(CompareRecords, SuiteVersionsMustMatch) {
    const auto record = recordWith(around(1.0, 0.001));
    const auto comparison = compareRecords(record, record, {"1", "2"});
    EXPECT_EQ(comparison.verdict, Verdict::NotComparable);
    EXPECT_EQ(describe(comparison), "suite version differs (1, 2)");
}

TEST(CompareRecords, MachinesCanBeWeighedOnPurpose) {
    auto gpu = recordWith(around(0.1, 0.0001));
    gpu.spec.device = "cuda:0";
    gpu.deviceName = "Some GPU";
    gpu.spec.threads = 1;
    const auto cpu = recordWith(around(1.0, 0.001));
    EXPECT_EQ(compareRecords(cpu, gpu, kSameVersions, Scope::AcrossDevices).verdict, Verdict::Faster);
    gpu.spec.precision = plan::Precision::Bf16;
    EXPECT_EQ(compareRecords(cpu, gpu, kSameVersions, Scope::AcrossDevices).verdict, Verdict::NotComparable);
}

TEST(VerdictNames, FollowTheContractOfTheCommandLine) {
    EXPECT_EQ(toString(Verdict::Faster), "faster");
    EXPECT_EQ(toString(Verdict::Slower), "slower");
    EXPECT_EQ(toString(Verdict::NoEvidence), "no evidence");
    EXPECT_EQ(toString(Verdict::NotComparable), "not comparable");
}

}  // namespace
}  // namespace steelyard::bench
