// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/language/language_offers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/json/json.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/messages/core.h"

namespace steelyard::advisor {
namespace {

constexpr double kHoursPerMonth = 730, kSecondsOfAnHour = 3600, kMillion = 1e6;
constexpr double kLargestSweep = 1024;
constexpr int kOldPrice = 90;
// Assumed if no power is published.
constexpr double kAssumedWatts = 250;

// A table cell by column heading; empty if the row is short.
std::string cellOf(const CsvDocument& table, std::size_t row, std::string_view heading) {
    const auto column = table.column(heading);
    const auto fields = table.row(row);
    return column && *column < fields.size() ? std::string(fields[*column]) : std::string();
}

Failure badCell(const CsvDocument& table, std::size_t row, std::string_view heading) {
    return fail(ErrorKind::CorruptData, table.name() + ":" + std::to_string(table.lineOf(row)),
                steelyard::messages::withDetail(heading, steelyard::messages::implausible()));
}

// Serving speed of one device: concurrent sequences, and the speed of each.
struct Capacity {
    double batch = 0;  // 0: not even one sequence
    Interval tokensPerSecond;
    double promptTokensPerSecond = 0;
};

LanguageJob atBatch(const ServingRequest& request, double batch) {
    auto job = request.job;
    job.mode = LanguageMode::Decode;
    job.batch = batch;
    // On average half of an answer is in the cache.
    job.context = request.prompt + request.answer / 2;
    job.depth = 0;
    return job;
}

bool holds(const ServingRequest& request, const LanguageTarget& target, double batch) {
    auto job = request.job;
    job.batch = batch;
    job.context = request.prompt + request.answer;
    job.depth = 0;
    return target.usableBytes && languageMemory(job, target.isDiscreteGpu).total() <= *target.usableBytes;
}

// Speeds of a target at a given batch, ignoring memory.
LanguagePrediction speedAt(const ServingRequest& request, const LanguageTarget& target, const LanguageStack& stack,
                           const LanguageParameters& parameters, double batch) {
    return predictOn(atBatch(request, batch), target, stack, parameters);
}

// Seconds of a prompt, and of an answer with `batch` streams. Without published prompt speeds half of the peak is
// assumed.
struct RequestSeconds {
    double prompt = 0, answer = 0;
};
RequestSeconds requestSeconds(const ServingRequest& request, const LanguageWork& work, const LanguageTarget& target,
                              const LanguageStack& stack, const LanguageParameters& parameters, double batch) {
    LanguageConditions prompt;
    prompt.prompt = request.prompt;
    LanguageConditions answer;
    answer.context = request.prompt + request.answer / 2;
    answer.batch = batch;
    return {prefillParts(parameters, stack, target.device, work, prompt).seconds,
            request.answer * decodeParts(parameters, stack, target.device, work, answer).seconds};
}

Capacity capacityOf(const ServingRequest& request, const LanguageTarget& target, const LanguageStack& stack,
                    const LanguageParameters& parameters) {
    Capacity capacity;
    const auto work = languageWork(request.job, parameters);
    const auto secondsAt = [&](double batch) {
        return requestSeconds(request, work, target, stack, parameters, batch);
    };
    const auto serves = [&](double batch) {
        return holds(request, target, batch) && request.answer / secondsAt(batch).answer >= request.userSpeed;
    };
    if (!serves(1)) return capacity;
    double low = 1, high = kLargestSweep;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (serves(middle) ? low : high) = middle;
    }
    capacity.batch = low;
    capacity.tokensPerSecond = speedAt(request, target, stack, parameters, low).tokensPerSecond;
    capacity.promptTokensPerSecond = request.prompt / secondsAt(1).prompt;
    return capacity;
}

// Input and output tokens that a machine serves per month.
double monthlyTokens(const ServingRequest& request, double promptRate, double answerRate) {
    const double seconds = request.prompt / promptRate + request.answer / answerRate;
    return kHoursPerMonth * kSecondsOfAnHour * request.busy / seconds * (request.prompt + request.answer);
}

// Number of whole machines, each serving `ofOne` tokens per month.
double machinesFor(double tokens, double ofOne) {
    return std::max(1.0, std::ceil(tokens / ofOne));
}

// Derives the remaining figures from the speed and the machine's monthly price.
void price(const ServingRequest& request, const Capacity& capacity, double copies, double usdPerMachineMonth,
           ServingOffer& offer) {
    offer.users = capacity.batch * copies;
    offer.tokensPerSecond = {capacity.tokensPerSecond.low * copies, capacity.tokensPerSecond.median * copies,
                             capacity.tokensPerSecond.high * copies};
    offer.userTokensPerSecond = capacity.tokensPerSecond.median / capacity.batch;
    const auto month = [&](double rate) {
        return copies * monthlyTokens(request, capacity.promptTokensPerSecond, rate);
    };
    offer.tokensPerMonth = {month(capacity.tokensPerSecond.low), month(capacity.tokensPerSecond.median),
                            month(capacity.tokensPerSecond.high)};
    const auto machines = [&](double tokens) { return machinesFor(request.tokensPerMonth, tokens); };
    offer.machines = machines(offer.tokensPerMonth.median);
    offer.usdPerMonth = {machines(offer.tokensPerMonth.high) * usdPerMachineMonth, offer.machines * usdPerMachineMonth,
                         machines(offer.tokensPerMonth.low) * usdPerMachineMonth};
    offer.usdPerMillion = offer.usdPerMonth.median / (request.tokensPerMonth / kMillion);
    const double used = request.tokensPerMonth / (offer.machines * offer.tokensPerMonth.median);
    offer.reasons.push_back(messages::offerWholeMachines(std::llround(offer.machines), Percent{used * request.busy}));
}

void remarkPrice(const ServingRequest& request, bool lowTrust, ServingOffer& offer) {
    for (auto& remark : priceRemarks(offer.priceDate, lowTrust, request.today))
        offer.reasons.push_back(std::move(remark));
}

// The reason why a device cannot serve; empty if it can.
std::vector<Message> obstacles(const ServingRequest& request, const LanguageTarget& target, const LanguageStack& stack,
                               const LanguageParameters& parameters) {
    if (!holds(request, target, 1)) {
        auto job = request.job;
        job.batch = 1;
        job.context = request.prompt + request.answer;
        const double needed = languageMemory(job, target.isDiscreteGpu).total();
        return {messages::offerDoesNotFit(steelyard::Bytes(static_cast<std::int64_t>(needed)),
                                          steelyard::Bytes(static_cast<std::int64_t>(target.usableBytes.value_or(0))))};
    }
    const auto alone = speedAt(request, target, stack, parameters, 1);
    if (!alone.hasSpeed()) return {messages::offerNoThroughput(messageOf(alone.refusal))};
    if (alone.tokensPerSecond.median < request.userSpeed)
        return {messages::offerTooSlow(std::round(alone.tokensPerSecond.median * 10) / 10, request.userSpeed)};
    return {};
}

// Whether speeds of the software are published on devices of this vendor, and it loads the format.
bool isPublishedFor(const LanguageStack& stack, const LanguageDevice& device, const model::WeightScheme& format) {
    return stack.devicesSeen > 0 && stack.runsOn(device) && stack.isSeenOn(device.deviceClass) && stack.loads(format);
}

// The requested software, or the choice for a device.
const LanguageStack& stackFor(const ServingRequest& request, const LanguageStack* requested,
                              const LanguageTarget& target, const LanguageParameters& parameters) {
    if (requested != nullptr) return *requested;
    if (request.software.empty()) return servingStack(request, target, parameters);
    return *parameters.findStack(usualStack(target.device.deviceClass));
}

// Names the software, and what is assumed about it.
void nameSoftware(const ServingRequest& request, const LanguageTarget& target, const LanguageStack& stack,
                  ServingOffer& offer) {
    offer.software = stack.id;
    if (!offer.possible()) return;
    if (request.software.empty() && isPublishedFor(stack, target.device, *request.job.weights))
        offer.reasons.push_back(messages::offerSoftware(stack.title));
    if (!stack.isSeenOn(target.device.deviceClass)) offer.reasons.push_back(messages::offerSoftwareUnseen(stack.title));
    if (!stack.prefillShare) offer.reasons.push_back(messages::offerPromptsAssumed(stack.title));
    if (!stack.loads(*request.job.weights))
        offer.reasons.push_back(messages::offerOtherFormat(stack.title, request.job.weights->title));
}

// A machine with several devices: a replica of the model on each, or one split over all.
struct Machine {
    LanguageTarget target;
    double copies = 1;
};
Machine machineOf(const ServingRequest& request, LanguageTarget target, double devices) {
    if (devices <= 1 || holds(request, target, 1)) return {std::move(target), std::max(1.0, devices)};
    if (target.usableBytes) target.usableBytes = *target.usableBytes * devices;
    return {std::move(target), 1};
}

void addRented(const ServingRequest& request, const catalog::Catalog& catalog, const LanguageParameters& parameters,
               const LanguageStack* requested, std::vector<ServingOffer>& offers) {
    for (const auto& entry : catalog.offers) {
        const auto& paid = request.spot && entry.spot ? entry.spot : entry.onDemand;
        if (entry.historical || entry.partOfMachine || !paid || !entry.acceleratorHardware) continue;
        const auto* spec = catalog.findHardware(*entry.acceleratorHardware);
        if (spec == nullptr) continue;
        const double devices = entry.acceleratorCount.value_or(1);
        auto refusal = LanguageRefusal::None;
        auto target = languageTarget(*spec, refusal);
        ServingOffer offer{.kind = OfferKind::Rent,
                           .id = entry.id,
                           .title = entry.provider + " " + entry.instance,
                           .hardware = spec->id,
                           .devices = devices,
                           .priceUsd = paid->usdPerHour,
                           .priceDate = paid->date,
                           .priceSource = paid->source};
        if (!target || devices < 1) {
            if (!target) offer.rejectedBecause.push_back(messages::offerNoThroughput(messageOf(refusal)));
            if (target) continue;  // fractional cards are not modelled
            offers.push_back(std::move(offer));
            continue;
        }
        if (entry.acceleratorMemory) target->usableBytes = static_cast<double>(entry.acceleratorMemory->value());
        const auto machine = machineOf(request, std::move(*target), devices);
        const auto& stack = stackFor(request, requested, machine.target, parameters);
        offer.rejectedBecause = obstacles(request, machine.target, stack, parameters);
        if (offer.possible())
            price(request, capacityOf(request, machine.target, stack, parameters), machine.copies,
                  paid->usdPerHour * kHoursPerMonth, offer);
        nameSoftware(request, machine.target, stack, offer);
        remarkPrice(request, entry.lowTrust, offer);
        offers.push_back(std::move(offer));
    }
}

void addBought(const ServingRequest& request, const catalog::Catalog& catalog, const LanguageParameters& parameters,
               const LanguagePrices& prices, const LanguageStack* requested, std::vector<ServingOffer>& offers) {
    for (const auto& spec : catalog.hardware) {
        const auto chosen = pricesToGoBy(prices.devices, spec.id);
        if (chosen.empty()) continue;
        auto refusal = LanguageRefusal::None;
        const auto target = languageTarget(spec, refusal);
        if (!target || !target->usableBytes) continue;
        const auto& stack = stackFor(request, requested, *target, parameters);
        const auto rejected = obstacles(request, *target, stack, parameters);
        const auto capacity = rejected.empty() ? capacityOf(request, *target, stack, parameters) : Capacity{};
        for (const auto* entry : chosen) {
            // Prices of unified-memory devices are those of whole computers.
            const double whole = entry->usd + (target->isDiscreteGpu ? request.hostUsd : 0);
            ServingOffer offer{.kind = OfferKind::Buy,
                               .id = spec.id + (entry->kind == DevicePrice::Kind::Used ? "+used" : ""),
                               .title = spec.name,
                               .hardware = spec.id,
                               .priceUsd = whole,
                               .priceDate = entry->date,
                               .priceSource = entry->source,
                               .rejectedBecause = rejected};
            offer.watts = wattsAtWork(*target, request.hostWatts);
            if (offer.possible()) {
                const double energy = offer.watts / 1000 * kHoursPerMonth * request.busy * request.usdPerKwh;
                price(request, capacity, 1, whole / (12 * request.years) + energy, offer);
                offer.reasons.push_back(messages::offerBought(Usd{whole}, countOrNumber(request.years)));
            }
            nameSoftware(request, *target, stack, offer);
            remarkPrice(request, entry->lowTrust, offer);
            offers.push_back(std::move(offer));
        }
    }
}

// "huggingface_novita" -> "Novita (Hugging Face)": the price list names providers by ids.
std::string providerTitle(std::string_view id) {
    static constexpr std::string_view kRouter = "huggingface_";
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"fireworks-ai", "Fireworks"}, {"nscale", "Nscale"},     {"openai", "OpenAI"},
        {"openrouter", "OpenRouter"},  {"ovhcloud", "OVHcloud"}, {"quicksilverpro", "QuicksilverPro"},
        {"sambanova", "SambaNova"}};
    if (id.starts_with(kRouter)) return providerTitle(id.substr(kRouter.size())) + " (Hugging Face)";
    for (const auto& [name, title] : kNames)
        if (name == id) return std::string(title);
    std::string title(id);
    if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

