// SPDX-License-Identifier: Apache-2.0
// Fine-tuning a language model: tokens per second on every device with enough memory, and the time and cost of a job of
// a given number of tokens on rented and bought hardware. Speeds are predicted (training_speed.h), prices are dated.
// Pure functions of values; any thread.
//
// Several devices train data-parallel, each at the speed of a single one: the rows of the fit were measured in machines
// of eight. If the model does not fit on one device, weights and optimizer state are sharded; activations and logits
// are not.
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
    Interval tokensPerSecond;  // total of all devices; 0 if refused
    double boundTokensPerSecond = 0;
    std::string band;
    bool lowConfidence = false;
    TrainingParts parts;
    FineTuningMemory memory;  // per device
    double driver = 0;
    std::optional<double> availableBytes;
    Fits fits = Fits::Unknown;

    [[nodiscard]] bool hasSpeed() const { return refusal == LanguageRefusal::None; }
    [[nodiscard]] double neededBytes() const { return memory.total() + driver; }
};

struct TuningRequest {
    std::string software;           // id of a training stack; empty: the default of each device
    std::vector<std::string> only;  // device ids, also from `own`; empty: all
    std::vector<LanguageTarget> own;
    double count = 1;                   // number of each device
    std::optional<double> memoryBytes;  // of every device, overrides its specification
};
// The user's own devices first, then the catalogue in its order. NotFound names an unknown device, InvalidArgument
// unknown software.
[[nodiscard]] Result<std::vector<TuningPrediction>> predictTuning(const TuningJob& job, const catalog::Catalog& catalog,
                                                                  const TrainingParameters& parameters,
                                                                  const TuningRequest& request);
[[nodiscard]] TuningPrediction predictTuningOn(const TuningJob& job, const LanguageTarget& target,
                                               const TrainingStack& stack, const TrainingParameters& parameters,
                                               double count);
// MLX on Apple devices, otherwise Transformers with PEFT.
[[nodiscard]] std::string_view usualTrainingStack(LanguageDeviceClass value);

struct TuningOfferRequest {
    TuningJob job;
    double tokens = 1e7;   // whole job: data set x epochs
    std::string software;  // as in TuningRequest
    double busy = 0.5;     // fraction of time that a bought machine is in use
    double years = 3;      // service life of bought hardware
    double usdPerKwh = 0.12;
    double hostUsd = 900, hostWatts = 150;  // the host of a bought card
    bool spot = false;
    std::optional<double> budgetUsd, deadlineHours;
    std::string today;  // "2026-11-25", for the age of prices
};

struct TuningOffer {
    OfferKind kind = OfferKind::Rent;
    std::string id, title, hardware, software;
    double devices = 1;
    double priceUsd = 0;  // per hour, or the purchase price
    std::string priceDate, priceSource;
    Interval tokensPerSecond;  // per machine
    Interval hours, usd;       // of the job; a purchase is charged pro rata by hours of use, plus electricity
    double usdPerMillion = 0;  // per million tokens
    double paidUsd = 0;        // outlay for this job alone: the full purchase price, plus electricity
    double watts = 0;
    bool lowConfidence = false;
    std::vector<Message> reasons, rejectedBecause;

    [[nodiscard]] bool possible() const { return rejectedBecause.empty(); }
};

struct TuningAdvice {
    std::vector<TuningOffer> offers;  // feasible ones first, by `paidUsd`: a single job rarely justifies a purchase
    std::string fastest;              // id of the fastest feasible offer
    // Number of such jobs after which the cheapest purchase costs less than the cheapest rental; absent if either is
    // missing, or if electricity alone costs more.
    std::optional<double> jobsUntilPurchasePays;

    // The feasible offer of this kind with the lowest `usd`; null if there is none.
    [[nodiscard]] const TuningOffer* cheapest(OfferKind kind) const;
};
// InvalidArgument for amounts that are not positive and for unknown software.
[[nodiscard]] Result<TuningAdvice> adviseTuning(const TuningOfferRequest& request, const catalog::Catalog& catalog,
                                                const TrainingParameters& parameters, const LanguagePrices& prices);

}  // namespace steelyard::advisor
