// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <unordered_map>

#include "engine/catalog/catalog_json.h"
#include "engine/core/csv.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/catalog.h"
#include "engine/core/messages/core.h"

namespace steelyard::catalog {
namespace {

constexpr std::int64_t kMaxFile = 64LL << 20;

// Plausible ranges with wide margins; figures outside are likely unit errors.
struct Plausible {
    std::string_view name;
    double low, high;
};
constexpr Plausible kPlausible[] = {
    {"fp32_flops", 1e10, 1e15},    {"sustained_fp32_flops", 1e10, 1e15},
    {"tf32_flops", 1e11, 1e16},    {"bf16_flops", 1e11, 1e17},
    {"fp16_flops", 1e11, 1e17},    {"memory_bytes", 1e8, 1e13},
    {"tdp_watts", 1, 5000},        {"memory_bytes_per_second", 1e9, 1e14},
    {"l2_bytes", 1e5, 1e11},       {"cores", 1, 1024},
    {"launch_price_usd", 10, 1e6}, {"street_price_usd", 10, 1e6},
};

template <typename T>
const T* find(const std::vector<T>& list, std::string_view id) {
    const auto found = std::ranges::find(list, id, &T::id);
    return found == list.end() ? nullptr : &*found;
}

template <typename T>
void layOver(std::vector<T>& shipped, const std::vector<T>& own) {
    std::unordered_map<std::string, std::size_t> places;  // an import may add tens of thousands
    for (std::size_t i = 0; i < shipped.size(); ++i) places.emplace(shipped[i].id, i);
    for (const auto& entry : own) {
        const auto [place, isNew] = places.emplace(entry.id, shipped.size());
        if (isNew) {
            shipped.push_back(entry);
        } else {
            shipped[place->second] = entry;
        }
    }
}

void checkHardware(const HardwareSpec& spec, std::vector<Problem>& problems) {
    for (const auto& field : figureFields()) {
        const auto& figure = spec.*field.member;
        const auto* range = std::ranges::find(kPlausible, field.name, &Plausible::name);
        if (figure && range != std::end(kPlausible) && (figure->value < range->low || figure->value > range->high))
            problems.push_back({ProblemKind::ImplausibleFigure, spec.id, std::string(field.name), figure->value});
    }
    if (spec.lowTrust) problems.push_back({ProblemKind::LowTrust, spec.id, {}, 0});
}

void checkOffer(const Offer& offer, const Catalog& catalog, std::string_view today, std::vector<Problem>& problems) {
    const auto add = [&](ProblemKind kind, std::string subject, double value) {
        problems.push_back({kind, offer.id, std::move(subject), value});
    };
    for (const auto& id : {offer.cpuHardware, offer.acceleratorHardware})
        if (id && catalog.findHardware(*id) == nullptr) add(ProblemKind::UnknownHardware, *id, 0);
    if (offer.accelerator && !offer.acceleratorHardware) add(ProblemKind::UnknownHardware, *offer.accelerator, 0);
    if (!offer.onDemand && !offer.spot) add(ProblemKind::NoPrice, {}, 0);
    if (offer.onDemand && offer.spot && offer.spot->usdPerHour > offer.onDemand->usdPerHour)
        add(ProblemKind::SpotAboveOnDemand, {}, offer.spot->usdPerHour / offer.onDemand->usdPerHour);
    if (offer.lowTrust) add(ProblemKind::LowTrust, {}, 0);
    if (offer.historical) return;
    const auto age = [&](const std::optional<Price>& price, const char* which) {
        if (!price) return;
        const auto days = daysBetween(price->date, today);
        if (!days || *days > kOldPriceDays) add(ProblemKind::OldPrice, which, days.value_or(0));
    };
    age(offer.onDemand, "on_demand");
    age(offer.spot, "spot");
}

std::optional<std::chrono::sys_days> day(std::string_view date) {
    if (date.size() != 4 && date.size() != 7 && date.size() != 10) return std::nullopt;
    const auto part = [&](std::size_t at, std::size_t length, int absent) -> std::optional<int> {
        if (at >= date.size()) return absent;
        if (at > 0 && date[at - 1] != '-') return std::nullopt;
        const auto value = numberFromText(date.substr(at, length));
        if (!value || *value != std::floor(*value)) return std::nullopt;
        return static_cast<int>(*value);
    };
    const auto y = part(0, 4, 0), m = part(5, 2, 1), d = part(8, 2, 1);
    if (!y || !m || !d || *m < 1 || *d < 1) return std::nullopt;
    const std::chrono::year_month_day value{std::chrono::year(*y), std::chrono::month(static_cast<unsigned>(*m)),
                                            std::chrono::day(static_cast<unsigned>(*d))};
    if (!value.ok()) return std::nullopt;
    return std::chrono::sys_days(value);
}

}  // namespace

const HardwareSpec* Catalog::findHardware(std::string_view id) const {
    return find(hardware, id);
}

const Offer* Catalog::findOffer(std::string_view id) const {
    return find(offers, id);
}

Result<Catalog> loadCatalog(const std::filesystem::path& folder) {
    Catalog catalog;
    const auto hardwarePath = folder / "hardware.json";
    ASSIGN(const auto text, readFile(hardwarePath, kMaxFile));
    auto hardware = hardwareFromJson(hardwarePath.string(), text);
    if (!hardware) return Failure(std::move(hardware.error()));
    catalog.hardware = std::move(hardware->devices);
    catalog.collected = std::move(hardware->collected);

    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "offers", error))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (error) return Failure(errorFromErrno(error.value(), (folder / "offers").string()));
    std::ranges::sort(files);
    for (const auto& file : files) {
        ASSIGN(const auto content, readFile(file, kMaxFile));
        auto offers = offersFromJson(file.string(), content);
        if (!offers) return Failure(std::move(offers.error()));
        std::ranges::move(*offers, std::back_inserter(catalog.offers));
    }
    return catalog;
}

