// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/catalog_json.h"

#include <limits>
#include <map>

#include "engine/core/json/json_reader.h"
#include "engine/core/json/json_writer.h"

namespace steelyard::catalog {

// A figure that cannot be zero: unknown must be absent.
constexpr double kAboveZero = std::numeric_limits<double>::min();

auto fromName(std::type_identity<HardwareClass>, std::string_view name) {
    return hardwareClassFromString(name);
}
auto fromName(std::type_identity<VcpuKind>, std::string_view name) {
    return vcpuKindFromString(name);
}
auto fromName(std::type_identity<OfferOrigin>, std::string_view name) {
    return offerOriginFromString(name);
}

template <SameAs<Figure> T, typename Visitor>
void visitFields(T& figure, Visitor&& visit) {
    visit(required("value").atLeast(kAboveZero), figure.value);
    visit(required("source"), figure.source);
    visit(field("date"), figure.date);
}

template <SameAs<HardwareSpec> T, typename Visitor>
void visitFields(T& spec, Visitor&& visit) {
    visit(required("id"), spec.id);
    visit(required("vendor"), spec.vendor);
    visit(required("name"), spec.name);
    visit(field("class"), spec.hardwareClass);
    visit(field("architecture"), spec.architecture);
    visit(field("generation"), spec.generation);
    visit(field("release_date"), spec.releaseDate);
    visit(field("compute_capability"), spec.computeCapability);
    visit(field("memory_type"), spec.memoryType);
    visit(field("pcie"), spec.pcie);
    visit(field("simd"), spec.simd);
    visit(field("matrix_units"), spec.matrixUnits);
    visit(field("half_rate_fp32_accumulation"), spec.halfRateFp32Accumulation);
    visit(field("low_trust"), spec.lowTrust);
    visit(field("notes"), spec.notes);
    for (const auto& [name, member] : figureFields()) visit(field(name).within("figures"), spec.*member);
}

template <SameAs<Price> T, typename Visitor>
void visitFields(T& price, Visitor&& visit) {
    visit(required("usd_per_hour").atLeast(kAboveZero), price.usdPerHour);
    visit(required("date"), price.date);
    visit(required("source"), price.source);
}

template <SameAs<PriceOverride> T, typename Visitor>
void visitFields(T& entry, Visitor&& visit) {
    visitFields(entry.price, visit);
    visit(required("offer"), entry.offer);
    visit(field("spot"), entry.spot);
}

template <SameAs<Billing> T, typename Visitor>
void visitFields(T& billing, Visitor&& visit) {
    visit(field("granularity_seconds").atLeast(kAboveZero), billing.granularitySeconds);
    visit(field("minimum_seconds"), billing.minimumSeconds);
    visit(field("text"), billing.text);
    visit(field("source"), billing.source);
}

template <SameAs<Offer> T, typename Visitor>
void visitFields(T& offer, Visitor&& visit) {
    visit(required("id"), offer.id);
    visit(field("provider"), offer.provider);  // of the whole file, if the offer has none
    visit(required("instance"), offer.instance);
    visit(field("region"), offer.region);
    visit(field("vcpus"), offer.vcpus);
    visit(field("vcpu_is"), offer.vcpuKind);
    visit(field("cpu"), offer.cpu);
    visit(field("cpu_hardware"), offer.cpuHardware);
    visit(field("memory_bytes").atLeast(1), offer.memory);
    visit(field("accelerator"), offer.accelerator);
    visit(field("accelerator_hardware"), offer.acceleratorHardware);
    visit(field("accelerator_count"), offer.acceleratorCount);
    visit(field("accelerator_memory_bytes").atLeast(1), offer.acceleratorMemory);
    visit(field("on_demand"), offer.onDemand);
    visit(field("spot"), offer.spot);
    visit(field("highest_spot_usd_per_hour"), offer.highestSpotUsdPerHour);
    visit(field("billing"), offer.billing);
    visit(field("historical"), offer.historical);
    visit(field("low_trust"), offer.lowTrust);
    visit(field("part_of_machine"), offer.partOfMachine);
    visit(field("shape_source"), offer.shapeSource);
    visit(field("notes"), offer.notes);
    visit(field("origin"), offer.origin);
}

namespace {

constexpr int kVersion = 1;

struct Source {
    std::string text, date;
};
// The sources of a file by id, and the default date.
struct Sources {
    std::map<std::string, Source, std::less<>> byId;
    std::string collected;

