// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/catalog/offer_id.h"

namespace steelyard::advisor {
namespace {

using catalog::Catalog;
using catalog::Offer;

class CandidateMaker {
public:
    CandidateMaker(const AdviceRequest& request, const Catalog& catalog, const Predictor& predictor)
        : m_request(request), m_catalog(catalog), m_predictor(predictor) {}

    Result<std::vector<Candidate>> run() {
        for (const auto& own : m_request.own) addOwn(own);
        for (const auto& offer : m_catalog.offers) {
            if (offer.historical || offer.partOfMachine) continue;
            addOffer(offer);
        }
        if (m_error) return Failure(std::move(*m_error));
        return std::move(m_candidates);
    }

private:
    struct Machine {
        std::optional<DeviceModel> device;
        std::string hardware, deviceName;
        double count = 1;
        std::optional<double> memoryBytes;
        Refusal refusal = Refusal::None;
        bool lowTrust = false;
    };

    // The computing part of an offer: its accelerators, or its processor cores.
    Machine machineOf(const Offer& offer) const {
        Machine machine;
        const bool accelerated = offer.accelerator.has_value();
        machine.count = accelerated ? offer.acceleratorCount.value_or(1) : 1;
        machine.deviceName = accelerated ? *offer.accelerator : offer.cpu.value_or("processor");
        const auto& memory = accelerated ? offer.acceleratorMemory : offer.memory;
        if (memory) machine.memoryBytes = static_cast<double>(memory->value());
        const auto& id = accelerated ? offer.acceleratorHardware : offer.cpuHardware;
        const auto* spec = id ? m_catalog.findHardware(*id) : nullptr;
        if (spec == nullptr) {
            machine.refusal = Refusal::DeviceUnknown;
            return machine;
        }
        machine.hardware = spec->id;
        machine.lowTrust = spec->lowTrust;
        MissingFigure missing = MissingFigure::None;
        machine.device = deviceModel(*spec, m_predictor.parameters(), &missing);
        if (!machine.device) {
            machine.refusal =
                missing == MissingFigure::Bandwidth ? Refusal::BandwidthUnknown : Refusal::ComputeRateUnknown;
        } else if (!accelerated) {
            const auto cores = catalog::physicalCores(offer);
            if (cores) machine.device = partOf(*machine.device, *cores);
            machine.hardware += fmt::format(":{:g}", cores.value_or(0));
        }
        return machine;
    }

    // Offers with the same device differ only in price: each job is predicted once per device, count and memory.
    const Prediction& predict(const Machine& machine, double count) {
        const std::tuple cacheKey{machine.hardware, count, machine.memoryBytes.value_or(-1)};
        const auto [entry, isNew] = m_predictions.try_emplace(cacheKey);
        if (!isNew) return entry->second;
        const Target target{.device = &*machine.device,
                            .count = count,
                            .memoryBytes = machine.memoryBytes,
                            .inputSamplesPerSecond = m_request.inputSamplesPerSecond};
        auto prediction = m_predictor.predict(m_request.job, target, m_request.software);
        if (prediction) {
            entry->second = std::move(*prediction);
        } else if (!m_error) {
            m_error = std::move(prediction.error());
        }
        return entry->second;
    }

    void predictInto(Candidate& candidate, const Machine& machine) {
        candidate.prediction.software = m_request.software;
        candidate.prediction.refusal = machine.refusal;
        if (machine.refusal != Refusal::None) return;
        // Experiments are independent: each runs on its own device. Fractional devices are refused as for a single job.
        const bool isShared = m_request.experiments == 1 || machine.count < 1;
        candidate.prediction = predict(machine, isShared ? machine.count : 1);
        if (!isShared) candidate.rounds = std::ceil(m_request.experiments / std::floor(machine.count));
        if (machine.lowTrust) candidate.reasons.push_back({ReasonKind::LowTrustFigures, {}, 0, 0});
        if (isShared && machine.count > 1 && candidate.prediction.hasTime()) {
            const auto one = predict(machine, 1);
            if (one.hasTime())
                candidate.scaling =
                    parallelEfficiency(one.seconds.median, candidate.prediction.seconds.median, machine.count);
        }
    }

    void addOwn(const OwnCandidate& own) {
        Candidate candidate;
        candidate.id = own.id;
        candidate.title = own.title;
        candidate.own = true;
        candidate.devices = own.count;
        candidate.usdPerHour = own.usdPerHour;
        candidate.priceSource = own.priceSource;
        Machine machine;
        machine.device = own.device;
        machine.hardware = "own:" + own.id;
        machine.count = own.count;
        machine.memoryBytes = own.memoryBytes;
        predictInto(candidate, machine);
        candidate.hardware = own.device.id;
        price(candidate, {}, true);
        if (!candidate.prediction.hasTime()) lookInstead(candidate, machine);
        m_candidates.push_back(std::move(candidate));
    }

