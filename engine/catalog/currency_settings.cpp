// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/currency_settings.h"

#include <algorithm>

#include "engine/core/file_io.h"
#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"
#include "engine/core/messages/catalog.h"

namespace steelyard {

auto fromName(std::type_identity<Currency>, std::string_view code) {
    return currencyFromString(code);
}

template <SameAs<ExchangeRate> T, typename Visitor>
void visitFields(T& rate, Visitor&& visit) {
    visit(required("currency"), rate.currency);
    visit(required("per_usd").atLeast(kSmallestRate), rate.perUsd);
    visit(required("date"), rate.date);
    visit(required("source"), rate.source);
}

}  // namespace steelyard

namespace steelyard::catalog {
namespace {

constexpr std::size_t kMaxCurrencyFile = 1U << 16;
constexpr int kCurrencyVersion = 1;
constexpr const char* kCurrencyFormat = "steelyard-currency";

}  // namespace

Result<ExchangeRate> CurrencySettings::rateOf(Currency currency) const {
    if (currency == Currency::UsDollar) return ExchangeRate{};
    const auto found = std::ranges::find(rates, currency, &ExchangeRate::currency);
    if (found == rates.end())
        return fail(ErrorKind::NotFound, std::string(toString(currency)), messages::noExchangeRate(toString(currency)));
    return *found;
}

ExchangeRate CurrencySettings::shownRate() const {
    const auto rate = rateOf(shown);
    return rate ? *rate : ExchangeRate{};
}

Result<void> CurrencySettings::setRate(const ExchangeRate& rate) {
    const std::string subject(toString(rate.currency));
    if (rate.currency == Currency::UsDollar) return fail(ErrorKind::InvalidArgument, subject, messages::rateOfUsd());
    if (!(rate.perUsd >= kSmallestRate && rate.perUsd <= kLargestRate))
        return fail(ErrorKind::InvalidArgument, subject, messages::rateRange(kSmallestRate, kLargestRate));
    if (rate.source.empty() || rate.date.empty())
        return fail(ErrorKind::InvalidArgument, subject, messages::rateSourceMissing());
    std::erase_if(rates, [&](const ExchangeRate& old) { return old.currency == rate.currency; });
    rates.push_back(rate);
    return {};
}

Result<CurrencySettings> currencySettingsFromJson(std::string_view name, std::string_view text) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat(kCurrencyFormat, kCurrencyVersion);
    CurrencySettings settings;
    std::vector<ExchangeRate> rates;
    file.require("shown", settings.shown);
    file.read("rates", rates);
    if (error) return Failure(std::move(*error));
    for (const auto& rate : rates)
        if (const auto ok = settings.setRate(rate); !ok) {
            auto why = messageOf(ok.error());
            return fail(ErrorKind::CorruptData, std::string(name), std::move(why));
        }
    return settings;
}

std::string toJson(const CurrencySettings& settings) {
    const Json json{{"format", kCurrencyFormat},
                    {"version", kCurrencyVersion},
                    {"shown", toString(settings.shown)},
                    {"rates", toJsonValue(settings.rates)}};
    return dumpJson(json, 1) + "\n";
}

Result<CurrencySettings> loadCurrencySettings(const std::filesystem::path& file) {
    if (file.empty()) return CurrencySettings{};
    const auto text = readFile(file, kMaxCurrencyFile);
    if (!text && text.error().kind == ErrorKind::NotFound) return CurrencySettings{};
    if (!text) return Failure(text.error());
    return currencySettingsFromJson(file.string(), *text);
}

Result<void> saveCurrencySettings(const CurrencySettings& settings, const std::filesystem::path& file) {
    if (file.empty()) return fail(ErrorKind::InvalidArgument, {}, steelyard::messages::noUserFolder());
    TRY(createPrivateFolders(file.parent_path()));
    return writeFileAtomically(file, toJson(settings), FileRights::OwnerOnly);
}

std::filesystem::path defaultCurrencyFile(const char* xdgDataHome, const char* home) {
    const auto folder = userDataFolder(xdgDataHome, home);
    return folder.empty() ? folder : folder / "catalog" / "currency.json";
}

}  // namespace steelyard::catalog
