// SPDX-License-Identifier: Apache-2.0
// Reasons for choosing or rejecting a candidate, as values. Their texts are messages
// (engine/core/messages/advisor.inc), which the command line prints in English and the window translates. Pure.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/message.h"

namespace steelyard::advisor {

enum class ReasonKind {
    // Reasons for rejection.
    Refused,           // subject: Refusal's name
    DoesNotFit,        // a: bytes needed, b: bytes available
    OverBudget,        // a: USD, b: the budget
    OverDeadline,      // a: hours, b: the deadline
    ProviderExcluded,  // subject: the provider
    SpotExcluded,
    NoPrice,
    // Reasons for the rank.
    Cheapest,     // a: USD
    Fastest,      // a: hours
    BestBalance,  // a: time weight
    OnPareto,     // no other is both faster and cheaper
    Dominated,    // subject: a candidate that is faster and not more expensive; a: its speed-up, b: its relative cost
    SlowerThan,   // subject: the choice; a: slowdown, b: cost relative to the choice
    MoreExpensiveThan,  // subject: the choice; a: cost relative to the choice, b: speed-up
    // Compared with the user's computer or another baseline.
    FasterPaysOff,  // subject: the baseline; a: speed-up, b: price ratio
    FasterOnlyForTime,
    SlowerAndMoreExpensive,
    CheaperAndFaster,
    // Remarks.
    NotDistinguishable,   // subject: the other candidate; their intervals overlap
    TightMemory,          // a: bytes needed, b: bytes available
    UncertainPrediction,  // subject: BandClass's name; a: low, b: high
    OldPrice,             // subject: the date; a: days
    LowTrustPrice,
    LowTrustFigures,
    SpotInterruptions,  // a: expected number, b: hours added
    StartUpShare,       // a: fraction of the billed time before the job starts
    PoorScaling,        // a: devices, b: efficiency
    Limited,            // subject: Limit's name
    // For an own device that cannot be predicted as requested. subject: the precision, a: hours, b: the batch.
    InsteadInPrecision,
    InsteadWithThisProgram,
    InsteadInPrecisionThisProgram,
};
[[nodiscard]] std::string_view toString(ReasonKind kind);

struct Reason {
    ReasonKind kind = ReasonKind::OnPareto;
    std::string subject;
    double a = 0, b = 0;

    friend bool operator==(const Reason&, const Reason&) = default;
};

// One sentence without a full stop.
[[nodiscard]] Message messageOf(const Reason& reason);
[[nodiscard]] std::string englishText(const Reason& reason, const ExchangeRate& rate = {});
// The limiting factor of the step, by Limit's name.
[[nodiscard]] Message limitMessage(std::string_view limit);
// A candidate's title; titles of the user's computer ("this computer's processor") are translated.
[[nodiscard]] Message machineTitle(std::string_view title);

}  // namespace steelyard::advisor