// "novita", "meta-llama/Llama-3.1-8B-Instruct" -> "Novita Llama-3.1-8B-Instruct"
std::string apiTitle(const ApiPrice& api) {
    if (api.provider == kOwnProvider) return "your provider";
    return providerTitle(api.provider) + " " + api.offeredAs.substr(api.offeredAs.rfind('/') + 1);
}

void addApi(const ServingRequest& request, const ApiPrice& api, std::vector<ServingOffer>& offers) {
    const double share = request.prompt / (request.prompt + request.answer);
    const double each = api.usdPerMillionInput * share + api.usdPerMillionOutput * (1 - share);
    ServingOffer offer{.kind = OfferKind::Api,
                       .id = "api/" + api.provider + "/" + api.offeredAs,
                       .title = apiTitle(api),
                       .priceUsd = each,
                       .priceDate = api.date,
                       .priceSource = api.source};
    const double month = each * request.tokensPerMonth / kMillion;
    offer.usdPerMonth = {month, month, month};
    offer.usdPerMillion = each;
    offer.reasons.push_back(messages::offerApi());
    remarkPrice(request, false, offer);
    offers.push_back(std::move(offer));
}

std::vector<ServingOffer> allOffers(const ServingRequest& request, const catalog::Catalog& catalog,
                                    const LanguageParameters& parameters, const LanguagePrices& prices,
                                    const LanguageStack* requested) {
    std::vector<ServingOffer> offers;
    addRented(request, catalog, parameters, requested, offers);
    addBought(request, catalog, parameters, prices, requested, offers);
    if (request.ownApi) addApi(request, *request.ownApi, offers);
    for (const auto& api : prices.apis)
        if (api.model == request.job.model.spec.id) addApi(request, api, offers);
    std::ranges::stable_sort(
        offers, {}, [](const ServingOffer& offer) { return std::tuple(!offer.possible(), offer.usdPerMonth.median); });
    return offers;
}