    // Text that is not an id is used as it is.
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

// No real figure exceeds 1e30.
void refuseAbsurd(JsonReader& reader, std::string_view key, double value) {
    if (value > 1e30) reader.refuse(key, steelyard::messages::implausible());
}

void resolve(std::string& source, const Sources& sources) {
    source = sources.resolve(source).text;
}

HardwareSpec readHardware(JsonReader& reader, const Sources& sources) {
    HardwareSpec spec;
    reader.readFields(spec);
    for (const auto& field : figureFields()) {
        auto& figure = spec.*field.member;
        if (!figure) continue;
        refuseAbsurd(reader, field.name, figure->value);
        const auto source = sources.resolve(figure->source);
        figure->source = source.text;
        if (figure->date.empty()) figure->date = source.date.empty() ? sources.collected : source.date;
    }
    return spec;
}

Offer readOffer(JsonReader& reader, const Sources& sources, const Offer& defaults) {
    auto offer = defaults;
    reader.readFields(offer);
    for (auto* price : {&offer.onDemand, &offer.spot})
        if (*price) {
            resolve((*price)->source, sources);
            if (!reader.failed() && !isPlausiblePrice((*price)->usdPerHour))
                reader.refuse("usd_per_hour", steelyard::messages::implausible());
        }
    resolve(offer.billing.source, sources);
    if (offer.shapeSource) resolve(*offer.shapeSource, sources);
    return offer;
}

// User files omit unknown values.
Json withoutUnknown(Json object) {
    Json known = Json::object();
    for (auto& [name, value] : object.items()) {
        if (name == "figures") value = withoutUnknown(std::move(value));
        if (!value.is_null()) known[name] = std::move(value);
    }
    return known;
}

template <typename Value, typename Build>
Result<Value> readDocument(std::string_view name, std::string_view text, std::string_view format, Build build) {
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
    return readDocument<HardwareFile>(name, text, "steelyard-hardware", [](JsonReader& file, HardwareFile& value) {
        const auto sources = readSources(file);
        value.collected = sources.collected;
        file.eachObject("devices", [&](JsonReader& reader) { value.devices.push_back(readHardware(reader, sources)); });
    });
}

Result<std::vector<Offer>> offersFromJson(std::string_view name, std::string_view text) {
    return readDocument<std::vector<Offer>>(
        name, text, "steelyard-offers", [](JsonReader& file, std::vector<Offer>& value) {
            const auto sources = readSources(file);
            Offer defaults;
            file.require("provider", defaults.provider);
            file.read("billing", defaults.billing);
            resolve(defaults.billing.source, sources);
            file.eachObject("offers",
                            [&](JsonReader& reader) { value.push_back(readOffer(reader, sources, defaults)); });
        });
}

Result<UserCatalog> userCatalogFromJson(std::string_view name, std::string_view text) {
    return readDocument<UserCatalog>(name, text, "steelyard-user-catalog", [](JsonReader& file, UserCatalog& value) {
        const Sources sources;
        Offer defaults;
        defaults.origin = OfferOrigin::User;
        file.read("prices", value.prices);
        for (const auto& entry : value.prices) refuseAbsurd(file, "prices", entry.price.usdPerHour);
        file.eachObject("offers",
                        [&](JsonReader& reader) { value.offers.push_back(readOffer(reader, sources, defaults)); });
        file.eachObject("hardware",
                        [&](JsonReader& reader) { value.hardware.push_back(readHardware(reader, sources)); });
    });
}

std::string toJson(const UserCatalog& user) {
    Json json{{"format", "steelyard-user-catalog"}, {"version", kVersion}, {"prices", toJsonValue(user.prices)}};
    auto& offers = json["offers"] = Json::array();
    for (const auto& offer : user.offers) offers.push_back(withoutUnknown(toJsonValue(offer)));
    auto& hardware = json["hardware"] = Json::array();
    for (const auto& spec : user.hardware) hardware.push_back(withoutUnknown(toJsonValue(spec)));
    return dumpJson(json, 1) + "\n";
}

std::string toJson(const HardwareSpec& spec, int indent) {
    return dumpJson(toJsonValue(spec), indent);
}

std::string toJson(const Offer& offer, int indent) {
    return dumpJson(toJsonValue(offer), indent);
}

std::string toJson(const Catalog& catalog, int indent) {
    return dumpJson(Json{{"collected", catalog.collected},
                         {"hardware", toJsonValue(catalog.hardware)},
                         {"offers", toJsonValue(catalog.offers)}},
                    indent);
}

}  // namespace steelyard::catalog
