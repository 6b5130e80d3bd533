// SPDX-License-Identifier: Apache-2.0
// Cost of serving a language model: rented machines, bought devices, and APIs priced by the token, ranked by monthly
// cost. Speeds are predicted (language_model.h), prices are dated. Pure functions of values; any thread.
//
// One machine serves b concurrent sequences, as many as fit in memory and still give each user the requested speed. A
// request occupies it for prompt / prefill speed + answer / (aggregate decode speed at b). It can be in use for 730 h x
// `busy` per month. Replicas of the model on several devices of a machine serve independently; a model that does not
// fit on one device is split by layers over all of them, at the speed of one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/advisor/language/language_model.h"

namespace steelyard::advisor {

// Purchase price of a device.
struct DevicePrice {
    std::string device;
    enum class Kind { New, Used, List } kind = Kind::New;
    double usd = 0;
    std::string date, source;
    bool lowTrust = false;
};
// An API: US dollars per million input and output tokens.
inline constexpr std::string_view kOwnProvider = "own";  // of a price that the user entered
struct ApiPrice {
    std::string model;  // id in the decoder table
    std::string provider, offeredAs;
    double usdPerMillionInput = 0, usdPerMillionOutput = 0;
    std::string date, source;
};
struct LanguagePrices {
    std::vector<DevicePrice> devices;
    std::vector<ApiPrice> apis;
};
// catalog/device_prices.csv and catalog/api_prices.csv in the resources. CorruptData names the line.
[[nodiscard]] Result<LanguagePrices> loadLanguagePrices(const std::filesystem::path& resources);
[[nodiscard]] Result<std::vector<DevicePrice>> devicePricesFromCsv(std::string name, std::string text);
[[nodiscard]] Result<std::vector<ApiPrice>> apiPricesFromCsv(std::string name, std::string text);

// The relevant prices of a device: the newest trusted one, new and used separately; a list price only if there is no
// other. They point into `prices`.
[[nodiscard]] std::vector<const DevicePrice*> pricesToGoBy(const std::vector<DevicePrice>& prices,
                                                           const std::string& device);
// Remarks on a price: its age, and whether it is second-hand.
[[nodiscard]] std::vector<Message> priceRemarks(const std::string& priceDate, bool lowTrust, const std::string& today);
// "3 years", "2.5 years".
[[nodiscard]] MessageArgument countOrNumber(double value);
// Power draw under load, including the host of a card.
[[nodiscard]] double wattsAtWork(const LanguageTarget& target, double hostWatts);

struct ServingRequest {
    LanguageJob job;                     // model, weights, cache; context and batch are set here
    std::string software;                // stack id; "llamacpp": its backend; empty: servingStack() chooses
    double prompt = 1000, answer = 300;  // tokens per request
    double tokensPerMonth = 1e8;         // prompts and answers
    double userSpeed = 20;               // required tokens per second per user
    double busy = 0.5;                   // maximum utilisation of a machine
    double years = 3;                    // service life of bought hardware
    double usdPerKwh = 0.12;
    double hostUsd = 900, hostWatts = 150;  // the host of a bought card
    bool spot = false;
    std::optional<ApiPrice> ownApi;  // an API price entered by the user
    std::string today;               // "2026-11-25", for the age of prices
};

enum class OfferKind { Rent, Buy, Api };
[[nodiscard]] std::string_view toString(OfferKind kind);

struct ServingOffer {
    OfferKind kind = OfferKind::Rent;
    std::string id, title, hardware;
    std::string software;  // id of the stack; empty for an API
    double devices = 1;
    double priceUsd = 0;  // per hour, purchase price, or per million tokens at this mix of prompts and answers
    std::string priceDate, priceSource;
    std::optional<double> users;     // concurrent users per machine
    Interval tokensPerSecond;        // of one machine, answers of all users; 0 for an API
    double userTokensPerSecond = 0;  // per user
    Interval tokensPerMonth;         // capacity of one machine, prompts and answers
    double machines = 0;             // required; 0 for an API
    Interval usdPerMonth;            // for the requested tokens
    double usdPerMillion = 0;        // at that volume
    double watts = 0;
    std::vector<Message> reasons, rejectedBecause;

    [[nodiscard]] bool possible() const { return rejectedBecause.empty(); }
};

struct ServingAdvice {
    std::vector<ServingOffer> offers;  // feasible ones first, by monthly cost
    // Million tokens per month above which one machine of the cheapest rented or bought offer costs less than the
    // cheapest API; absent if either is missing, or if the machine cannot serve that many.
    std::optional<double> rentBeatsApi, buyBeatsApi;
    // Ids of the cheapest offers at a tenth and at ten times the monthly tokens.
    std::string cheapestAtTenth, cheapestAtTenfold;
};
// InvalidArgument for amounts that are not positive and for unknown software.
[[nodiscard]] Result<ServingAdvice> adviseServing(const ServingRequest& request, const catalog::Catalog& catalog,
                                                  const LanguageParameters& parameters, const LanguagePrices& prices);

// The software of a device if none is requested: of those with published speeds on devices of this vendor that load the
// format, the one that serves the most tokens, or else answers a single request first. Software with published prompt
// speeds and rows from at least two devices comes first. If there is none, llama.cpp.
[[nodiscard]] const LanguageStack& servingStack(const ServingRequest& request, const LanguageTarget& target,
                                                const LanguageParameters& parameters);

// Monthly cost of a feasible offer at another volume: in whole machines; for an API per token.
[[nodiscard]] Interval usdPerMonthAt(const ServingOffer& offer, double tokensPerMonth);

// Tokens per second per user and per machine at increasing batch sizes, up to the memory limit.
struct BatchPoint {
    double batch = 1, userTokensPerSecond = 0, tokensPerSecond = 0;
    bool fits = true;
};
[[nodiscard]] std::vector<BatchPoint> batchSweep(const ServingRequest& request, const LanguageTarget& target,
                                                 const LanguageStack& stack, const LanguageParameters& parameters);

[[nodiscard]] std::string servingJson(const ServingRequest& request, const ServingAdvice& advice, int indent = 2);

}  // namespace steelyard::advisor