Result<UserCatalog> loadUserCatalog(const std::filesystem::path& file) {
    if (file.empty()) return UserCatalog{};
    const auto text = readFile(file, kMaxFile);
    if (!text && text.error().kind == ErrorKind::NotFound) return UserCatalog{};
    if (!text) return Failure(text.error());
    return userCatalogFromJson(file.string(), *text);
}

Result<void> saveUserCatalog(const UserCatalog& user, const std::filesystem::path& file) {
    if (file.empty()) return fail(ErrorKind::InvalidArgument, {}, steelyard::messages::noUserFolder());
    TRY(createPrivateFolders(file.parent_path()));
    return writeFileAtomically(file, toJson(user), FileRights::OwnerOnly);
}

std::filesystem::path defaultUserCatalogFile(const char* xdgDataHome, const char* home) {
    const auto folder = userDataFolder(xdgDataHome, home);
    return folder.empty() ? folder : folder / "catalog" / "user.json";
}

Catalog withUser(Catalog shipped, const UserCatalog& user) {
    layOver(shipped.hardware, user.hardware);
    layOver(shipped.offers, user.offers);
    for (const auto& entry : user.prices) {
        const auto offer = std::ranges::find(shipped.offers, entry.offer, &Offer::id);
        if (offer != shipped.offers.end()) (entry.spot ? offer->spot : offer->onDemand) = entry.price;
    }
    return shipped;
}

Result<void> setPrice(UserCatalog& user, const Catalog& catalog, const PriceOverride& price) {
    if (catalog.findOffer(price.offer) == nullptr) return fail(ErrorKind::NotFound, price.offer, messages::noOfferId());
    if (!isPlausiblePrice(price.price.usdPerHour))
        return fail(ErrorKind::InvalidArgument, "price", messages::priceRange(kLowestPrice, kHighestPrice));
    if (trimmed(price.price.source).empty())
        return fail(ErrorKind::InvalidArgument, "source", messages::sourceMissing());
    std::erase_if(user.prices, [&](const auto& old) { return old.offer == price.offer && old.spot == price.spot; });
    user.prices.push_back(price);
    return {};
}

void replaceImported(UserCatalog& user, std::vector<Offer> imported) {
    std::set<std::string> providers;
    for (const auto& offer : imported) providers.insert(offer.provider);
    std::erase_if(user.offers, [&](const Offer& old) {
        return old.origin == OfferOrigin::Imported && providers.contains(old.provider);
    });
    std::ranges::move(imported, std::back_inserter(user.offers));
}

std::string_view toString(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::DuplicateId:
            return "duplicate_id";
        case ProblemKind::UnknownHardware:
            return "unknown_hardware";
        case ProblemKind::NoPrice:
            return "no_price";
        case ProblemKind::OldPrice:
            return "old_price";
        case ProblemKind::SpotAboveOnDemand:
            return "spot_above_on_demand";
        case ProblemKind::ImplausibleFigure:
            return "implausible_figure";
        case ProblemKind::LowTrust:
            return "low_trust";
    }
    return "unknown";
}

std::vector<Problem> check(const Catalog& catalog, std::string_view today) {
    std::vector<Problem> problems;
    std::set<std::string_view> ids;
    for (const auto& spec : catalog.hardware) {
        if (!ids.insert(spec.id).second) problems.push_back({ProblemKind::DuplicateId, spec.id, {}, 0});
        checkHardware(spec, problems);
    }
    for (const auto& offer : catalog.offers) {
        if (!ids.insert(offer.id).second) problems.push_back({ProblemKind::DuplicateId, offer.id, {}, 0});
        checkOffer(offer, catalog, today, problems);
    }
    return problems;
}

std::optional<int> daysBetween(std::string_view from, std::string_view to) {
    const auto a = day(from), b = day(to);
    if (!a || !b) return std::nullopt;
    return static_cast<int>((*b - *a).count());
}

}  // namespace steelyard::catalog
