// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog/offer.h"

#include <algorithm>

namespace steelyard::catalog {

std::string_view toString(VcpuKind kind) {
    return kind == VcpuKind::Core ? "core" : "hyperthread";
}

std::optional<VcpuKind> vcpuKindFromString(std::string_view name) {
    if (name == "core") return VcpuKind::Core;
    if (name == "hyperthread") return VcpuKind::Hyperthread;
    return std::nullopt;
}

std::string_view toString(OfferOrigin origin) {
    switch (origin) {
        case OfferOrigin::Shipped:
            return "shipped";
        case OfferOrigin::Imported:
            return "imported";
        case OfferOrigin::User:
            return "user";
    }
    return "shipped";
}

std::optional<OfferOrigin> offerOriginFromString(std::string_view name) {
    for (auto origin : {OfferOrigin::Shipped, OfferOrigin::Imported, OfferOrigin::User})
        if (toString(origin) == name) return origin;
    return std::nullopt;
}

std::optional<double> physicalCores(const Offer& offer) {
    if (!offer.vcpus) return std::nullopt;
    const bool cores = offer.vcpuKind == VcpuKind::Core;
    return cores ? *offer.vcpus : std::max(1.0, *offer.vcpus / 2);
}

}  // namespace steelyard::catalog
