// SPDX-License-Identifier: Apache-2.0
// A machine for rent: provider, dated prices and billing rule. Plain values; unknown is absent, never 0. Nothing here
// can fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/units.h"

namespace steelyard::catalog {

// Upper limit of plausible prices in US dollars per hour; the most expensive listed machine costs about 400.
inline constexpr double kLowestPrice = 1e-5, kHighestPrice = 1e5;
[[nodiscard]] constexpr bool isPlausiblePrice(double usdPerHour) {
    return usdPerHour >= kLowestPrice && usdPerHour <= kHighestPrice;
}

struct Price {
    double usdPerHour = 0;  // of the whole offer
    std::string date;       // "2026-08-03", "2017-07", "2020"
    std::string source;

    friend bool operator==(const Price&, const Price&) = default;
};

// Billed time is rounded up to `granularity` and is at least `minimum`.
struct Billing {
    double granularitySeconds = 1;
    double minimumSeconds = 0;
    std::string text;  // "per second with a minimum of one minute"
    std::string source;

    friend bool operator==(const Billing&, const Billing&) = default;
};

enum class VcpuKind { Hyperthread, Core };
[[nodiscard]] std::string_view toString(VcpuKind kind);  // "hyperthread", "core"
[[nodiscard]] std::optional<VcpuKind> vcpuKindFromString(std::string_view name);

// Shipped with the program, imported from a price list, or entered by the user.
enum class OfferOrigin { Shipped, Imported, User };
[[nodiscard]] std::string_view toString(OfferOrigin origin);
[[nodiscard]] std::optional<OfferOrigin> offerOriginFromString(std::string_view name);

struct Offer {
    std::string id;        // "aws/p3.2xlarge"; historical ones end in "@2017-12"
    std::string provider;  // "AWS"
    std::string instance;  // "p3.2xlarge"
    std::optional<std::string> region;
    std::optional<double> vcpus;
    std::optional<VcpuKind> vcpuKind;
    std::optional<std::string> cpu;          // the provider's name for it
    std::optional<std::string> cpuHardware;  // closest processor in the catalogue
    std::optional<Bytes> memory;
    std::optional<std::string> accelerator;          // the provider's name for it
    std::optional<std::string> acceleratorHardware;  // HardwareSpec id; absent if not in the catalogue
    std::optional<double> acceleratorCount;          // may be fractional
    std::optional<Bytes> acceleratorMemory;          // per accelerator
    std::optional<Price> onDemand, spot;
    std::optional<double> highestSpotUsdPerHour;  // if zones differ, `spot` is the lowest
    Billing billing;
    bool historical = false;     // a past price, for studies; not ranked
    bool lowTrust = false;       // third-party figures
    bool partOfMachine = false;  // an accelerator without its host: cannot be rented alone; not ranked
    std::optional<std::string> shapeSource;
    std::string notes;
    OfferOrigin origin = OfferOrigin::Shipped;

    friend bool operator==(const Offer&, const Offer&) = default;
};

// Physical cores, counting two hyperthreads as one; nothing if the count is unknown. x86 vCPUs of unknown kind count as
// hyperthreads, as at all large providers.
[[nodiscard]] std::optional<double> physicalCores(const Offer& offer);

}  // namespace steelyard::catalog