    void lookInstead(Candidate& candidate, const Machine& machine) {
        Instead instead{m_request.software, m_request.job.precision, m_request.job.batch, candidate.prediction, {}};
        auto job = m_request.job;
        const Target target{.device = &*machine.device,
                            .count = m_request.experiments == 1 ? machine.count : 1,
                            .memoryBytes = machine.memoryBytes,
                            .inputSamplesPerSecond = m_request.inputSamplesPerSecond};
        const auto ask = [&] {
            if (auto prediction = m_predictor.predict(job, target, instead.software))
                instead.prediction = std::move(*prediction);
        };
        if (instead.prediction.refusal == Refusal::PrecisionUnsupported) {
            instead.precision = job.precision = plan::Precision::Fp32;
            job.plannedFixedBytes = job.plannedSampleBytes = 0;  // they are for the other precision
            ask();
        }
        const bool otherSoftware = instead.prediction.refusal == Refusal::SoftwareNotForDevice;
        if (otherSoftware) {
            instead.software = kThisEngine;
            ask();
        }
        if (!instead.prediction.hasTime()) return;
        while (instead.prediction.fits == Fits::No && job.batch > 1) {
            job.batch = std::max<std::int64_t>(1, job.batch / 2);
            ask();
        }
        if (instead.prediction.fits == Fits::No) return;
        instead.batch = job.batch;
        const double batches = static_cast<double>(m_request.job.batch) / static_cast<double>(job.batch);
        const double steps = m_request.steps * candidate.rounds * batches / 3600;
        const auto& step = instead.prediction.seconds;
        instead.hours = {step.low * steps, step.median * steps, step.high * steps};
        const auto kind = !otherSoftware                                 ? ReasonKind::InsteadInPrecision
                          : instead.precision == m_request.job.precision ? ReasonKind::InsteadWithThisProgram
                                                                         : ReasonKind::InsteadInPrecisionThisProgram;
        candidate.reasons.push_back({kind, std::string(plan::toString(instead.precision)), instead.hours.median,
                                     static_cast<double>(instead.batch)});
        candidate.instead = std::move(instead);
    }

    void addOffer(const Offer& offer) {
        const auto machine = machineOf(offer);
        for (const bool spot : {false, true}) {
            const auto& offered = spot ? offer.spot : offer.onDemand;
            if (!offered && (spot || offer.spot)) continue;
            Candidate candidate;
            candidate.id = catalog::OfferId{offer.id, spot}.text();
            candidate.provider = offer.provider;
            candidate.instance = offer.instance;
            candidate.region = offer.region.value_or("");
            candidate.title = fmt::format("{} {}{}", offer.provider, offer.instance, spot ? " (spot)" : "");
            candidate.hardware = machine.hardware;
            candidate.devices = machine.count;
            candidate.spot = spot;
            if (offered) {
                candidate.usdPerHour = offered->usdPerHour;
                candidate.priceDate = offered->date;
                candidate.priceSource = Message(offered->source);
                candidate.priceAgeDays = catalog::daysBetween(offered->date, m_request.today);
            }
            if (offer.lowTrust) candidate.reasons.push_back({ReasonKind::LowTrustPrice, {}, 0, 0});
            predictInto(candidate, machine);
            price(candidate, offer.billing, false);
            m_candidates.push_back(std::move(candidate));
        }
    }

    void price(Candidate& candidate, const catalog::Billing& billing, bool own) const {
        if (!candidate.prediction.hasTime()) return;
        auto options = m_request.rental;
        if (own) options.startUpSeconds = options.transferBytes = options.storageUsdPerHour = options.egressUsd = 0;
        const auto at = [&](double step) {
            return rentalCost(step * m_request.steps * candidate.rounds, candidate.usdPerHour.value_or(0),
                              candidate.spot, billing, options);
        };
        const auto& step = candidate.prediction.seconds;
        const auto low = at(step.low), high = at(step.high);
        candidate.breakdown = at(step.median);
        candidate.hours = {low.totalSeconds() / 3600, candidate.breakdown.totalSeconds() / 3600,
                           high.totalSeconds() / 3600};
        if (candidate.usdPerHour) candidate.costUsd = {low.usd, candidate.breakdown.usd, high.usd};
    }

    const AdviceRequest& m_request;
    const Catalog& m_catalog;
    const Predictor& m_predictor;
    std::map<std::tuple<std::string, double, double>, Prediction> m_predictions;
    std::vector<Candidate> m_candidates;
    std::optional<Error> m_error;
};

}  // namespace

Result<std::vector<Candidate>> candidatesFor(const AdviceRequest& request, const Catalog& catalog,
                                             const Predictor& predictor) {
    return CandidateMaker(request, catalog, predictor).run();
}

Result<std::vector<CardToBuy>> cardsToBuy(const JobModel& job, const Catalog& catalog, const Predictor& predictor,
                                          std::string_view software) {
    std::vector<CardToBuy> cards;
    for (const auto& spec : catalog.hardware) {
        const auto& price = spec.streetPriceUsd ? spec.streetPriceUsd : spec.launchPriceUsd;
        if (!spec.isGpu() || !price) continue;
        const auto device = deviceModel(spec, predictor.parameters());
        if (!device) continue;
        auto prediction = predictor.predict(job, {.device = &*device}, software);
        if (!prediction) return Failure(std::move(prediction.error()));
        // This program needs CUDA, and no published stack was measured on other vendors' cards.
        if (prediction->hasTime() && !device->fittedVendor) prediction->refusal = Refusal::SoftwareNotForDevice;
        CardToBuy card{.hardware = spec.id,
                       .name = spec.name,
                       .isConsumer = spec.hardwareClass == catalog::HardwareClass::ConsumerGpu,
                       .generation = device->generation,
                       .priceUsd = price->value,
                       .priceSource = price->source,
                       .priceDate = price->date};
        if (spec.tdpWatts) card.watts = spec.tdpWatts->value;
        card.prediction = std::move(*prediction);
        if (card.prediction.hasTime())
            card.samplesPerSecond = static_cast<double>(job.batch) / card.prediction.seconds.median;
        card.samplesPerSecondPerThousandUsd = 1000 * card.samplesPerSecond / card.priceUsd;
        cards.push_back(std::move(card));
    }
    std::ranges::sort(cards, [](const CardToBuy& a, const CardToBuy& b) {
        const auto rank = [](const CardToBuy& c) {
            return std::tuple(!c.prediction.hasTime(), c.prediction.fits == Fits::No, -c.samplesPerSecondPerThousandUsd,
                              c.hardware);
        };
        return rank(a) < rank(b);
    });
    return cards;
}

}  // namespace steelyard::advisor
