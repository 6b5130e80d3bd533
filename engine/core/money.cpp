// SPDX-License-Identifier: Apache-2.0
#include "engine/core/money.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace steelyard {
namespace {

struct CurrencyName {
    Currency currency;
    std::string_view code, symbol;
};
constexpr CurrencyName kCurrencyNames[]{{Currency::UsDollar, "USD", "$"},
                                        {Currency::Euro, "EUR", "€"},
                                        {Currency::Yuan, "CNY", "¥"},
                                        {Currency::TaiwanDollar, "TWD", "NT$"},
                                        {Currency::Pound, "GBP", "£"}};

const CurrencyName& nameOf(Currency currency) {
    return *std::ranges::find(kCurrencyNames, currency, &CurrencyName::currency);
}

// For three significant digits.
int significantDecimals(double amount) {
    const double magnitude = std::fabs(amount);
    if (magnitude == 0 || magnitude >= 99.95) return 0;
    if (magnitude >= 9.995) return 1;
    if (magnitude >= 0.9995) return 2;
    return std::min(3 + static_cast<int>(std::floor(-std::log10(magnitude))), 12);
}

std::string amountText(double amount, std::string_view symbol) {
    if (!std::isfinite(amount)) return "-";
    if (amount == 0) return fmt::format("{}0", symbol);
    if (std::fabs(amount) < kLeastAmount) return fmt::format("<{}{}", symbol, groupedDigits(kLeastAmount, 4));
    return fmt::format("{}{}", symbol, groupedDigits(amount, moneyDecimals(amount)));
}

}  // namespace

std::string_view toString(Currency currency) {
    return nameOf(currency).code;
}

std::optional<Currency> currencyFromString(std::string_view code) {
    for (const auto& name : kCurrencyNames)
        if (name.code == code) return name.currency;
    return std::nullopt;
}

std::string_view symbolOf(Currency currency) {
    return nameOf(currency).symbol;
}

int moneyDecimals(double amount) {
    const double magnitude = std::fabs(amount);
    const int decimals = magnitude >= 999.5 ? 0 : magnitude >= 0.0995 ? 2 : significantDecimals(amount);
    return magnitude < 0.00995 ? decimals - 1 : decimals;
}

int decimalsOfLowerEnd(double low, double high) {
    const int decimals = moneyDecimals(high);
    const bool rounds = moneyDecimals(low) > decimals && low >= std::pow(10.0, -decimals);
    return rounds ? decimals : moneyDecimals(low);
}

std::string groupedDigits(double value, int decimals) {
    auto text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
    const auto first = static_cast<std::ptrdiff_t>(text.starts_with('-') ? 1 : 0);
    auto end = static_cast<std::ptrdiff_t>(std::min(text.find('.'), text.size()));
    while (end - first > 3) {
        end -= 3;
        text.insert(static_cast<std::size_t>(end), 1, ',');
    }
    return text;
}

std::string moneyText(double usd, const ExchangeRate& rate) {
    return amountText(rate.of(usd), symbolOf(rate.currency));
}

std::string moneyDigits(double usd, const ExchangeRate& rate) {
    return amountText(rate.of(usd), {});
}

std::string moneyRangeText(double lowUsd, double highUsd, const ExchangeRate& rate) {
    const double low = rate.of(lowUsd), high = rate.of(highUsd);
    if (!std::isfinite(low) || !std::isfinite(high)) return "-";
    const int decimals = decimalsOfLowerEnd(low, high);
    const auto symbol = symbolOf(rate.currency);
    const auto first = low != 0 && std::fabs(low) >= kLeastAmount
                           ? fmt::format("{}{}", symbol, groupedDigits(low, decimals))
                           : amountText(low, symbol);
    return fmt::format("{} to {}", first, amountText(high, {}));
}

}  // namespace steelyard
