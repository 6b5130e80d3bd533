// SPDX-License-Identifier: Apache-2.0
// Identifies one price of an offer in advice, reports and links: "aws/p3.2xlarge" on demand, "aws/p3.2xlarge+spot" on
// the spot market. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace steelyard::catalog {

struct OfferId {
    static constexpr std::string_view kSpot = "+spot";

    std::string offer;  // Offer::id
    bool spot = false;

    [[nodiscard]] static OfferId parse(std::string_view text) {
        const bool spot = text.ends_with(kSpot);
        if (spot) text.remove_suffix(kSpot.size());
        return {std::string(text), spot};
    }
    [[nodiscard]] std::string text() const { return spot ? offer + std::string(kSpot) : offer; }

    friend bool operator==(const OfferId&, const OfferId&) = default;
};

}  // namespace steelyard::catalog
