// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/currency_option.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/option_checks.h"
#include "engine/advisor/rank/headline.h"
#include "engine/core/messages/app.h"

namespace steelyard::cli {

void addCurrencyOptions(CLI::App& command, CurrencyArguments& arguments) {
    std::vector<std::string> codes;
    for (const auto currency : kCurrencies) codes.emplace_back(toString(currency));
    command
        .add_option("--currency", arguments.currency,
                    "Currency of printed amounts and of --budget (default: set with catalog set-currency, otherwise "
                    "USD); JSON is in USD")
        ->check(CLI::IsMember(codes));
    command
        .add_option("--exchange-rate", arguments.perUsd,
                    "Units of the currency for one US dollar (default: the rate stored with catalog set-currency)")
        ->check(CLI::Range(kSmallestRate, kLargestRate));
}

std::filesystem::path currencyFile(const CommandContext& context) {
    return catalog::defaultCurrencyFile(context.environment("XDG_DATA_HOME"), context.environment("HOME"));
}

Result<ExchangeRate> shownCurrency(const CommandContext& context, const CurrencyArguments& arguments) {
    ASSIGN(const auto settings, catalog::loadCurrencySettings(currencyFile(context)));
    const auto currency = arguments.currency ? *currencyFromString(*arguments.currency) : settings.shown;
    if (arguments.perUsd) {
        if (currency == Currency::UsDollar)
            return fail(ErrorKind::InvalidArgument, "--exchange-rate", app::messages::needsCurrency());
        return ExchangeRate{currency, *arguments.perUsd, today(context), "--exchange-rate"};
    }
    auto rate = settings.rateOf(currency);
    if (!rate) return fail(ErrorKind::InvalidArgument, "--currency", app::messages::enterRate(toString(currency)));
    return rate;
}

std::string rateText(const ExchangeRate& rate) {
    return advisor::rateSentence(rate);
}

}  // namespace steelyard::cli
