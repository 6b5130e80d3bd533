// SPDX-License-Identifier: Apache-2.0
// Why a candidate was chosen or rejected, as values. Their texts are messages (engine/core/messages/advisor.inc), which
// the command line prints in English and the window translates. Pure.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/message.h"

namespace steelyard::advisor {

enum class ReasonKind {
    // Why it was rejected.
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
    OnPareto,     // no other is both faster and cheaper
    Dominated,    // subject: one that is faster and not more expensive; a: its speed-up, b: its cost over this one's
    SlowerThan,   // subject: the choice; a: how many times slower, b: its cost over the choice's
    MoreExpensiveThan,  // subject: the choice; a: its cost over the choice's, b: how many times faster
    // Against the user's own computer or another baseline.
    FasterPaysOff,  // subject: the baseline; a: speed-up, b: price ratio
    FasterOnlyForTime,
    SlowerAndMoreExpensive,
    CheaperAndFaster,
    // What to keep in mind.
    NotDistinguishable,   // subject: the other; their intervals overlap
    TightMemory,          // a: bytes needed, b: bytes there
    UncertainPrediction,  // subject: BandClass's name; a: low, b: high
    OldPrice,             // subject: the date; a: days
    LowTrustPrice,
    LowTrustFigures,
    SpotInterruptions,  // a: how many to expect, b: hours they add
    StartUpShare,       // a: fraction of the billed time before the job begins
    PoorScaling,        // a: devices, b: efficiency
    Limited,            // subject: Limit's name
    // Of an own device that cannot be predicted as asked. subject: the precision, a: hours, b: the batch.
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
[[nodiscard]] std::string englishText(const Reason& reason);
// What limits the step, by Limit's name.
[[nodiscard]] Message limitMessage(std::string_view limit);
// A candidate's title; those of the user's own computer ("this computer's processor") are translated.
[[nodiscard]] Message machineTitle(std::string_view title);

}  // namespace steelyard::advisor
