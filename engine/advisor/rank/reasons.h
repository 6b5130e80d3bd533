// SPDX-License-Identifier: Apache-2.0
// Why a candidate won or lost, as values: the command line prints them in English, the window translates them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace steelyard::advisor {

enum class ReasonKind {
    // Why it cannot be taken. `a` and `b` as told.
    Refused,           // subject: Refusal's name
    DoesNotFit,        // a: bytes needed, b: bytes there
    OverBudget,        // a: USD, b: the budget
    OverDeadline,      // a: hours, b: the deadline
    ProviderExcluded,  // subject: the provider
    SpotExcluded,
    NoPrice,
    // Why it was chosen, or not.
    Cheapest,     // a: USD
    Fastest,      // a: hours
    BestBalance,  // a: time weight
    OnPareto,     // none is faster and cheaper
    Dominated,    // subject: one that is faster and no dearer; a: its speed-up, b: its share of the cost
    SlowerThan,   // subject: the choice; a: how many times slower, b: its cost over the choice's
    DearerThan,   // subject: the choice; a: how many times dearer, b: how many times faster
    // Against the user's own computer or another baseline.
    DearerPays,  // subject: the baseline; a: speed-up, b: price ratio
    DearerOnlyForTime,
    SlowerAndDearer,
    CheaperAndFaster,
    // What to keep in mind.
    NotDistinguishable,   // subject: the other; their bands overlap
    TightMemory,          // a: bytes needed, b: bytes there
    UncertainPrediction,  // subject: BandClass's name; a: low, b: high
    OldPrice,             // subject: the date; a: days
    LowTrustPrice,
    LowTrustFigures,
    SpotInterruptions,  // a: how many to expect, b: hours they add
    StartUpShare,       // a: share of the billed time before the job begins
    PoorScaling,        // a: devices, b: efficiency
    Limited,            // subject: Limit's name
};
[[nodiscard]] std::string_view toString(ReasonKind kind);

struct Reason {
    ReasonKind kind = ReasonKind::OnPareto;
    std::string subject;
    double a = 0, b = 0;

    friend bool operator==(const Reason&, const Reason&) = default;
};

// One English sentence without a full stop.
[[nodiscard]] std::string englishText(const Reason& reason);

}  // namespace steelyard::advisor