const ServingOffer* cheapest(const std::vector<ServingOffer>& offers, OfferKind kind) {
    for (const auto& offer : offers)
        if (offer.kind == kind && offer.possible()) return &offer;
    return nullptr;
}

// Million tokens per month at which one machine and the API cost the same.
std::optional<double> turningPoint(const ServingOffer* machine, const ServingOffer* api) {
    if (machine == nullptr || api == nullptr) return std::nullopt;
    const double millions = machine->usdPerMonth.median / machine->machines / api->usdPerMillion;
    if (millions * kMillion > machine->tokensPerMonth.median) return std::nullopt;
    return millions;
}

Json spanJson(const Interval& interval) {
    return {{"low", orNull(interval.low)}, {"median", orNull(interval.median)}, {"high", orNull(interval.high)}};
}

Json textsJson(const std::vector<Message>& messages) {
    auto list = Json::array();
    for (const auto& message : messages) list.push_back(message.text);
    return list;
}

}  // namespace

MessageArgument countOrNumber(double value) {
    return value == std::floor(value) ? MessageArgument(std::llround(value)) : MessageArgument(value);
}

std::vector<const DevicePrice*> pricesToGoBy(const std::vector<DevicePrice>& prices, const std::string& device) {
    std::map<DevicePrice::Kind, const DevicePrice*> best;
    for (const auto& entry : prices) {
        if (entry.device != device) continue;
        auto& slot = best[entry.kind];
        const auto rank = [](const DevicePrice& p) { return std::tuple(!p.lowTrust, p.date); };
        if (slot == nullptr || rank(entry) > rank(*slot)) slot = &entry;
    }
    std::vector<const DevicePrice*> chosen;
    for (const auto kind : {DevicePrice::Kind::New, DevicePrice::Kind::Used})
        if (const auto found = best.find(kind); found != best.end()) chosen.push_back(found->second);
    if (const auto found = best.find(DevicePrice::Kind::List); chosen.empty() && found != best.end())
        chosen.push_back(found->second);
    return chosen;
}

