// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/catalog_json.h"

#include <map>

#include "engine/core/json/json_reader.h"

namespace steelyard::catalog {
namespace {

constexpr int kVersion = 1;

struct Source {
    std::string text, date;
};
// The sources of a file by their ids, and the date of those that tell none.
struct Sources {
    std::map<std::string, Source, std::less<>> byId;
    std::string collected;

    // A text that is no id stands for itself.
    [[nodiscard]] Source resolve(const std::string& text) const {
        const auto found = byId.find(text);
        return found == byId.end() ? Source{text, {}} : found->second;
    }
};

Sources readSources(JsonReader& file) {
    Sources sources;
    file.read("collected", sources.collected);
    file.eachObject("sources", [&](JsonReader& entry) {
        std::string id;
        Source source;
        entry.require("id", id);
        entry.require("text", source.text);
        entry.read("date", source.date);
        sources.byId.emplace(std::move(id), std::move(source));
    });
    return sources;
}

Figure readFigure(JsonReader& reader, const Sources& sources) {
    Figure figure;
    reader.requirePositive("value", figure.value);
    std::string text;
    reader.require("source", text);
    auto source = sources.resolve(text);
    figure.source = std::move(source.text);
    figure.date = source.date.empty() ? sources.collected : std::move(source.date);
    reader.read("date", figure.date);
    return figure;
}

HardwareSpec readHardware(JsonReader& reader, const Sources& sources) {
    HardwareSpec spec;
    reader.require("id", spec.id);
    reader.require("vendor", spec.vendor);
    reader.require("name", spec.name);
    reader.readName("class", spec.hardwareClass, hardwareClassFromString);
    reader.read("architecture", spec.architecture);
    reader.read("generation", spec.generation);
    reader.read("release_date", spec.releaseDate);
    reader.read("compute_capability", spec.computeCapability);
    reader.read("memory_type", spec.memoryType);
    reader.read("pcie", spec.pcie);
    reader.read("simd", spec.simd);
    reader.read("matrix_units", spec.matrixUnits);
    reader.read("half_rate_fp32_accumulation", spec.halfRateFp32Accumulation);
    reader.read("low_trust", spec.lowTrust);
    reader.read("notes", spec.notes);
    reader.object("figures", [&](JsonReader& figures) {
        for (const auto& field : figureFields())
            figures.object(field.name, [&](JsonReader& figure) { spec.*field.member = readFigure(figure, sources); });
    });
    return spec;
}

Price readPrice(JsonReader& reader, const Sources& sources) {
    Price price;
    reader.requirePositive("usd_per_hour", price.usdPerHour);
    reader.require("date", price.date);
    reader.require("source", price.source);
    price.source = sources.resolve(price.source).text;
    return price;
}

void readBilling(JsonReader& reader, const Sources& sources, Billing& billing) {
    reader.read("granularity_seconds", billing.granularitySeconds);
    reader.read("minimum_seconds", billing.minimumSeconds);
    if (billing.granularitySeconds <= 0) reader.refuse("granularity_seconds", "must be greater than 0");
    if (billing.minimumSeconds < 0) reader.refuse("minimum_seconds", "must not be negative");
    reader.read("text", billing.text);
    std::string source;
    reader.read("source", source);
    if (!source.empty()) billing.source = sources.resolve(source).text;
}

void readBytes(JsonReader& reader, std::string_view key, std::optional<Bytes>& target) {
    if (!reader.has(key)) return;
    double value = 0;
    reader.requirePositive(key, value);
    if (value > 9e18) return reader.refuse(key, "is not a plausible number");
    target = Bytes(static_cast<std::int64_t>(value));
}

Offer readOffer(JsonReader& reader, const Sources& sources, const Offer& defaults) {
    Offer offer = defaults;
    reader.require("id", offer.id);
    reader.require("instance", offer.instance);
    reader.read("provider", offer.provider);
    reader.read("region", offer.region);
    reader.read("vcpus", offer.vcpus);
    if (reader.has("vcpu_is")) reader.readName("vcpu_is", offer.vcpuKind, vcpuKindFromString);
    reader.read("cpu", offer.cpu);
    reader.read("cpu_hardware", offer.cpuHardware);
    readBytes(reader, "memory_bytes", offer.memory);
    reader.read("accelerator", offer.accelerator);
    reader.read("accelerator_hardware", offer.acceleratorHardware);
    reader.read("accelerator_count", offer.acceleratorCount);
    readBytes(reader, "accelerator_memory_bytes", offer.acceleratorMemory);
    reader.object("on_demand", [&](JsonReader& price) { offer.onDemand = readPrice(price, sources); });
    reader.object("spot", [&](JsonReader& price) { offer.spot = readPrice(price, sources); });
    reader.read("highest_spot_usd_per_hour", offer.highestSpotUsdPerHour);
    reader.object("billing", [&](JsonReader& billing) { readBilling(billing, sources, offer.billing); });
    reader.read("historical", offer.historical);
    reader.read("low_trust", offer.lowTrust);
    reader.read("part_of_machine", offer.partOfMachine);
    if (reader.has("shape_source")) {
        std::string text;
        reader.read("shape_source", text);
        offer.shapeSource = sources.resolve(text).text;
    }
    reader.read("notes", offer.notes);
    reader.readName("origin", offer.origin, offerOriginFromString);
    return offer;
}

Json figureJson(const Figure& figure) {
    return {{"value", orNull(figure.value)}, {"source", figure.source}, {"date", figure.date}};
}

Json hardwareJson(const HardwareSpec& spec, bool withUnknown) {
    Json json;
    const auto put = [&](const char* key, const std::optional<std::string>& value) {
        if (value || withUnknown) json[key] = orNull(value);
    };
    json["id"] = spec.id;
    json["vendor"] = spec.vendor;
    json["name"] = spec.name;
    json["class"] = toString(spec.hardwareClass);
    json["architecture"] = spec.architecture;
    put("generation", spec.generation);
    put("release_date", spec.releaseDate);
    put("compute_capability", spec.computeCapability);
    put("memory_type", spec.memoryType);
    put("pcie", spec.pcie);
    put("simd", spec.simd);
    if (spec.matrixUnits || withUnknown) json["matrix_units"] = orNull(spec.matrixUnits);
    json["half_rate_fp32_accumulation"] = spec.halfRateFp32Accumulation;
    json["low_trust"] = spec.lowTrust;
    json["notes"] = spec.notes;
    auto& figures = json["figures"] = Json::object();
    for (const auto& field : figureFields()) {
        const auto& figure = spec.*field.member;
        if (figure) {
            figures[std::string(field.name)] = figureJson(*figure);
        } else if (withUnknown) {
            figures[std::string(field.name)] = nullptr;
        }
    }
    return json;
}

Json priceJson(const Price& price) {
    return {{"usd_per_hour", orNull(price.usdPerHour)}, {"date", price.date}, {"source", price.source}};
}

Json offerJson(const Offer& offer, bool withUnknown) {
    Json json;
    const auto put = [&](const char* key, const Json& value) {
        if (!value.is_null() || withUnknown) json[key] = value;
    };
    const auto bytes = [](const std::optional<Bytes>& value) { return value ? Json(value->value()) : Json(nullptr); };
    json["id"] = offer.id;
    json["provider"] = offer.provider;
    json["instance"] = offer.instance;
    put("region", orNull(offer.region));
    put("vcpus", orNull(offer.vcpus));
    put("vcpu_is", offer.vcpuKind ? Json(toString(*offer.vcpuKind)) : Json(nullptr));
    put("cpu", orNull(offer.cpu));
    put("cpu_hardware", orNull(offer.cpuHardware));
    put("memory_bytes", bytes(offer.memory));
    put("accelerator", orNull(offer.accelerator));
    put("accelerator_hardware", orNull(offer.acceleratorHardware));
    put("accelerator_count", orNull(offer.acceleratorCount));
    put("accelerator_memory_bytes", bytes(offer.acceleratorMemory));
    put("on_demand", offer.onDemand ? priceJson(*offer.onDemand) : Json(nullptr));
    put("spot", offer.spot ? priceJson(*offer.spot) : Json(nullptr));
    put("highest_spot_usd_per_hour", orNull(offer.highestSpotUsdPerHour));
    json["billing"] = {{"granularity_seconds", offer.billing.granularitySeconds},
                       {"minimum_seconds", offer.billing.minimumSeconds},
                       {"text", offer.billing.text},
                       {"source", offer.billing.source}};
    json["historical"] = offer.historical;
    json["low_trust"] = offer.lowTrust;
    json["part_of_machine"] = offer.partOfMachine;
    put("shape_source", orNull(offer.shapeSource));
    json["notes"] = offer.notes;
    json["origin"] = toString(offer.origin);
    return json;
}

template <typename Value, typename Build>
Result<Value> readFile(std::string_view name, std::string_view text, std::string_view format, Build build) {
    ASSIGN(const auto json, parseJson(text, std::string(name)));
    std::optional<Error> error;
    JsonReader file(json, std::string(name), error);
    file.requireFormat(format, kVersion);
    Value value;
    if (!error) build(file, value);
    if (error) return Failure(std::move(*error));
    return value;
}

}  // namespace

Result<HardwareFile> hardwareFromJson(std::string_view name, std::string_view text) {
    return readFile<HardwareFile>(name, text, "steelyard-hardware", [](JsonReader& file, HardwareFile& value) {
        const auto sources = readSources(file);
        value.collected = sources.collected;
        file.eachObject("devices", [&](JsonReader& reader) { value.devices.push_back(readHardware(reader, sources)); });
    });
}

Result<std::vector<Offer>> offersFromJson(std::string_view name, std::string_view text) {
    return readFile<std::vector<Offer>>(
        name, text, "steelyard-offers", [](JsonReader& file, std::vector<Offer>& value) {
            const auto sources = readSources(file);
            Offer defaults;
            file.require("provider", defaults.provider);
            file.object("billing", [&](JsonReader& billing) { readBilling(billing, sources, defaults.billing); });
            file.eachObject("offers",
                            [&](JsonReader& reader) { value.push_back(readOffer(reader, sources, defaults)); });
        });
}

Result<UserCatalog> userCatalogFromJson(std::string_view name, std::string_view text) {
    return readFile<UserCatalog>(name, text, "steelyard-user-catalog", [](JsonReader& file, UserCatalog& value) {
        const Sources sources;
        Offer defaults;
        defaults.origin = OfferOrigin::User;
        file.eachObject("prices", [&](JsonReader& reader) {
            PriceOverride price;
            reader.require("offer", price.offer);
            reader.read("spot", price.spot);
            price.price = readPrice(reader, sources);
            value.prices.push_back(std::move(price));
        });
        file.eachObject("offers",
                        [&](JsonReader& reader) { value.offers.push_back(readOffer(reader, sources, defaults)); });
        file.eachObject("hardware",
                        [&](JsonReader& reader) { value.hardware.push_back(readHardware(reader, sources)); });
    });
}

std::string toJson(const UserCatalog& user) {
    Json json{{"format", "steelyard-user-catalog"}, {"version", kVersion}};
    auto& prices = json["prices"] = Json::array();
    for (const auto& entry : user.prices) {
        auto price = priceJson(entry.price);
        price["offer"] = entry.offer;
        price["spot"] = entry.spot;
        prices.push_back(std::move(price));
    }
    auto& offers = json["offers"] = Json::array();
    for (const auto& offer : user.offers) offers.push_back(offerJson(offer, false));
    auto& hardware = json["hardware"] = Json::array();
    for (const auto& spec : user.hardware) hardware.push_back(hardwareJson(spec, false));
    return dumpJson(json, 1) + "\n";
}

std::string toJson(const HardwareSpec& spec, int indent) {
    return dumpJson(hardwareJson(spec, true), indent);
}

std::string toJson(const Offer& offer, int indent) {
    return dumpJson(offerJson(offer, true), indent);
}

std::string toJson(const Catalog& catalog, int indent) {
    Json json{{"collected", catalog.collected}};
    auto& hardware = json["hardware"] = Json::array();
    for (const auto& spec : catalog.hardware) hardware.push_back(hardwareJson(spec, true));
    auto& offers = json["offers"] = Json::array();
    for (const auto& offer : catalog.offers) offers.push_back(offerJson(offer, true));
    return dumpJson(json, indent);
}

}  // namespace steelyard::catalog
