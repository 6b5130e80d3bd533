// SPDX-License-Identifier: Apache-2.0
// The results of the cloud study of 2017, which this program must reproduce.
#include "engine/advisor/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

namespace steelyard::advisor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kStudies = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources/studies";

Study woolf() {
    return loadStudy(kStudies / "woolf_2017.csv").value();
}

const StudyCell& cell(const WorkloadStudy& study, const char* platform, const char* variant) {
    for (const auto& cell : study.cells)
        if (cell.configuration.platform == platform && cell.configuration.variant == variant) return cell;
    throw std::out_of_range(platform);
}

std::string nameOf(const WorkloadStudy& study, std::size_t index) {
    return study.cells[index].configuration.name();
}

TEST(WoolfStudy, NamesItsSource) {
    const auto study = woolf();
    EXPECT_EQ(study.rows.size(), 54U);
    EXPECT_THAT(study.source, HasSubstr("Max Woolf"));
    EXPECT_EQ(study.date, "2017-07");
    EXPECT_THAT(study.link, HasSubstr("minimaxir.com"));
    EXPECT_EQ(studyFiles(kStudies).size(), 3U);
}

TEST(WoolfStudy, HasTheRelativeTimesAndCosts) {
    const auto report = weigh(woolf()).value();
    ASSERT_EQ(report.workloads.size(), 6U);
    struct Known {
        int workload;
        const char *platform, *variant;
        double time, cost;
    };
    const Known known[] = {{0, "8 vCPU", "pip", 2.1269, 0.1817},
                           {0, "64 vCPU", "compiled", 1.3108, 0.8958},
                           {1, "8 vCPU", "compiled", 3.6716, 0.3137},
                           {1, "64 vCPU", "pip", 2.8800, 1.9682},
                           {2, "16 vCPU", "compiled", 1.7789, 0.3039},
                           {3, "32 vCPU", "compiled", 3.4100, 1.1652},
                           {4, "8 vCPU", "compiled", 0.4696, 0.0401},
                           {4, "32 vCPU", "pip", 0.4146, 0.1417},
                           {5, "16 vCPU", "pip", 1.8552, 0.3170},
                           {5, "64 vCPU", "compiled", 1.4064, 0.9611},
                           {5, "K80 GPU", "", 1, 1}};
    for (const auto& k : known) {
        const auto& c = cell(report.workloads[static_cast<std::size_t>(k.workload)], k.platform, k.variant);
        EXPECT_NEAR(c.relativeTime, k.time, 6e-5) << k.platform << k.variant;
        EXPECT_NEAR(c.relativeCost, k.cost, 6e-5) << k.platform << k.variant;
    }
}

TEST(WoolfStudy, KeepsNo64VcpuMachineOnAnyFront) {
    const auto report = weigh(woolf()).value();
    ASSERT_EQ(report.workloads.size(), 6U);
    for (const auto& workload : report.workloads)
        for (const auto& c : workload.cells)
            EXPECT_FALSE(c.onPareto && c.configuration.platform == "64 vCPU") << workload.workload;
}

TEST(WoolfStudy, HasTheFrontsOfTheDecisions) {
    const auto report = weigh(woolf()).value();
    const auto front = [&](std::size_t i) {
        std::set<std::string> names;
        for (const auto& c : report.workloads[i].cells)
            if (c.onPareto) names.insert(c.configuration.name());
        return names;
    };
    EXPECT_THAT(front(0), ElementsAre("16 vCPU compiled", "8 vCPU compiled", "K80 GPU"));
    EXPECT_THAT(front(1), ElementsAre("16 vCPU compiled", "32 vCPU compiled", "8 vCPU compiled", "K80 GPU"));
    EXPECT_THAT(front(2), ElementsAre("16 vCPU compiled", "32 vCPU compiled", "8 vCPU compiled", "K80 GPU"));
    EXPECT_THAT(front(4), ElementsAre("16 vCPU compiled", "32 vCPU pip", "8 vCPU compiled"));
}

TEST(WoolfStudy, FindsCheapestFastestAndWinner) {
    const auto report = weigh(woolf()).value();
    const char* const winners[] = {"8 vCPU compiled", "K80 GPU",         "16 vCPU compiled",
                                   "K80 GPU",         "8 vCPU compiled", "8 vCPU compiled"};
    for (std::size_t i = 0; i < report.workloads.size(); ++i) {
        const auto& workload = report.workloads[i];
        EXPECT_EQ(nameOf(workload, workload.cheapest), "8 vCPU compiled") << workload.workload;
        EXPECT_EQ(nameOf(workload, workload.fastest),
                  workload.workload == "imdb_bidirectional_lstm" ? "32 vCPU pip" : "K80 GPU")
            << workload.workload;
        EXPECT_EQ(nameOf(workload, workload.winner), winners[i]) << workload.workload;
    }
}

