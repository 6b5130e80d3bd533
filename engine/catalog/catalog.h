// SPDX-License-Identifier: Apache-2.0
// The catalogue: devices and offers shipped with the program, overlaid with the user's prices, offers and devices. A
// plain value, loaded once and copied where needed; safe to read from any thread. Loading refuses damaged files
// (CorruptData with the position) and files of a newer program (VersionTooNew); the caller's catalogue is then
// unchanged.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/hardware_spec.h"
#include "engine/catalog/offer.h"
#include "engine/core/error.h"

namespace steelyard::catalog {

struct Catalog {
    std::vector<HardwareSpec> hardware;
    std::vector<Offer> offers;
    std::string collected;  // date at which the shipped figures were collected

    [[nodiscard]] const HardwareSpec* findHardware(std::string_view id) const;
    [[nodiscard]] const Offer* findOffer(std::string_view id) const;
};

// Reads hardware.json and offers/*.json of resources/catalog.
[[nodiscard]] Result<Catalog> loadCatalog(const std::filesystem::path& folder);

// A price that replaces a shipped or imported one.
struct PriceOverride {
    std::string offer;
    bool spot = false;
    Price price;

    friend bool operator==(const PriceOverride&, const PriceOverride&) = default;
};

// The user's additions, in a separate file; the shipped files are never written.
struct UserCatalog {
    std::vector<PriceOverride> prices;
    std::vector<Offer> offers;  // entered or imported
    std::vector<HardwareSpec> hardware;

    friend bool operator==(const UserCatalog&, const UserCatalog&) = default;
};

// A missing file is an empty user catalogue.
[[nodiscard]] Result<UserCatalog> loadUserCatalog(const std::filesystem::path& file);
[[nodiscard]] Result<void> saveUserCatalog(const UserCatalog& user, const std::filesystem::path& file);
// $XDG_DATA_HOME/steelyard/catalog/user.json, or ~/.local/share/... The environment is passed in.
[[nodiscard]] std::filesystem::path defaultUserCatalogFile(const char* xdgDataHome, const char* home);

// Shipped entries with the same id are replaced, others are appended. Prices of unknown offers are ignored.
[[nodiscard]] Catalog withUser(Catalog shipped, const UserCatalog& user);

// Sets one price in the user's catalogue. NotFound if no offer has that id; InvalidArgument if the price is not
// positive or the source is missing.
[[nodiscard]] Result<void> setPrice(UserCatalog& user, const Catalog& catalog, const PriceOverride& price);

// Replaces earlier imports of these providers.
void replaceImported(UserCatalog& user, std::vector<Offer> imported);

// Questionable entries, for `catalog check` and the badges of the page.
enum class ProblemKind {
    DuplicateId,
    UnknownHardware,  // an offer's device is not in the catalogue
    NoPrice,
    OldPrice,  // value: age in days
    SpotAboveOnDemand,
    ImplausibleFigure,  // subject: the figure's name
    LowTrust,
};
[[nodiscard]] std::string_view toString(ProblemKind kind);
struct Problem {
    ProblemKind kind = ProblemKind::NoPrice;
    std::string id;       // of the device or the offer
    std::string subject;  // name of the figure or price
    double value = 0;     // the questionable value
};
inline constexpr int kOldPriceDays = 90;
[[nodiscard]] std::vector<Problem> check(const Catalog& catalog, std::string_view today);

// Days between two dates such as "2026-08-03" or "2017-07" (its first day); nothing if one of them is invalid.
[[nodiscard]] std::optional<int> daysBetween(std::string_view from, std::string_view to);

}  // namespace steelyard::catalog