std::vector<Message> priceRemarks(const std::string& priceDate, bool lowTrust, const std::string& today) {
    std::vector<Message> remarks;
    const auto age = catalog::daysBetween(priceDate, today);
    if (age && *age > kOldPrice) remarks.push_back(messages::offerOldPrice(*age));
    if (lowTrust) remarks.push_back(messages::offerLowTrust());
    return remarks;
}

double wattsAtWork(const LanguageTarget& target, double hostWatts) {
    const double own = target.device.tdpWatts > 0 ? target.device.tdpWatts : kAssumedWatts;
    return own + (target.isDiscreteGpu ? hostWatts : 0);
}

std::string_view toString(OfferKind kind) {
    switch (kind) {
        case OfferKind::Rent:
            return "rent";
        case OfferKind::Buy:
            return "buy";
        case OfferKind::Api:
            return "api";
    }
    return "rent";
}

Result<std::vector<DevicePrice>> devicePricesFromCsv(std::string name, std::string text) {
    ASSIGN(const auto table, CsvDocument::parse(std::move(name), std::move(text)));
    std::vector<DevicePrice> prices;
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        const auto kind = cellOf(table, i, "kind");
        // By the hour: offers have the prices used for advice.
        if (kind.starts_with("cloud_")) continue;
        DevicePrice price;
        if (kind == "street_new") {
            price.kind = DevicePrice::Kind::New;
        } else if (kind == "street_used") {
            price.kind = DevicePrice::Kind::Used;
        } else if (kind == "msrp") {
            price.kind = DevicePrice::Kind::List;
        } else {
            return badCell(table, i, "kind");
        }
        price.device = cellOf(table, i, "device");
        const auto usd = numberFromText(cellOf(table, i, "usd"));
        if (!usd || *usd <= 0 || *usd > 1e7) return badCell(table, i, "usd");
        price.usd = *usd;
        price.date = cellOf(table, i, "date");
        price.source = cellOf(table, i, "source");
        price.lowTrust = cellOf(table, i, "low_trust") == "yes";
        prices.push_back(std::move(price));
    }
    return prices;
}

