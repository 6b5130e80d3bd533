// SPDX-License-Identifier: Apache-2.0
// A machine for rent: provider, dated prices and billing rule. Plain values; unknown is
// absent, never 0. Nothing here can fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/units.h"

namespace steelyard::catalog {

// US dollars per hour of any machine that is offered; the most expensive listed one costs about 400.
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
    std::optional<std::string> cpu;          // as the provider calls it
    std::optional<std::string> cpuHardware;  // the catalogued processor nearest to it
    std::optional<Bytes> memory;
    std::optional<std::string> accelerator;          // as the provider calls it
    std::optional<std::string> acceleratorHardware;  // id of a HardwareSpec; absent when the catalogue has none
    std::optional<double> acceleratorCount;          // may be a fraction of one
    std::optional<Bytes> acceleratorMemory;          // of each
    std::optional<Price> onDemand, spot;
    std::optional<double> highestSpotUsdPerHour;  // where zones differ `spot` is the lowest
    Billing billing;
    bool historical = false;     // a price of its time, for studies; not ranked
    bool lowTrust = false;       // third-party figures
    bool partOfMachine = false;  // an accelerator without its host: cannot be rented alone; not ranked
    std::optional<std::string> shapeSource;
    std::string notes;
    OfferOrigin origin = OfferOrigin::Shipped;

    friend bool operator==(const Offer&, const Offer&) = default;
};

// Cores that compute, of which hyperthreads come two to one; nothing without a count. x86 vCPUs of unknown kind count
// as hyperthreads, the rule of all large providers.
[[nodiscard]] std::optional<double> physicalCores(const Offer& offer);

}  // namespace steelyard::catalog
