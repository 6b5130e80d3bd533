// SPDX-License-Identifier: Apache-2.0
// The recommendation in a report equals the advice, and is marked as predicted.
#include "engine/report/advice_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/advisor/rank/advice_json.h"
#include "engine/bench/record/record_json.h"
#include "engine/report/report_writer.h"
#include "tests/support/xml_reader.h"

namespace steelyard::report {
namespace {

using advisor::Priority;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kResources = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources";

const advisor::AdvisorData& data() {
    static const auto value = advisor::loadAdvisorData({kResources, {}}).value();
    return value;
}

AdvisedJob advised(std::optional<double> budget = {}) {
    AdvisedJob job;
    job.request.job = advisor::makeJob({.workload = "resnet50", .batch = 64}).value().model;
    job.request.steps = 100'000;
    job.request.budgetUsd = budget;
    job.request.today = "2026-11-21";
    job.advice = advisor::advise(job.request, data().catalog, advisor::makePredictor(data())).value();
    return job;
}

ReportOptions optionsOf(const AdvisedJob& job) {
    ReportOptions options;
    options.advice = adviceTables(std::span(&job, 1), options.texts);
    options.adviceCharts = adviceCharts(std::span(&job, 1), options.texts);
    options.adviceJson = {advisor::adviceJson(job.request, job.advice)};
    return options;
}

TEST(AdviceTables, NameTheChoicesWithBandsAndReasons) {
    const auto job = advised();
    const auto tables = adviceTables(std::span(&job, 1), {});
    ASSERT_EQ(tables.size(), 2U);
    const auto& choices = tables[0];
    EXPECT_THAT(choices.title, HasSubstr("resnet50, training"));
    EXPECT_THAT(choices.note, HasSubstr("predicted, not measured"));
    ASSERT_EQ(choices.rows.size(), 3U);
    const std::optional<std::size_t> indices[] = {job.advice.choices.cheapest, job.advice.choices.fastest,
                                                  job.advice.choices.balanced};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& candidate = job.advice.candidates[*indices[i]];
        ASSERT_EQ(choices.rows[i].size(), choices.columns.size());
        EXPECT_EQ(choices.rows[i][1], candidate.title);
        EXPECT_THAT(choices.rows[i][3], HasSubstr(" to "));
        EXPECT_EQ(choices.rows[i][6], candidate.priceDate);
        EXPECT_THAT(choices.rows[i][7], HasSubstr("predicted"));
        EXPECT_THAT(choices.rows[i][8], HasSubstr(englishText(candidate.reasons.front())));
    }
    ASSERT_EQ(tables[1].rows.size(), 10U);
    EXPECT_EQ(tables[1].rows[0][1], job.advice.candidates[*job.advice.chosen].title);
}

TEST(AdviceTables, SayWhenNothingCanDoIt) {
    const auto job = advised(0.001);
    const auto tables = adviceTables(std::span(&job, 1), {});
    ASSERT_EQ(tables.size(), 1U);
    for (const auto& row : tables[0].rows) EXPECT_EQ(row[1], "no machine can run it");
    EXPECT_THAT(adviceCharts(std::span(&job, 1), {}), IsEmpty());
}

TEST(AdviceTables, StandInEachFormatThatHasRoomForThem) {
    const auto job = advised();
    const auto options = optionsOf(job);
    const std::vector<bench::RunRecord> runs;
    const auto& machine = options.advice[0].rows[1][1];
    const auto page = test::readXml(toHtml(runs, options));  // well-formed
    EXPECT_EQ(page.all("table").size(), options.advice.size());
    ASSERT_EQ(page.all("svg").size(), 1U);
    EXPECT_EQ(page.all("svg")[0]->all("rect").size(), 10U);
    EXPECT_THAT(toHtml(runs, options), HasSubstr(machine));
    EXPECT_THAT(toMarkdown(runs, options), HasSubstr("Recommendation for resnet50, training"));
    EXPECT_THAT(toMarkdown(runs, {}), Not(HasSubstr("Recommendation")));
    const auto json = nlohmann::json::parse(toReport(ReportFormat::Json, runs, options));
    EXPECT_EQ(json["advice"][0]["offers"].size(), job.advice.candidates.size());
    EXPECT_TRUE(bench::resultsFromJson(json.dump()));
}

TEST(AdviceTables, SpeakTheLanguageOfTheTexts) {
    ReportTexts texts;
    texts.recommendation = "Empfehlung %1 %2";
    texts.names["cheapest"] = "am billigsten";
    const auto job = advised();
    const auto tables = adviceTables(std::span(&job, 1), texts, [](const auto&) { return "weil"; });
    EXPECT_EQ(tables[0].title, "Empfehlung resnet50 training");
    EXPECT_EQ(tables[0].rows[0][0], "am billigsten");
    EXPECT_THAT(tables[0].rows[0][8], HasSubstr("weil"));
}

TEST(BacktestTable, HasARowForEachClass) {
    const auto report = advisor::shippedBacktest(kResources, data().parameters).value();
    const auto table = backtestTable(report, {});
    ASSERT_EQ(table.rows.size(), report.classes.size());
    EXPECT_EQ(table.rows[0][0], "leave one chip out");
    EXPECT_EQ(table.rows[0][1], std::to_string(report.classes[0].rows));
}

}  // namespace
}  // namespace steelyard::report