Result<std::vector<ApiPrice>> apiPricesFromCsv(std::string name, std::string text) {
    ASSIGN(const auto table, CsvDocument::parse(std::move(name), std::move(text)));
    std::vector<ApiPrice> prices;
    for (std::size_t i = 0; i < table.rowCount(); ++i) {
        ApiPrice price{.model = cellOf(table, i, "model"),
                       .provider = cellOf(table, i, "provider"),
                       .offeredAs = cellOf(table, i, "offered_as"),
                       .date = cellOf(table, i, "date"),
                       .source = cellOf(table, i, "source")};
        for (const auto& [heading, target] : {std::pair{"usd_per_million_input", &price.usdPerMillionInput},
                                              std::pair{"usd_per_million_output", &price.usdPerMillionOutput}}) {
            const auto usd = numberFromText(cellOf(table, i, heading));
            if (!usd || *usd < 0 || *usd > 1e5) return badCell(table, i, heading);
            *target = *usd;
        }
        prices.push_back(std::move(price));
    }
    return prices;
}

Result<LanguagePrices> loadLanguagePrices(const std::filesystem::path& resources) {
    constexpr std::int64_t kMost = 1 << 24;
    const auto folder = resources / "catalog";
    LanguagePrices prices;
    ASSIGN(auto devices, readFile(folder / "device_prices.csv", kMost));
    ASSIGN(prices.devices, devicePricesFromCsv((folder / "device_prices.csv").string(), std::move(devices)));
    ASSIGN(auto apis, readFile(folder / "api_prices.csv", kMost));
    ASSIGN(prices.apis, apiPricesFromCsv((folder / "api_prices.csv").string(), std::move(apis)));
    return prices;
}

