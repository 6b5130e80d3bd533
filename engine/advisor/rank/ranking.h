// SPDX-License-Identifier: Apache-2.0
// Ranks the candidates for a job: predicts, prices and filters them, with the reasons for and against each and the
// changes that would alter the choice. Pure functions of values; catalogue and predictor are only read. Historical
// prices and accelerators without a machine are not candidates; every other offer is part of the answer, with the
// reasons against it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/cost/cost.h"
#include "engine/advisor/predict/predictor.h"
#include "engine/advisor/rank/reasons.h"
#include "engine/catalog/catalog.h"

namespace steelyard::advisor {

enum class Priority { Cheapest, Fastest, Balanced };
[[nodiscard]] std::string_view toString(Priority priority);
[[nodiscard]] std::optional<Priority> priorityFromString(std::string_view name);

// A machine owned by the user.
struct OwnCandidate {
    std::string id, title;
    DeviceModel device;
    double count = 1;
    std::optional<double> memoryBytes;
    double usdPerHour = 0;  // electricity, and depreciation if included; 0: free
    Message priceSource;    // what the price consists of
};

struct AdviceRequest {
    JobModel job;
    double steps = 0;  // of the whole job
    // Number of such jobs with `steps` each, e.g. a hyperparameter search: each device of a machine then runs one job
    // instead of sharing one.
    int experiments = 1;
    std::string software{kThisEngine};
    Priority priority = Priority::Balanced;
    double timeWeight = 1;  // exponent a of time^a x cost
    std::optional<double> budgetUsd, deadlineHours;
    bool spot = false;                   // include interruptible offers
    std::vector<std::string> providers;  // empty: all
    std::vector<OwnCandidate> own;
    std::optional<double> inputSamplesPerSecond;
    RentalOptions rental;
    std::string today;                          // "2026-11-21", for the age of prices
    int oldPriceDays = catalog::kOldPriceDays;  // older prices are flagged
};

// Steps of the given number of epochs; the last batch of each may be partial.
[[nodiscard]] double stepsOf(double epochs, double samples, std::int64_t batch);

// Fallback for an own device where the job cannot be predicted as requested: fp32 if it lacks the precision, this
// program if the software's speeds are of other devices.
struct Instead {
    std::string software;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 1;  // halved until it fits, with the same total of samples
    Prediction prediction;
    Interval hours;
};

struct Candidate {
    std::string id;     // the offer's; with "+spot" for its spot price; or the own machine's
    std::string title;  // "AWS p3.2xlarge, 1 x Tesla V100 SXM2 16GB"
    std::string provider, instance, hardware;
    std::string region;
    double devices = 1;
    double rounds = 1;  // sequential rounds of experiments
    bool spot = false, own = false;
    std::optional<double> usdPerHour;
    std::string priceDate;
    Message priceSource;
    std::optional<int> priceAgeDays;

    Prediction prediction;
    Interval hours;  // total of the job with all overhead; 0 without a prediction
    Interval costUsd;
    RentalCost breakdown;           // at the median
    std::optional<double> scaling;  // efficiency with several devices; absent for one
    bool onPareto = false;
    std::optional<Instead> instead;  // own devices only
    std::vector<Reason> reasons;
    std::vector<Reason> rejectedBecause;  // empty: eligible

    [[nodiscard]] bool isViable() const { return rejectedBecause.empty(); }
};

// Sensitivity: the changes of prices and times at which the choice changes.
struct Sensitivity {
    std::optional<double> priceFactor;  // of the choice; absent: no price changes it
    std::string priceThen;              // the choice at that price
    std::optional<double> timeFactor;   // of the choice's time
    std::string timeThen;
    std::optional<double> weightBelow, weightAbove;  // range of time weights for which the choice holds
    std::string weightBelowThen, weightAboveThen;
};

struct Choices {
    std::optional<std::size_t> cheapest, fastest, balanced;  // indices of candidates
};

struct Advice {
    std::vector<Candidate> candidates;  // best first by the priority, rejected ones last
    Choices choices;
    std::optional<std::size_t> chosen;  // by the priority; absent if no candidate is eligible
    Sensitivity sensitivity;
    double steps = 0;

    [[nodiscard]] const Candidate* find(std::string_view id) const;
};

// InvalidArgument: no steps, no experiments, a negative weight, unknown software.
[[nodiscard]] Result<Advice> advise(const AdviceRequest& request, const catalog::Catalog& catalog,
                                    const Predictor& predictor);

// A card to buy, rated by value for money.
struct CardToBuy {
    std::string hardware, name;
    bool isConsumer = false;
    std::optional<std::string> generation;
    double priceUsd = 0;
    std::string priceSource, priceDate;
    std::optional<double> watts;  // of the card
    Prediction prediction;
    double samplesPerSecond = 0;
    double samplesPerSecondPerThousandUsd = 0;
};
// Cards with a known price, best value for money first; cards that the job does not fit, or that the software was never
// measured on (other vendors), come last.
[[nodiscard]] Result<std::vector<CardToBuy>> cardsToBuy(const JobModel& job, const catalog::Catalog& catalog,
                                                        const Predictor& predictor,
                                                        std::string_view software = kThisEngine);

// Named values for some inputs of a request.
struct Preset {
    std::string id;  // "overnight_hobbyist"
    Priority priority = Priority::Balanced;
    double timeWeight = 1;
    std::optional<double> budgetUsd, deadlineHours;
    bool spot = false;
    double utilization = 0.15;  // for the purchase comparison
};
[[nodiscard]] const std::vector<Preset>& presets();
[[nodiscard]] const Preset* findPreset(std::string_view id);
void apply(const Preset& preset, AdviceRequest& request);

}  // namespace steelyard::advisor
