// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/evidence/backtest.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "engine/advisor/predict/predictor.h"
#include "engine/advisor/statistics.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/quantile.h"
#include "tests/performance/fit/fitted_parameters.h"
#include "tests/performance/fit/predictor_fit.h"

namespace steelyard::advisor {
namespace {

const std::filesystem::path kResources = std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources";

struct Shipped {
    PredictorParameters parameters = loadPredictorParameters(kResources / "catalog/predictor_parameters.json").value();
    PublishedData data = loadPublishedData(kResources / "backtest", parameters).value();
    std::vector<Fold> folds = loadFolds(kResources / "backtest/folds.json").value();
    BacktestReport report = backtest(data, parameters, folds);
};
const Shipped& shipped() {
    static const Shipped value;
    return value;
}

TEST(Backtest, GivesTheShippedTable) {
    const auto table =
        CsvDocument::parse("table.csv", readFile(kResources / "backtest/table.csv", 1 << 20).value()).value();
    const auto& report = shipped().report;
    ASSERT_EQ(table.rowCount(), report.classes.size());
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        const auto row = table.row(i);
        const auto& summary = report.classes[i];
        EXPECT_EQ(row[0], summary.name);
        EXPECT_EQ(numberFromText(row[1]), static_cast<double>(summary.rows));
        EXPECT_NEAR(numberFromText(row[2]).value(), summary.median, 1e-3) << summary.name;
        EXPECT_NEAR(numberFromText(row[3]).value(), summary.mean, 1e-3) << summary.name;
        EXPECT_NEAR(numberFromText(row[4]).value(), summary.p90, 1e-3) << summary.name;
        EXPECT_EQ(summary.coverage.has_value(), !row[5].empty());
        EXPECT_EQ(summary.coverageUnseen.has_value(), !row[6].empty());
        if (summary.coverage) {
            EXPECT_NEAR(numberFromText(row[5]).value(), *summary.coverage, 5e-3) << summary.name;
            EXPECT_NEAR(numberFromText(row[6]).value(), *summary.coverageUnseen, 5e-3) << summary.name;
        }
    }
}

TEST(Backtest, MeetsTheTargets) {
    const auto& report = shipped().report;
    const auto expectBelow = [&](const char* name, double median, double p90) {
        const auto* summary = report.find(name);
        ASSERT_NE(summary, nullptr) << name;
        EXPECT_LE(summary->median, median) << name;
        EXPECT_LE(summary->p90, p90) << name;
    };
    expectBelow("leave_one_chip_out", 0.11, 0.32);
    EXPECT_LE(report.find("leave_one_chip_out")->mean, 0.145);
    expectBelow("leave_one_family_out", 0.13, 0.33);
    expectBelow("convolutional", 0.12, 1);
    expectBelow("recurrent", 0.10, 1);
    expectBelow("transformer", 0.08, 1);
    expectBelow("transfer_same_generation", 0.07, 0.22);
    expectBelow("transfer_median", 0.09, 0.25);
    for (const auto& summary : report.classes) {
        if (!summary.coverage) continue;
        EXPECT_GE(*summary.coverage, 0.75) << summary.name;
        EXPECT_LE(*summary.coverage, 0.87) << summary.name;
    }
    // Carried over to a device whose every row the fit was without: half a percent more.
    ASSERT_EQ(report.unseenTransfers.size(), 3U);
    for (const auto& unseen : report.unseenTransfers) {
        const auto* seen = report.find(unseen.name);
        ASSERT_NE(seen, nullptr) << unseen.name;
        EXPECT_EQ(unseen.rows, seen->rows);
        EXPECT_NE(unseen.median, seen->median);
        EXPECT_LE(unseen.median, seen->median + 0.005) << unseen.name;
    }
    EXPECT_GE(static_cast<double>(report.rankedRight), 0.94 * static_cast<double>(report.rankedPairs));
    EXPECT_GT(report.rankedPairs, 1000U);
    EXPECT_EQ(report.predictedBelowBound, 0U);
    EXPECT_EQ(report.measuredBelowBound, 0U);
}

TEST(Backtest, LeavesEachChipAndEachFamilyOut) {
    const auto& report = shipped().report;
    EXPECT_EQ(report.chips.size(), 23U);
    EXPECT_EQ(report.families.size(), 12U);
    std::size_t rows = 0;
    for (const auto& summary : report.families) rows += summary.rows;
    EXPECT_EQ(rows, shipped().data.rows.size());
}

// Transfer between machines with 4, 8, 16 and 32 cores running the same software (2017, TensorFlow 1.2): each row is
// predicted from the same job on the other machines and from the other jobs on all of them, which show how this
// software scales with cores. The row itself, and any row of that job on that machine, are left out.
TEST(Backtest, CarriesOverToAnotherProcessorWithTheSameSoftware) {
    const auto& s = shipped();
    std::vector<double> errors;
    int inside = 0;
    for (const auto& target : s.data.processorRows) {
        if (target.stack != "tf1-cpu") continue;
        std::vector<Reference> references;
        for (const auto& row : s.data.processorRows) {
            if (row.stack != target.stack) continue;
            if (row.network == target.network && row.device.cores == target.device.cores) continue;
            references.push_back({.job = s.data.jobOf(row), .device = row.device, .seconds = {0, row.seconds, 0}});
        }
        const Predictor predictor(s.parameters, references);
        const auto prediction = predictor.predict(s.data.jobOf(target), {.device = &target.device}).value();
        ASSERT_EQ(prediction.bandClass, BandClass::OtherProcessor);
        errors.push_back(std::abs(relativeError(prediction.seconds.median, target.seconds)));
        inside += target.seconds >= prediction.seconds.low && target.seconds <= prediction.seconds.high ? 1 : 0;
    }
    EXPECT_EQ(errors.size(), 24U);
    EXPECT_GE(inside, 18) << "three in four are within the band";
    EXPECT_LE(quantile(errors, 0.5), 0.14);
    EXPECT_LE(quantile(errors, 0.9), 0.50);
    RecordProperty("median", std::to_string(quantile(errors, 0.5)));
    RecordProperty("p90", std::to_string(quantile(errors, 0.9)));
}

TEST(Backtest, ShipsTheBandsThatItsRowsHave) {
    const auto& s = shipped();
    const auto bands = bandsOf(s.report);
    EXPECT_EQ(bands.size(), 7U);
    for (const auto& [value, band] : bands) {
        const auto known = s.parameters.band(value);
        EXPECT_NEAR(known.low, band.low, 1.5e-3) << toString(value);
        EXPECT_NEAR(known.median, band.median, 1.5e-3) << toString(value);
        EXPECT_NEAR(known.high, band.high, 1.5e-3) << toString(value);
    }
}

// A band fitted without a row covers fewer such rows, most notably if the rows come from few chips.
TEST(Backtest, CountsRowsInBandsThatTheyHadNoPartIn) {
    for (const auto& summary : shipped().report.classes) {
        ASSERT_EQ(summary.coverageUnseen.has_value(), summary.bandClass.has_value()) << summary.name;
        if (!summary.coverageUnseen) continue;
        EXPECT_LT(*summary.coverageUnseen, *summary.coverage) << summary.name;
        EXPECT_GT(*summary.coverageUnseen, 0.5) << summary.name;
    }
    EXPECT_GT(shipped().report.find("leave_one_chip_out")->coverageUnseen, 0.75);
}

double farthest(const fit::FitResult& result, const Constants& constants,
                const std::function<double(const std::string&)>& factorOf) {
    double worst = 0;
    for (const auto& field : constantFields())
        worst = std::max(worst, std::abs(result.constants.*field.member / (constants.*field.member) - 1));
    for (const auto& [name, factor] : result.factors) worst = std::max(worst, std::abs(factor / factorOf(name) - 1));
    return worst;
}

// The shipped constants and factors come from the same function and options as the folds, using the shipped rows.
TEST(BacktestFit, AgreesWithTheShippedConstants) {
    const auto& s = shipped();
    const auto own = fit::fit(s.data, s.parameters, [](const PublishedRow&) { return true; });
    EXPECT_LT(farthest(own, s.parameters.constants,
                       [&](const std::string& name) { return s.parameters.findStack(name)->factor; }),
              1e-3);
    // Each stack has a fitted factor, except for this engine, which has no published speeds.
    EXPECT_EQ(own.factors.size() + 1, s.parameters.stacks.size());
    const auto processors = fit::fitProcessors(s.data);
    for (const auto& field : processorFields())
        EXPECT_NEAR(processors.constants.*field.member / (s.parameters.processor.*field.member), 1, 1e-3) << field.name;
}

// All folds take 15 s; one suffices to show that the shipped ones are derived from the shipped rows.
TEST(BacktestFit, RegeneratesAFold) {
    const auto& s = shipped();
    const auto result = fit::fit(s.data, s.parameters, [](const PublishedRow& row) { return row.chip != "titanv"; });
    const auto fold =
        std::ranges::find_if(s.folds, [](const Fold& f) { return f.kind == FoldKind::Chip && f.leftOut == "titanv"; });
    ASSERT_NE(fold, s.folds.end());
    ASSERT_EQ(result.factors.size(), fold->factors.size());
    EXPECT_LT(farthest(result, fold->constants,
                       [&](const std::string& name) {
                           const auto known =
                               std::ranges::find(fold->factors, name, &std::pair<std::string, double>::first);
                           return known == fold->factors.end() ? 0 : known->second;
                       }),
              1e-3);
}

TEST(BacktestFit, PutsTheFitIntoTheDocumentAndLeavesTheRest) {
    auto moved = shipped().parameters;
    moved.date = "2030-01-02";
    moved.constants.halfChannels = 31.5;
    moved.processor.conv = 0.3;
    moved.bands.front().second.low = 0.5;
    moved.stacks.at(1).factor = 2.25;
    const auto text = readFile(kResources / "catalog/predictor_parameters.json", 1 << 20).value();
    const auto read = predictorParametersFromJson("moved", fit::withFitted(text, moved).value()).value();
    EXPECT_EQ(read.date, "2030-01-02");
    EXPECT_EQ(read.constants.halfChannels, 31.5);
    EXPECT_EQ(read.processor.conv, 0.3);
    EXPECT_EQ(read.bands, moved.bands);
    EXPECT_EQ(read.stacks.at(1).factor, 2.25);
    EXPECT_EQ(read.stacks.at(1).sources, moved.stacks.at(1).sources);
    EXPECT_EQ(read.constants.convOn16, moved.constants.convOn16);
    EXPECT_EQ(fit::withFitted(text, shipped().parameters).value(), text);
    EXPECT_FALSE(fit::withFitted("{}", moved));
}

TEST(BacktestFiles, RefuseDamage) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("steelyard-folds-" + std::to_string(::getpid()) + ".json");
    ASSERT_TRUE(writeFileAtomically(
        folder,
        R"({"format":"steelyard-folds","version":1,"folds":[{"kind":"chip","left_out":"x","constants":{},"factors":{}}]})"));
    const auto folds = loadFolds(folder);
    ASSERT_FALSE(folds);
    EXPECT_EQ(folds.error().kind, ErrorKind::CorruptData);
    std::filesystem::remove(folder);
    const auto again = toJson(shipped().folds, "2026-11-20");
    ASSERT_TRUE(writeFileAtomically(folder, again));
    EXPECT_EQ(loadFolds(folder).value().size(), shipped().folds.size());
    std::filesystem::remove(folder);
}

}  // namespace
}  // namespace steelyard::advisor