std::vector<BatchPoint> batchSweep(const ServingRequest& request, const LanguageTarget& target,
                                   const LanguageStack& stack, const LanguageParameters& parameters) {
    std::vector<BatchPoint> points;
    for (double batch = 1; batch <= kLargestSweep; batch *= 2) {
        const auto prediction = speedAt(request, target, stack, parameters, batch);
        if (!prediction.hasSpeed()) break;
        points.push_back({batch, prediction.tokensPerSecond.median / batch, prediction.tokensPerSecond.median,
                          holds(request, target, batch)});
        if (!points.back().fits) break;
    }
    return points;
}

Result<ServingAdvice> adviseServing(const ServingRequest& uncounted, const catalog::Catalog& catalog,
                                    const LanguageParameters& parameters, const LanguagePrices& prices) {
    auto request = uncounted;
    request.job = sized(uncounted.job);
    for (const auto& [option, value] :
         {std::pair{"--prompt", request.prompt}, std::pair{"--answer", request.answer},
          std::pair{"--tokens-per-month", request.tokensPerMonth}, std::pair{"--user-speed", request.userSpeed},
          std::pair{"--busy", request.busy}, std::pair{"--years", request.years}})
        if (!std::isfinite(value) || value <= 0)
            return fail(ErrorKind::InvalidArgument, option, steelyard::messages::mustBePositive());
    ASSIGN(const auto* requested, languageStack(parameters, request.software));
    ServingAdvice advice;
    advice.offers = allOffers(request, catalog, parameters, prices, requested);
    const auto* api = cheapest(advice.offers, OfferKind::Api);
    advice.rentBeatsApi = turningPoint(cheapest(advice.offers, OfferKind::Rent), api);
    advice.buyBeatsApi = turningPoint(cheapest(advice.offers, OfferKind::Buy), api);
    const auto cheapestAt = [&](double factor) {
        auto other = request;
        other.tokensPerMonth *= factor;
        const auto offers = allOffers(other, catalog, parameters, prices, requested);
        return offers.empty() || !offers.front().possible() ? std::string() : offers.front().id;
    };
    advice.cheapestAtTenth = cheapestAt(0.1);
    advice.cheapestAtTenfold = cheapestAt(10);
    return advice;
}

