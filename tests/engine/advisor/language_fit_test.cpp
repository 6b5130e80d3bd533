// SPDX-License-Identifier: Apache-2.0
// The fit of decode and prefill speeds: constants that are known are found again, and what is shipped is what the fit
// of the shipped rows finds.
#include "tests/performance/fit/language_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/file_io.h"
#include "tests/engine/advisor/advisor_fixture.h"

namespace steelyard::advisor {
namespace {

const std::vector<LanguageRow>& rowsToFit() {
    static const auto loaded = loadLanguageRows(test::resources()).value();
    return loaded;
}

bool everyRow(const LanguageRow&) {
    return true;
}

// Speeds of llama.cpp on cards with GDDR by known constants, in a few models and contexts.
std::vector<LanguageRow> syntheticRows(const LanguageParameters& truth) {
    std::vector<LanguageRow> rows;
    int device = 0;
    for (const double bandwidth : {3e11, 6e11, 1e12})
        for (const double flops : {1e13, 4e13}) {
            ++device;
            for (const double weights : {1e9, 7e9, 30e9})
                for (const auto cost : {model::WeightCost::Bits16, model::WeightCost::Bits4Nested})
                    for (const double context : {128.0, 8192.0})
                        for (const bool prefill : {false, true}) {
                            LanguageRow row;
                            row.prefill = prefill;
                            row.deviceName = "card " + std::to_string(device);
                            row.stack = "llamacpp_cuda";
                            row.device = {.deviceClass = LanguageDeviceClass::NvidiaGddr,
                                          .bytesPerSecond = bandwidth,
                                          .fp32Flops = flops,
                                          .matrixFlops = 3 * flops};
                            row.work = {.readBytes = weights * (cost == model::WeightCost::Bits16 ? 2 : 0.6),
                                        .activeWeights = weights,
                                        .cacheBytesPerToken = 1e5,
                                        .layers = std::round(std::cbrt(weights) / 30),
                                        .cacheLayers = std::round(std::cbrt(weights) / 30),
                                        .heads = 32,
                                        .kvHeads = 8,
                                        .headDimension = 128,
                                        .cost = cost};
                            row.conditions = {.context = context, .prompt = context};
                            row.measured = predictedTokensPerSecond(truth, row);
                            rows.push_back(row);
                        }
        }
    return rows;
}

TEST(LanguageFit, FindsKnownConstantsAgain) {
    auto truth = test::shippedLanguageParameters();
    truth.bandwidthShare[LanguageDeviceClass::NvidiaGddr] = 0.8;
    truth.gpu.weightCost = {3, 10, 10, 15};
    truth.gpu.cacheShareFlash = 0.6;
    truth.prefillCuda.rateExponent = 0.2;
    auto& stack = *std::ranges::find(truth.stacks, std::string("llamacpp_cuda"), &LanguageStack::id);
    stack.layerMicroseconds = 40;
    stack.prefillShare = 0.6;
    const auto rows = syntheticRows(truth);
    const auto found = fit::fitLanguage(rows, everyRow);
    EXPECT_NEAR(found.bandwidthShare.at(LanguageDeviceClass::NvidiaGddr), 0.8, 0.01);
    EXPECT_NEAR(found.gpu.weightCost[3], 15, 0.3);
    EXPECT_NEAR(found.gpu.cacheShareFlash, 0.6, 0.01);
    EXPECT_NEAR(found.findStack("llamacpp_cuda")->layerMicroseconds.value(), 40, 1);
    // Drawn a little towards the start values.
    for (const auto& row : rows)
        EXPECT_NEAR(predictedTokensPerSecond(found, row) / row.measured, 1, 0.015) << row.deviceName;
    // What no row decides stays at its start; software without rows is not there.
    EXPECT_EQ(found.findStack("mlx"), nullptr);
    EXPECT_EQ(found.appleM3, 1);
    // A row that is wrong by a factor of ten moves the others little.
    auto spoilt = rows;
    spoilt.front().measured *= 10;
    const auto robust = fit::fitLanguage(spoilt, everyRow);
    EXPECT_NEAR(robust.bandwidthShare.at(LanguageDeviceClass::NvidiaGddr), 0.8, 0.05);
}

TEST(LanguageFit, LeavesOutDevicesAndSoftware) {
    auto rows = syntheticRows(test::shippedLanguageParameters());
    std::erase_if(rows, [](const LanguageRow& row) { return row.deviceName > "card 3"; });
    for (std::size_t i = 0; i < rows.size(); i += 2) rows[i].stack = "llamacpp_vulkan";
    for (auto& row : rows)
        if (row.deviceName == "card 1") row.stack = "exllama";
    const auto folds = fit::languageFolds(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_GT(folds.fitted[i], 0);
        EXPECT_GT(folds.deviceLeftOut[i], 0);
        EXPECT_GT(folds.softwareLeftOut[i], 0);
        EXPECT_EQ(folds.stackSeenElsewhere[i], rows[i].stack != "exllama") << rows[i].deviceName;
    }
    const auto table =
        fit::withFolds("rows.csv", "device,device_left_out,stack_seen_elsewhere\n\"a, b\",1,0\n",
                       {.fitted = {1}, .deviceLeftOut = {2.5}, .softwareLeftOut = {3}, .stackSeenElsewhere = {true}});
    EXPECT_EQ(table.value(), "device,device_left_out,stack_seen_elsewhere\n\"a, b\",2.5,1\n");
    EXPECT_FALSE(fit::withFolds("rows.csv", "device\na\nb\n", {.fitted = {1}}).has_value());
}

TEST(LanguageFit, TheShippedConstantsAreTheFitOfTheShippedRows) {
    const auto& shipped = test::shippedLanguageParameters();
    fit::LanguageFolds folds;
    for (const auto& row : rowsToFit()) {
        folds.fitted.push_back(row.fitted);
        folds.deviceLeftOut.push_back(row.deviceLeftOut);
        folds.softwareLeftOut.push_back(row.softwareLeftOut);
        folds.stackSeenElsewhere.push_back(row.stackSeenElsewhere);
    }
    const auto fitted = fit::shippedLanguage(rowsToFit(), folds, shipped.date);
    EXPECT_EQ(fitted.source, shipped.source);
    ASSERT_EQ(fitted.stacks.size(), shipped.stacks.size());
    for (std::size_t i = 0; i < fitted.stacks.size(); ++i) {
        EXPECT_EQ(fitted.stacks[i].id, shipped.stacks[i].id);
        EXPECT_EQ(fitted.stacks[i].seenOn, shipped.stacks[i].seenOn);
        EXPECT_EQ(fitted.stacks[i].devicesSeen, shipped.stacks[i].devicesSeen);
    }
    for (const auto& row : rowsToFit())
        EXPECT_NEAR(predictedTokensPerSecond(fitted, row) / predictedTokensPerSecond(shipped, row), 1, 1e-3)
            << row.deviceName << ": stored by fit_language RESOURCES DATE";
    for (const auto bands : {&LanguageParameters::decodeBands, &LanguageParameters::prefillBands})
        for (const auto& [name, band] : fitted.*bands) {
            const auto& stored = (shipped.*bands).at(name);
            EXPECT_NEAR(stored.low / band.low, 1, 1e-3) << name;
            EXPECT_NEAR(stored.high / band.high, 1, 1e-3) << name;
        }
}

// One device and one software, as an example of the stored columns; fit_language computes all of them in minutes.
TEST(LanguageFit, TheStoredColumnsAreThoseOfTheFolds) {
    const auto& card = *std::ranges::find(rowsToFit(), std::string("rtx3070"), &LanguageRow::deviceName);
    const auto check = [](const auto& isLeftOut, double LanguageRow::*column) {
        const auto without = fit::fitLanguage(rowsToFit(), [&](const LanguageRow& row) { return !isLeftOut(row); });
        int compared = 0;
        for (const auto& row : rowsToFit()) {
            if (!isLeftOut(row)) continue;
            EXPECT_NEAR(row.*column / predictedTokensPerSecond(without, row), 1, 1e-3) << row.deviceName;
            ++compared;
        }
        EXPECT_GT(compared, 5);
    };
    check([&](const LanguageRow& row) { return fit::isSameDevice(row, card); }, &LanguageRow::deviceLeftOut);
    check([](const LanguageRow& row) { return row.stack == "exllamav2"; }, &LanguageRow::softwareLeftOut);
}

}  // namespace
}  // namespace steelyard::advisor
