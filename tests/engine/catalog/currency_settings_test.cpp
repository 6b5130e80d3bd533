// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/currency_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/file_io.h"
#include "tests/support/json_schema.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::catalog {
namespace {

using testing::IsEmpty;

const ExchangeRate kEuro{Currency::Euro, 0.86, "2026-11-20", "a bank"};

TEST(CurrencySettings, AreStoredAndRead) {
    test::TemporaryFolder folder;
    const auto file = folder / "catalog" / "currency.json";
    EXPECT_EQ(loadCurrencySettings(file).value(), CurrencySettings{});
    CurrencySettings settings;
    settings.shown = Currency::Euro;
    EXPECT_EQ(settings.shownRate(), ExchangeRate{});  // no rate yet
    EXPECT_FALSE(settings.rateOf(Currency::Euro));
    ASSERT_TRUE(settings.setRate({Currency::Euro, 0.9, "2026-01-01", "older"}));
    ASSERT_TRUE(settings.setRate(kEuro));
    ASSERT_TRUE(settings.setRate({Currency::TaiwanDollar, 32.5, "2026-11-20", "a bank"}));
    ASSERT_TRUE(saveCurrencySettings(settings, file));
    const auto again = loadCurrencySettings(file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, settings);
    EXPECT_EQ(again->shownRate(), kEuro);
    EXPECT_EQ(again->rates.size(), 2U);
    const std::filesystem::path schemas = STEELYARD_SOURCE_DIR "/resources/schemas";
    EXPECT_THAT(test::schemaProblems(schemas, "currency.schema.json", readFile(file, 1 << 16).value(),
                                     test::Undeclared::Reported),
                IsEmpty());
    EXPECT_EQ(defaultCurrencyFile("/x/data", "/home/me"), "/x/data/steelyard/catalog/currency.json");
}

TEST(CurrencySettings, RefuseImplausibleRates) {
    CurrencySettings settings;
    for (const double rate : {0.0, -1.0, 1e-9, 1e9, HUGE_VAL, std::nan("")})
        EXPECT_FALSE(settings.setRate({Currency::Euro, rate, "2026-11-20", "a bank"})) << rate;
    EXPECT_FALSE(settings.setRate({Currency::Euro, 0.86, "2026-11-20", ""}));
    EXPECT_FALSE(settings.setRate({Currency::Euro, 0.86, "", "a bank"}));
    EXPECT_FALSE(settings.setRate({Currency::UsDollar, 1, "2026-11-20", "a bank"}));
    EXPECT_TRUE(settings.rates.empty());
}

TEST(CurrencySettings, HostileFilesAreRefused) {
    const char* documents[] = {"",
                               "[]",
                               R"({"format": "steelyard-currency"})",
                               R"({"format": "steelyard-currency", "version": 1})",
                               R"({"format": "steelyard-currency", "version": 2, "shown": "EUR"})",
                               R"({"format": "steelyard-user-catalog", "version": 1, "shown": "EUR"})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "XXX"})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "EUR", "rates": {}})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "EUR", "rates": [1]})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "EUR",
            "rates": [{"currency": "EUR", "per_usd": 0, "date": "2026-11-20", "source": "a"}]})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "EUR",
            "rates": [{"currency": "EUR", "per_usd": 1e300, "date": "2026-11-20", "source": "a"}]})",
                               R"({"format": "steelyard-currency", "version": 1, "shown": "EUR",
            "rates": [{"currency": "USD", "per_usd": 1, "date": "2026-11-20", "source": "a"}]})"};
    for (const auto* document : documents) EXPECT_FALSE(currencySettingsFromJson("file", document)) << document;
}

}  // namespace
}  // namespace steelyard::catalog