const LanguageStack& servingStack(const ServingRequest& request, const LanguageTarget& target,
                                  const LanguageParameters& parameters) {
    const auto deviceClass = target.device.deviceClass;
    const auto work = languageWork(request.job, parameters);
    const LanguageStack* best = nullptr;
    std::tuple<bool, double, double> bestRank;
    for (const auto& stack : parameters.stacks) {
        if (!isPublishedFor(stack, target.device, *request.job.weights)) continue;
        const auto capacity = capacityOf(request, target, stack, parameters);
        const double served =
            capacity.batch > 0 ? monthlyTokens(request, capacity.promptTokensPerSecond, capacity.tokensPerSecond.median)
                               : 0;
        const auto alone = requestSeconds(request, work, target, stack, parameters, 1);
        const bool isSparse = stack.devicesSeen < 2 || !stack.prefillShare;
        const std::tuple rank(isSparse, -served, alone.prompt + alone.answer);
        if (best != nullptr && rank >= bestRank) continue;
        best = &stack;
        bestRank = rank;
    }
    return best != nullptr ? *best : *parameters.findStack(usualStack(deviceClass));
}

Interval usdPerMonthAt(const ServingOffer& offer, double tokensPerMonth) {
    if (offer.kind == OfferKind::Api) {
        const double usd = offer.usdPerMillion * tokensPerMonth / kMillion;
        return {usd, usd, usd};
    }
    const double ofOne = offer.usdPerMonth.median / offer.machines;
    const auto cost = [&](double served) { return ofOne * machinesFor(tokensPerMonth, served); };
    return {cost(offer.tokensPerMonth.high), cost(offer.tokensPerMonth.median), cost(offer.tokensPerMonth.low)};
}

std::string servingJson(const ServingRequest& request, const ServingAdvice& advice, int indent) {
    Json json;
    json["job"] = "serve";
    json["workload"] = request.job.model.spec.id;
    json["weights"] = request.job.weights->name;
    json["software"] = request.software.empty() ? Json(nullptr) : Json(request.software);
    json["prompt"] = request.prompt;
    json["answer"] = request.answer;
    json["tokens_per_month"] = request.tokensPerMonth;
    json["user_tokens_per_second"] = request.userSpeed;
    json["busy"] = request.busy;
    json["predicted"] = true;
    auto& offers = json["offers"] = Json::array();
    for (const auto& offer : advice.offers) {
        const bool machine = offer.kind != OfferKind::Api && offer.possible();
        offers.push_back({{"kind", toString(offer.kind)},
                          {"id", offer.id},
                          {"title", offer.title},
                          {"hardware", offer.hardware.empty() ? Json(nullptr) : Json(offer.hardware)},
                          {"software", offer.software.empty() ? Json(nullptr) : Json(offer.software)},
                          {"devices", offer.devices},
                          {"price_usd", offer.priceUsd},
                          {"price_date", offer.priceDate},
                          {"price_source", offer.priceSource},
                          {"users", machine ? orNull(offer.users) : Json(nullptr)},
                          {"user_tokens_per_second", machine ? orNull(offer.userTokensPerSecond) : Json(nullptr)},
                          {"tokens_per_second", machine ? spanJson(offer.tokensPerSecond) : Json(nullptr)},
                          {"tokens_per_month", machine ? spanJson(offer.tokensPerMonth) : Json(nullptr)},
                          {"machines", machine ? orNull(offer.machines) : Json(nullptr)},
                          {"usd_per_month", offer.possible() ? spanJson(offer.usdPerMonth) : Json(nullptr)},
                          {"usd_per_million_tokens", offer.possible() ? orNull(offer.usdPerMillion) : Json(nullptr)},
                          {"watts", offer.watts > 0 ? Json(offer.watts) : Json(nullptr)},
                          {"reasons", textsJson(offer.reasons)},
                          {"rejected_because", textsJson(offer.rejectedBecause)}});
    }
    json["sensitivity"] = {{"rent_beats_api_above_million_tokens", orNull(advice.rentBeatsApi)},
                           {"buy_beats_api_above_million_tokens", orNull(advice.buyBeatsApi)},
                           {"cheapest_at_a_tenth", advice.cheapestAtTenth},
                           {"cheapest_at_tenfold", advice.cheapestAtTenfold}};
    return dumpJson(json, indent);
}

}  // namespace steelyard::advisor
