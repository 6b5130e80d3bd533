// SPDX-License-Identifier: Apache-2.0
// The currency in which the window, reports and the command line show amounts, and the exchange rates that the user
// entered. One small file of its own: the window reads it before its first page. Values; functions of the file may be
// called from any thread.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/money.h"

namespace steelyard::catalog {

struct CurrencySettings {
    Currency shown = Currency::UsDollar;
    std::vector<ExchangeRate> rates;  // at most one per currency; none for US dollars

    // US dollars are always 1. NotFound: no rate was entered for this currency.
    [[nodiscard]] Result<ExchangeRate> rateOf(Currency currency) const;
    // The rate of the shown currency; US dollars if it has none.
    [[nodiscard]] ExchangeRate shownRate() const;
    // Replaces the currency's earlier rate. InvalidArgument: not plausible, no date, no source, or US dollars.
    [[nodiscard]] Result<void> setRate(const ExchangeRate& rate);

    friend bool operator==(const CurrencySettings&, const CurrencySettings&) = default;
};

// A missing file: US dollars. CorruptData with the position; VersionTooNew.
[[nodiscard]] Result<CurrencySettings> loadCurrencySettings(const std::filesystem::path& file);
[[nodiscard]] Result<void> saveCurrencySettings(const CurrencySettings& settings, const std::filesystem::path& file);
[[nodiscard]] Result<CurrencySettings> currencySettingsFromJson(std::string_view name, std::string_view text);
[[nodiscard]] std::string toJson(const CurrencySettings& settings);
// $XDG_DATA_HOME/steelyard/catalog/currency.json, or ~/.local/share/... The environment is passed in.
[[nodiscard]] std::filesystem::path defaultCurrencyFile(const char* xdgDataHome, const char* home);

}  // namespace steelyard::catalog
