// SPDX-License-Identifier: Apache-2.0
#include "engine/core/money.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/json/json.h"
#include "engine/core/json/message_json.h"
#include "engine/core/message.h"
#include "engine/core/messages/advisor.h"

namespace steelyard {
namespace {

const ExchangeRate kEuro{Currency::Euro, 0.86, "2026-11-20", "a bank"};

TEST(Money, HasThreeDigitsWhereCentsAreTooCoarse) {
    EXPECT_EQ(moneyText(0), "$0");
    EXPECT_EQ(moneyText(3.416), "$3.42");
    EXPECT_EQ(moneyText(1250), "$1,250");
    EXPECT_EQ(moneyText(1'234'567.8), "$1,234,568");
    EXPECT_EQ(moneyText(0.0064), "$0.0064");
    EXPECT_EQ(moneyText(0.00001), "<$0.0001");
    EXPECT_EQ(moneyText(std::numeric_limits<double>::infinity()), "-");
    EXPECT_EQ(moneyText(std::nan("")), "-");
    EXPECT_EQ(moneyDigits(1250), "1,250");
    EXPECT_EQ(moneyRangeText(0.0953, 0.35), "$0.10 to 0.35");
    EXPECT_EQ(moneyRangeText(0, 2), "$0 to 2.00");
}

TEST(Money, IsConvertedBeforeItIsRounded) {
    EXPECT_EQ(moneyText(3.416, kEuro), "€2.94");
    EXPECT_EQ(moneyText(1250, {Currency::TaiwanDollar, 32.5, "", ""}), "NT$40,625");
    EXPECT_EQ(moneyText(0.0064, {Currency::Yuan, 7.1, "", ""}), "¥0.0454");
    EXPECT_EQ(moneyText(1250, {Currency::Pound, 0.75, "", ""}), "£937.50");
    EXPECT_EQ(moneyRangeText(2.9, 4.2, kEuro), "€2.49 to 3.61");
    EXPECT_DOUBLE_EQ(kEuro.toUsd(kEuro.of(50)), 50);
}

TEST(Money, CurrenciesHaveNames) {
    for (const auto currency : kCurrencies) {
        EXPECT_EQ(currencyFromString(toString(currency)), currency);
        EXPECT_FALSE(symbolOf(currency).empty());
    }
    EXPECT_EQ(currencyFromString("eur"), std::nullopt);
    EXPECT_EQ(currencyFromString(""), std::nullopt);
}

TEST(Money, InMessagesIsShownInTheReadersCurrency) {
    const auto message = advisor::messages::overBudget(Usd{12.5}, Usd{2.5});
    EXPECT_EQ(message, "$12.50 is $2.50 over the budget");
    EXPECT_EQ(englishIn(message, {}), message.text);
    EXPECT_EQ(englishIn(message, kEuro), "€10.75 is €2.15 over the budget");
    EXPECT_EQ(englishIn(joined({message, Message("said a library")}), kEuro),
              "€10.75 is €2.15 over the budget; said a library");
    // Stored and read again; text of an unknown message is kept.
    Message again(message.text);
    readMessage(messageToJson<Json>(message), again);
    EXPECT_EQ(again, message);
    again.id = "advisor.of_a_newer_program";
    EXPECT_EQ(englishIn(again, kEuro), message.text);
}

}  // namespace
}  // namespace steelyard