TEST(WoolfStudy, FindsTheMultipliersAtWhichCostsAreEqual) {
    const auto report = weigh(woolf()).value();
    const double known[][3] = {{8.68, 5.44, 1.12}, {3.19, 2.37, 0.50},   {4.28, 3.29, 0.87},
                               {2.93, 1.87, 0.40}, {24.93, 13.94, 3.18}, {8.46, 4.50, 1.04}};
    const char* const platforms[] = {"8 vCPU", "16 vCPU", "64 vCPU"};
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t p = 0; p < 3; ++p)
            EXPECT_NEAR(cell(report.workloads[i], platforms[p], "compiled").breakEvenMultiplier, known[i][p], 0.0051);
}

TEST(WoolfStudy, ChangesTheWinnerWithTheWeightOfTime) {
    const auto report = weigh(woolf()).value();
    ASSERT_EQ(report.overall.size(), 3U);
    EXPECT_EQ(report.overall[0].winner.name(), "8 vCPU compiled");
    EXPECT_EQ(report.overall[1].winner.name(), "16 vCPU compiled");
    EXPECT_EQ(report.overall[2].winner.name(), "K80 GPU");
    EXPECT_NEAR(report.overall[1].from, 1.819, 2e-3);
    EXPECT_NEAR(report.overall[2].from, 4.080, 2e-3);
    EXPECT_EQ(report.winner->name(), "8 vCPU compiled");
    EXPECT_EQ(weigh(woolf(), {.timeWeight = 3}).value().winner->name(), "16 vCPU compiled");
    EXPECT_EQ(weigh(woolf(), {.timeWeight = 5}).value().winner->name(), "K80 GPU");
}

TEST(WoolfStudy, PrefersTheGpuForConvolutionsAtFiveTimesTheCpuPrices) {
    StudyOptions options;
    for (const char* platform : {"8 vCPU", "16 vCPU", "32 vCPU", "64 vCPU"}) options.priceMultipliers[platform] = 5;
    const auto report = weigh(woolf(), options).value();
    const std::set<std::string> gpu{"mnist_cnn", "cifar10_cnn", "imdb_fasttext"};
    for (const auto& workload : report.workloads)
        EXPECT_EQ(nameOf(workload, workload.cheapest), gpu.contains(workload.workload) ? "K80 GPU" : "8 vCPU compiled")
            << workload.workload;
}

TEST(WoolfStudy, SaysWhereCompilingPays) {
    const auto report = weigh(woolf()).value();
    ASSERT_EQ(report.variants.size(), 4U);
    EXPECT_EQ(report.variants[0].platform, "8 vCPU");
    EXPECT_EQ(report.variants[0].verdict, VariantVerdict::Pays);
    EXPECT_NEAR(report.variants[0].medianSpeedUp, 1.47, 0.01);
    EXPECT_EQ(report.variants[1].verdict, VariantVerdict::Pays);
    EXPECT_NEAR(report.variants[1].medianSpeedUp, 1.40, 0.01);
    EXPECT_EQ(report.variants[2].verdict, VariantVerdict::Undecided);
    EXPECT_EQ(report.variants[3].verdict, VariantVerdict::Undecided);
}

TEST(Studies, ReadTablesInAnyColumnOrder) {
    const auto study =
        studyFromCsv("t",
                     "price_usd_per_hour,note,workload,platform,variant,epoch_seconds\n0.5,x,net,A,,10\n1,y,net,B,,4\n")
            .value();
    const auto report = weigh(study, {.baseline = "B"}).value();
    EXPECT_DOUBLE_EQ(report.workloads[0].cells[0].relativeTime, 2.5);
    EXPECT_DOUBLE_EQ(report.workloads[0].cells[0].relativeCost, 1.25);
    EXPECT_TRUE(report.workloads[0].cells[1].onPareto);
    EXPECT_FALSE(report.workloads[0].cells[0].onPareto);
    EXPECT_TRUE(report.variants.empty());
}

TEST(Studies, NameTheLineThatIsWrong) {
    const std::string header = "workload,platform,variant,epoch_seconds,price_usd_per_hour\n";
    for (const char* row : {"net,A,,0,1\n", "net,A,,x,1\n", "net,A,,1,\n", "net,,,1,1\n", "net,A\n"}) {
        const auto study = studyFromCsv("t.csv", header + "net,B,,1,1\n" + row);
        ASSERT_FALSE(study) << row;
        EXPECT_EQ(study.error().kind, ErrorKind::CorruptData);
        EXPECT_THAT(study.error().detail.text, HasSubstr("line 3")) << row;
    }
    EXPECT_FALSE(studyFromCsv("t.csv", header));
    EXPECT_THAT(studyFromCsv("t.csv", "a,b\n1,2\n").error().detail.text, HasSubstr("workload"));
    EXPECT_EQ(weigh(woolf(), {.baseline = "Abacus"}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(weigh(woolf(), {.priceMultipliers = {{"Abacus", 2}}}).error().kind, ErrorKind::InvalidArgument);
    EXPECT_FALSE(weigh(woolf(), {.timeWeight = -1}));
}

}  // namespace
}  // namespace steelyard::advisor
