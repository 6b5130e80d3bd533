// SPDX-License-Identifier: Apache-2.0
// Serving a language model, and what that costs: machines to rent, devices to buy, and APIs by the token, ranked by
// what a month costs. Speeds are predicted (language_model.h), prices are dated. Pure functions of values; any thread.
//
// One machine serves b sequences at once, as many as fit into its memory and still give each user the speed asked for.
// A request occupies it for prompt / prefill speed + answer / (b sequences' decode speed). In a month it can be busy
// for 730 h x `busy`. Copies of the model on several devices of a machine serve independently; a model that does not
// fit on one device is spread over all of them by layers, as fast as one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/advisor/language/language_model.h"

namespace steelyard::advisor {

// What a device costs to buy.
struct DevicePrice {
    std::string device;
    enum class Kind { New, Used, List } kind = Kind::New;
    double usd = 0;
    std::string date, source;
    bool lowTrust = false;
};
// An API: US dollars for a million tokens in and out.
struct ApiPrice {
    std::string model;  // id of the decoder table
    std::string provider, offeredAs;
    double usdPerMillionInput = 0, usdPerMillionOutput = 0;
    std::string date, source;
};
struct LanguagePrices {
    std::vector<DevicePrice> devices;
    std::vector<ApiPrice> apis;
};
// catalog/device_prices.csv and catalog/api_prices.csv of the resources. CorruptData names the line.
[[nodiscard]] Result<LanguagePrices> loadLanguagePrices(const std::filesystem::path& resources);
[[nodiscard]] Result<std::vector<DevicePrice>> devicePricesFromCsv(std::string name, std::string text);
[[nodiscard]] Result<std::vector<ApiPrice>> apiPricesFromCsv(std::string name, std::string text);

// The prices of a device to go by: the newest that is trusted, new and used apart; a list price only where there is no
// other. They point into `prices`.
[[nodiscard]] std::vector<const DevicePrice*> pricesToGoBy(const std::vector<DevicePrice>& prices,
                                                           const std::string& device);
// What is to be said of a price: its age, and where it is second-hand.
[[nodiscard]] std::vector<Message> priceRemarks(const std::string& priceDate, bool lowTrust, const std::string& today);
// "3 years", "2.5 years".
[[nodiscard]] MessageArgument countOrNumber(double value);
// Watts of a device at work, with the computer around a card.
[[nodiscard]] double wattsAtWork(const LanguageTarget& target, double hostWatts);

struct ServingRequest {
    LanguageJob job;                     // model, weights, cache; its context and batch are set here
    double prompt = 1000, answer = 300;  // tokens of a request
    double tokensPerMonth = 1e8;         // prompts and answers together
    double userSpeed = 20;               // tokens per second that each user is to have
    double busy = 0.5;                   // share of a month in which a machine works, at most
    double years = 3;                    // that bought hardware is used
    double usdPerKwh = 0.12;
    double hostUsd = 900, hostWatts = 150;  // the computer around a bought card
    bool spot = false;
    std::optional<ApiPrice> ownApi;  // an API the user knows a price of
    std::string today;               // "2026-11-25", for the age of prices
};

enum class OfferKind { Rent, Buy, Api };
[[nodiscard]] std::string_view toString(OfferKind kind);

struct ServingOffer {
    OfferKind kind = OfferKind::Rent;
    std::string id, title, hardware;
    double devices = 1;
    double priceUsd = 0;  // an hour, the whole purchase, or a million tokens at this mix of prompts and answers
    std::string priceDate, priceSource;
    std::optional<double> users;     // one machine serves at once
    Interval tokensPerSecond;        // of one machine, all users' answers; 0 of an API
    double userTokensPerSecond = 0;  // of each
    Interval tokensPerMonth;         // one machine can serve, prompts and answers
    double machines = 0;             // needed; 0 of an API
    Interval usdPerMonth;            // for the tokens asked for
    double usdPerMillion = 0;        // ... of them
    double watts = 0;
    std::vector<Message> reasons, rejectedBecause;

    [[nodiscard]] bool possible() const { return rejectedBecause.empty(); }
};

struct ServingAdvice {
    std::vector<ServingOffer> offers;  // possible ones first, the cheapest month first
    // Million tokens a month above which one machine of the cheapest rented or bought offer costs less than the
    // cheapest API; absent without one of the two, or where the machine cannot serve so many.
    std::optional<double> rentBeatsApi, buyBeatsApi;
    // The cheapest offer when a month has a tenth and ten times the tokens: ids.
    std::string cheapestAtTenth, cheapestAtTenfold;
};
// InvalidArgument for amounts that are not positive.
[[nodiscard]] Result<ServingAdvice> adviseServing(const ServingRequest& request, const catalog::Catalog& catalog,
                                                  const LanguageParameters& parameters, const LanguagePrices& prices);

// What a month of a possible offer costs at another load: by whole machines, of an API by the token.
[[nodiscard]] Interval usdPerMonthAt(const ServingOffer& offer, double tokensPerMonth);

// Tokens per second of each user and of the machine at growing batches, until memory ends.
struct BatchPoint {
    double batch = 1, userTokensPerSecond = 0, tokensPerSecond = 0;
    bool fits = true;
};
[[nodiscard]] std::vector<BatchPoint> batchSweep(const ServingRequest& request, const LanguageTarget& target,
                                                 const LanguageStack& stack, const LanguageParameters& parameters);

[[nodiscard]] std::string servingJson(const ServingRequest& request, const ServingAdvice& advice, int indent = 2);

}  // namespace steelyard::advisor
