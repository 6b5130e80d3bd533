// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/fine_tuning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/core/messages/advisor.h"
#include "engine/core/messages/core.h"
#include "engine/model/nearest_name.h"

namespace steelyard::advisor {
namespace {

using Method = FineTuning::Method;

constexpr double kTuningSecondsOfAnHour = 3600, kHoursOfAYear = 8760, kMillionTokens = 1e6;

constexpr std::array<std::pair<Method, std::string_view>, 4> kMethods{{
    {Method::Full, "full"},
    {Method::FullBf16, "full_bf16"},
    {Method::Lora, "lora"},
    {Method::Qlora, "qlora"},
}};

// Per device.
FineTuningMemory dividedMemory(FineTuningMemory memory, double count) {
    memory.base /= count;
    memory.optimiser /= count;
    return memory;
}

// nullptr: the default of each device.
Result<const TrainingStack*> chosenStack(const std::string& software, const TrainingParameters& parameters) {
    if (software.empty()) return nullptr;
    if (const auto* stack = parameters.findStack(software)) return stack;
    std::vector<std::string_view> known;
    for (const auto& stack : parameters.stacks) known.push_back(stack.id);
    return fail(ErrorKind::InvalidArgument, "--software",
                messages::unknownLanguageSoftware(software, model::nearestName(software, known)));
}

const TrainingStack& stackOf(const LanguageTarget& target, const TrainingStack* chosen,
                             const TrainingParameters& parameters) {
    if (chosen != nullptr) return *chosen;
    const auto* usual = parameters.findStack(usualTrainingStack(target.device.deviceClass));
    return usual != nullptr ? *usual : parameters.stacks.front();
}

Band widened(const Band& a, const Band& b) {
    return {.low = std::min(a.low, b.low), .median = 1, .high = std::max(a.high, b.high)};
}

// The speed of a catalogued or rented machine, or the reason for a refusal.
struct Judged {
    TuningPrediction prediction;
    std::vector<Message> rejected;
};
Judged judge(const TuningOfferRequest& request, const LanguageTarget& target, double devices,
             const TrainingStack* chosen, const TrainingParameters& parameters) {
    Judged judged;
    const auto& stack = stackOf(target, chosen, parameters);
    judged.prediction = predictTuningOn(request.job, target, stack, parameters, devices);
    const auto& p = judged.prediction;
    if (!p.hasSpeed()) {
        judged.rejected.push_back(messages::offerNoThroughput(messageOf(p.refusal)));
    } else if (p.fits != Fits::Yes) {
        judged.rejected.push_back(
            messages::offerDoesNotFit(steelyard::Bytes(static_cast<std::int64_t>(p.neededBytes())),
                                      steelyard::Bytes(static_cast<std::int64_t>(p.availableBytes.value_or(0)))));
    }
    return judged;
}

// `usdPerHour`: operating cost. `firstUsd`, `paidPerHour`: outlay if the machine is used for this job only.
void priceJob(const TuningOfferRequest& request, const Judged& judged, double usdPerHour, double firstUsd,
              double paidPerHour, TuningOffer& offer) {
    const auto& p = judged.prediction;
    offer.software = p.software;
    offer.lowConfidence = p.lowConfidence;
    offer.rejectedBecause = judged.rejected;
    if (!offer.possible()) return;
    offer.tokensPerSecond = p.tokensPerSecond;
    const auto hours = [&](double speed) { return request.tokens / speed / kTuningSecondsOfAnHour; };
    offer.hours = {hours(p.tokensPerSecond.high), hours(p.tokensPerSecond.median), hours(p.tokensPerSecond.low)};
    offer.usd = {offer.hours.low * usdPerHour, offer.hours.median * usdPerHour, offer.hours.high * usdPerHour};
    offer.usdPerMillion = offer.usd.median / (request.tokens / kMillionTokens);
    offer.paidUsd = firstUsd + offer.hours.median * paidPerHour;
    if (request.budgetUsd && offer.paidUsd > *request.budgetUsd)
        offer.rejectedBecause.push_back(messages::tuningOverBudget(Usd{offer.paidUsd}, Usd{*request.budgetUsd}));
    if (request.deadlineHours && offer.hours.median > *request.deadlineHours)
        offer.rejectedBecause.push_back(
            messages::tuningOverDeadline(Seconds(3600 * offer.hours.median), Seconds(3600 * *request.deadlineHours)));
    if (offer.devices > 1) {
        const auto whole = fineTuningMemory(request.job.model.spec, request.job.tuning);
        const bool divided = p.availableBytes && whole.total() + p.driver > *p.availableBytes;
        offer.reasons.push_back(divided ? messages::offerDivided(std::llround(offer.devices))
                                        : messages::offerDataParallel(std::llround(offer.devices)));
    }
}

void addRentedMachines(const TuningOfferRequest& request, const catalog::Catalog& catalog,
                       const TrainingParameters& parameters, const TrainingStack* chosen, TuningAdvice& advice) {
    for (const auto& entry : catalog.offers) {
        const auto& paid = request.spot && entry.spot ? entry.spot : entry.onDemand;
        if (entry.historical || entry.partOfMachine || !paid || !entry.acceleratorHardware) continue;
        const auto* spec = catalog.findHardware(*entry.acceleratorHardware);
        const double devices = entry.acceleratorCount.value_or(1);
        if (spec == nullptr || devices < 1) continue;  // fractional cards are not modelled
        TuningOffer offer{.kind = OfferKind::Rent,
                          .id = entry.id,
                          .title = entry.provider + " " + entry.instance,
                          .hardware = spec->id,
                          .software = {},
                          .devices = devices,
                          .priceUsd = paid->usdPerHour,
                          .priceDate = paid->date,
                          .priceSource = paid->source};
        auto refusal = LanguageRefusal::None;
        auto target = languageTarget(*spec, refusal);
        if (!target) {
            offer.rejectedBecause.push_back(messages::offerNoThroughput(messageOf(refusal)));
            advice.offers.push_back(std::move(offer));
            continue;
        }
        if (entry.acceleratorMemory) target->usableBytes = static_cast<double>(entry.acceleratorMemory->value());
        priceJob(request, judge(request, *target, devices, chosen, parameters), paid->usdPerHour, 0, paid->usdPerHour,
                 offer);
        for (auto& remark : priceRemarks(offer.priceDate, entry.lowTrust, request.today))
            offer.reasons.push_back(std::move(remark));
        advice.offers.push_back(std::move(offer));
    }
}

void addBoughtDevices(const TuningOfferRequest& request, const catalog::Catalog& catalog,
                      const TrainingParameters& parameters, const LanguagePrices& prices, const TrainingStack* chosen,
                      TuningAdvice& advice) {
    for (const auto& spec : catalog.hardware) {
        const auto entries = pricesToGoBy(prices.devices, spec.id);
        if (entries.empty()) continue;
        auto refusal = LanguageRefusal::None;
        const auto target = languageTarget(spec, refusal);
        if (!target || !target->usableBytes) continue;
        const auto judged = judge(request, *target, 1, chosen, parameters);
        for (const auto* entry : entries) {
            // Prices of unified-memory devices are those of whole computers.
            const double whole = entry->usd + (target->isDiscreteGpu ? request.hostUsd : 0);
            TuningOffer offer{.kind = OfferKind::Buy,
                              .id = spec.id + (entry->kind == DevicePrice::Kind::Used ? "+used" : ""),
                              .title = spec.name,
                              .hardware = spec.id,
                              .software = {},
                              .priceUsd = whole,
                              .priceDate = entry->date,
                              .priceSource = entry->source};
            offer.watts = wattsAtWork(*target, request.hostWatts);
            const double electricity = offer.watts / 1000 * request.usdPerKwh;
            priceJob(request, judged, whole / (request.years * kHoursOfAYear * request.busy) + electricity, whole,
                     electricity, offer);
            if (!offer.hours.median) {
                advice.offers.push_back(std::move(offer));
                continue;
            }
            offer.reasons.push_back(
                messages::offerBoughtForJobs(Usd{whole}, countOrNumber(request.years), Percent{request.busy}));
            for (auto& remark : priceRemarks(offer.priceDate, entry->lowTrust, request.today))
                offer.reasons.push_back(std::move(remark));
            advice.offers.push_back(std::move(offer));
        }
    }
}

}  // namespace

const TuningOffer* TuningAdvice::cheapest(OfferKind kind) const {
    const TuningOffer* found = nullptr;
    for (const auto& offer : offers)
        if (offer.kind == kind && offer.possible() && (found == nullptr || offer.usd.median < found->usd.median))
            found = &offer;
    return found;
}

std::string_view toString(Method method) {
    for (const auto& [key, name] : kMethods)
        if (key == method) return name;
    return "lora";
}

std::optional<Method> fromName(std::type_identity<Method>, std::string_view name) {
    for (const auto& [key, known] : kMethods)
        if (known == name) return key;
    return std::nullopt;
}

TrainingWork trainingWork(const TuningJob& job) {
    const auto& spec = job.model.spec;
    const auto& tuning = job.tuning;
    const auto counts = model::parametersOf(spec);
    const double embedding = counts.embedding, head = spec.tiedEmbeddings ? embedding : counts.head;
    TrainingWork work;
    work.layers = static_cast<double>(spec.layers);
    work.width = static_cast<double>(spec.width);
    const auto heads = static_cast<double>(spec.heads);
    work.attentionWidth = spec.isLatent()
                              ? heads * static_cast<double>(spec.latentPlain + spec.latentRotary + spec.latentValue) / 2
                              : heads * static_cast<double>(spec.headDimension);
    work.weights = counts.activeMatrices + head;
    work.storedWeights = counts.total - embedding - counts.head;
    work.full = tuning.method == Method::Full || tuning.method == Method::FullBf16;
    work.trainedWeights = work.full ? counts.total : model::loraParameters(spec, tuning.rank, tuning.targets);
    work.stepTokens = tuning.tokens;
    work.sequence = std::min(tuning.sequence, tuning.tokens);
    if (spec.window > 0) {
        const double global = static_cast<double>(spec.globalLayers()) / work.layers;
        const double seen = std::min(work.sequence, 2 * static_cast<double>(spec.window));
        work.sequence = global * work.sequence + (1 - global) * seen;
    }
    work.checkpointing = tuning.checkpointing;
    work.hasExperts = spec.hasExperts();
    if (tuning.method == Method::Qlora) work.base = TrainingBase::Nf4;
    return work;
}

TrainingDevice trainingDevice(const LanguageTarget& target) {
    const auto& device = target.device;
    const bool cpu = isCpu(device.deviceClass);
    return {cpu ? device.matrixFlops : std::max(device.trainingFlops, device.fp32Flops), device.bytesPerSecond,
            std::string(makerOf(device.deviceClass))};
}

std::string_view usualTrainingStack(LanguageDeviceClass value) {
    return value == LanguageDeviceClass::Apple ? "mlx" : "transformers";
}

TuningPrediction predictTuningOn(const TuningJob& job, const LanguageTarget& target, const TrainingStack& stack,
                                 const TrainingParameters& parameters, double count) {
    TuningPrediction result;
    result.id = target.id;
    result.name = target.name;
    result.software = stack.id;
    result.memory = fineTuningMemory(job.model.spec, job.tuning);
    result.driver = driverBytes(target.isDiscreteGpu);
    result.availableBytes = target.usableBytes;
    if (target.usableBytes) {
        if (count > 1 && result.neededBytes() > *target.usableBytes)
            result.memory = dividedMemory(result.memory, count);
        result.fits = result.neededBytes() <= *target.usableBytes ? Fits::Yes : Fits::No;
    }
    const auto device = trainingDevice(target);
    if (!stack.runsOn(device.maker)) {
        result.refusal = LanguageRefusal::StackNotForDevice;
        return result;
    }
    auto work = trainingWork(job);
    if (stack.id == "mlx" && work.base == TrainingBase::Nf4) work.base = TrainingBase::Mlx4;
    result.parts = trainingParts(parameters, stack, device, work);
    const double speed = count * work.stepTokens / result.parts.seconds;
    result.boundTokensPerSecond = count * work.stepTokens / result.parts.bound;
    const bool known = stack.devicesSeen > 1 && stack.isSeenOn(device.maker);
    result.band = known ? "training" : "stack_unknown";
    auto band = parameters.bands.at(result.band);
    if (work.hasExperts) {
        result.band = "experts";
        band = widened(band, parameters.bands.at("experts"));
    }
    result.tokensPerSecond = {.low = speed * std::min(1.0, band.low),
                              .median = speed,
                              .high = std::min(speed * std::max(1.0, band.high), result.boundTokensPerSecond)};
    result.lowConfidence = result.band != "training" || target.lowTrust || job.model.spec.isLatent() || count > 8;
    return result;
}

Result<std::vector<TuningPrediction>> predictTuning(const TuningJob& job, const catalog::Catalog& catalog,
                                                    const TrainingParameters& parameters,
                                                    const TuningRequest& request) {
    ASSIGN(const auto* stack, chosenStack(request.software, parameters));
    std::vector<TuningPrediction> predictions;
    const auto predict = [&](LanguageTarget target) {
        if (request.memoryBytes) target.memoryBytes = target.usableBytes = request.memoryBytes;
        predictions.push_back(
            predictTuningOn(job, target, stackOf(target, stack, parameters), parameters, request.count));
    };
    const auto predictSpec = [&](const catalog::HardwareSpec& spec) {
        auto refusal = LanguageRefusal::None;
        if (auto target = languageTarget(spec, refusal)) return predict(std::move(*target));
        auto& refused = predictions.emplace_back();
        refused.id = spec.id;
        refused.name = spec.name;
        refused.refusal = refusal;
        refused.memory = fineTuningMemory(job.model.spec, job.tuning);
        if (spec.memoryBytes) refused.availableBytes = spec.memoryBytes->value;
        if (refused.availableBytes)
            refused.fits = refused.neededBytes() <= *refused.availableBytes ? Fits::Yes : Fits::No;
    };
    ASSIGN(const auto chosen, chosenDevices(catalog, request.only, request.own));
    for (const auto* target : chosen.own) predict(*target);
    for (const auto* spec : chosen.catalogued) predictSpec(*spec);
    return predictions;
}

Result<TuningAdvice> adviseTuning(const TuningOfferRequest& request, const catalog::Catalog& catalog,
                                  const TrainingParameters& parameters, const LanguagePrices& prices) {
    for (const auto& [option, value] :
         {std::pair{"--tokens", request.tokens}, std::pair{"--busy", request.busy},
          std::pair{"--keep-years", request.years}, std::pair{"--step-tokens", request.job.tuning.tokens},
          std::pair{"--sequence", request.job.tuning.sequence}})
        if (!std::isfinite(value) || value <= 0)
            return fail(ErrorKind::InvalidArgument, option, steelyard::messages::mustBePositive());
    ASSIGN(const auto* stack, chosenStack(request.software, parameters));
    TuningAdvice advice;
    addRentedMachines(request, catalog, parameters, stack, advice);
    addBoughtDevices(request, catalog, parameters, prices, stack, advice);
    std::ranges::stable_sort(advice.offers, {},
                             [](const TuningOffer& offer) { return std::tuple(!offer.possible(), offer.paidUsd); });
    const TuningOffer* fastest = nullptr;
    for (const auto& offer : advice.offers)
        if (offer.possible() && (fastest == nullptr || offer.hours.median < fastest->hours.median)) fastest = &offer;
    if (fastest != nullptr) advice.fastest = fastest->id;
    const auto* rent = advice.cheapest(OfferKind::Rent);
    const auto* buy = advice.cheapest(OfferKind::Buy);
    if (rent != nullptr && buy != nullptr) {
        const double electricity = buy->hours.median * buy->watts / 1000 * request.usdPerKwh;
        const double saved = rent->usd.median - electricity;
        if (saved > 0) advice.jobsUntilPurchasePays = buy->priceUsd / saved;
    }
    return advice;
}

}  // namespace steelyard::advisor
