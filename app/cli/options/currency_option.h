// SPDX-License-Identifier: Apache-2.0
// --currency and --exchange-rate: the currency of printed amounts. JSON is always in US dollars.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_context.h"
#include "engine/catalog/currency_settings.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

struct CurrencyArguments {
    std::optional<std::string> currency;  // default: the one set with catalog set-currency or in the window
    std::optional<double> perUsd;         // default: the stored rate
};
void addCurrencyOptions(CLI::App& command, CurrencyArguments& arguments);

[[nodiscard]] std::filesystem::path currencyFile(const CommandContext& context);
// Errors: InvalidArgument if there is no rate for the currency; those of the file.
[[nodiscard]] Result<ExchangeRate> shownCurrency(const CommandContext& context, const CurrencyArguments& arguments);

// "Amounts in EUR; 1 US dollar = 0.86 EUR (2026-11-20, ECB)."; empty for US dollars.
[[nodiscard]] std::string rateText(const ExchangeRate& rate);

}  // namespace steelyard::cli
