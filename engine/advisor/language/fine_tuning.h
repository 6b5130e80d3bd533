// SPDX-License-Identifier: Apache-2.0
// Fine-tuning a language model: tokens per second on every device that holds it, and what a job of so many tokens takes
// on machines to rent and devices to buy. Speeds are predicted (training_speed.h), prices are dated. Pure functions of
// values; any thread.
//
// Several devices each train on sequences of their own (data parallel), at the speed of one each: the rows of the fit
// were measured in machines of eight. Where the model does not fit into one, weights and optimizer state are divided
// among them; activations and logits are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/language/language_offers.h"
#include "engine/advisor/language/training_speed.h"

namespace steelyard::advisor {

[[nodiscard]] std::string_view toString(FineTuning::Method method);  // "full", "full_bf16", "lora", "qlora"
[[nodiscard]] std::optional<FineTuning::Method> fromName(std::type_identity<FineTuning::Method>, std::string_view name);

struct TuningJob {
    model::ResolvedDecoder model;
    FineTuning tuning;
};
[[nodiscard]] TrainingWork trainingWork(const TuningJob& job);
[[nodiscard]] TrainingDevice trainingDevice(const LanguageTarget& target);

struct TuningPrediction {
    std::string id, name, software;
    LanguageRefusal refusal = LanguageRefusal::None;
    Interval tokensPerSecond;  // of all devices together; 0 when refused
    double boundTokensPerSecond = 0;
    std::string band;
    bool lowConfidence = false;
    TrainingParts parts;
    FineTuningMemory memory;  // on each device
    double driver = 0;
    std::optional<double> availableBytes;
    Fits fits = Fits::Unknown;

    [[nodiscard]] bool hasSpeed() const { return refusal == LanguageRefusal::None; }
    [[nodiscard]] double neededBytes() const { return memory.total() + driver; }
};

struct TuningRequest {
    std::string software;           // id of a training stack; empty: the usual one of each device
    std::vector<std::string> only;  // ids of devices, or of `own`; empty: all
    std::vector<LanguageTarget> own;
    double count = 1;                   // of each device
    std::optional<double> memoryBytes;  // of every device, in place of its own
};
// The user's own devices first, then the catalogue in its order. NotFound names the device, InvalidArgument the
// software that is not known.
[[nodiscard]] Result<std::vector<TuningPrediction>> predictTuning(const TuningJob& job, const catalog::Catalog& catalog,
                                                                  const TrainingParameters& parameters,
                                                                  const TuningRequest& request);
[[nodiscard]] TuningPrediction predictTuningOn(const TuningJob& job, const LanguageTarget& target,
                                               const TrainingStack& stack, const TrainingParameters& parameters,
                                               double count);
// MLX on Apple's devices, elsewhere Transformers with PEFT.
[[nodiscard]] std::string_view usualTrainingStack(LanguageDeviceClass value);

struct TuningOfferRequest {
    TuningJob job;
    double tokens = 1e7;   // of the whole job: data set x epochs
    std::string software;  // as in TuningRequest
    double busy = 0.5;     // share of the time that a bought machine works
    double years = 3;      // that bought hardware is used
    double usdPerKwh = 0.12;
    double hostUsd = 900, hostWatts = 150;  // the computer around a bought card
    bool spot = false;
    std::optional<double> budgetUsd, deadlineHours;
    std::string today;  // "2026-11-25", for the age of prices
};

struct TuningOffer {
    OfferKind kind = OfferKind::Rent;
    std::string id, title, hardware, software;
    double devices = 1;
    double priceUsd = 0;  // an hour, or the whole purchase
    std::string priceDate, priceSource;
    Interval tokensPerSecond;  // of the machine
    Interval hours, usd;       // of the job; of a purchase its share of the price by hours of use, and electricity
    double usdPerMillion = 0;  // tokens
    double paidUsd = 0;        // for this job alone: of a purchase the whole price, and electricity
    double watts = 0;
    bool lowConfidence = false;
    std::vector<Message> reasons, rejectedBecause;

    [[nodiscard]] bool possible() const { return rejectedBecause.empty(); }
};

struct TuningAdvice {
    std::vector<TuningOffer> offers;  // possible ones first, by `paidUsd`: one job rarely pays for a purchase
    std::string fastest;              // of the possible offers: its id
    // So many such jobs until the device that is the cheapest to buy costs less than the machine that is the cheapest
    // to rent; absent without one of the two, or where electricity alone costs more.
    std::optional<double> jobsUntilPurchasePays;

    // The possible offer of this kind with the least `usd`; null without one.
    [[nodiscard]] const TuningOffer* cheapest(OfferKind kind) const;
};
// InvalidArgument for amounts that are not positive and software that is not known.
[[nodiscard]] Result<TuningAdvice> adviseTuning(const TuningOfferRequest& request, const catalog::Catalog& catalog,
                                                const TrainingParameters& parameters, const LanguagePrices& prices);

}  // namespace steelyard::advisor
