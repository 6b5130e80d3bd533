// SPDX-License-Identifier: Apache-2.0
// Amounts of money as text, in the currency that the user reads. Computed and stored in US dollars; converted only
// here, for display. Pure functions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace steelyard {

enum class Currency { UsDollar, Euro, Yuan, TaiwanDollar, Pound };
inline constexpr std::array kCurrencies{Currency::UsDollar, Currency::Euro, Currency::Yuan, Currency::TaiwanDollar,
                                        Currency::Pound};
[[nodiscard]] std::string_view toString(Currency currency);  // "EUR"
[[nodiscard]] std::optional<Currency> currencyFromString(std::string_view code);
[[nodiscard]] std::string_view symbolOf(Currency currency);  // "$", "€", "¥", "NT$", "£"

// Exchange rates change daily and the program does not go online: the user enters them.
struct ExchangeRate {
    Currency currency = Currency::UsDollar;
    double perUsd = 1;         // units of the currency for one US dollar
    std::string date, source;  // of the rate; empty for US dollars

    [[nodiscard]] double of(double usd) const { return usd * perUsd; }
    [[nodiscard]] double toUsd(double amount) const { return amount / perUsd; }
    friend bool operator==(const ExchangeRate&, const ExchangeRate&) = default;
};
// Above 0 and below these; other rates are typing errors.
inline constexpr double kSmallestRate = 1e-4, kLargestRate = 1e6;

// Decimals of an amount: three significant digits below ten cents, two below one, none from 1,000 on.
[[nodiscard]] int moneyDecimals(double amount);
// Amounts that are shown as "less than" this.
inline constexpr double kLeastAmount = 0.0001;

// "1,234.5"
[[nodiscard]] std::string groupedDigits(double value, int decimals);

// "$3.42", "€1,250", "NT$0.0064", "<$0.0001", "$0"
[[nodiscard]] std::string moneyText(double usd, const ExchangeRate& rate = {});
// "3.42": for columns whose heading has the currency
[[nodiscard]] std::string moneyDigits(double usd, const ExchangeRate& rate = {});
// "$2.90 to 4.20": the lower end has no more decimals than the upper one, unless it would be 0.
[[nodiscard]] std::string moneyRangeText(double lowUsd, double highUsd, const ExchangeRate& rate = {});
// The same rule for other writers: decimals of the lower end.
[[nodiscard]] int decimalsOfLowerEnd(double low, double high);

}  // namespace steelyard
