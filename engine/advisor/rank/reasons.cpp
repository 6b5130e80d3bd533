// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/reasons.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "engine/advisor/cost/money_text.h"
#include "engine/core/units.h"

namespace steelyard::advisor {
namespace {

constexpr std::array<std::pair<ReasonKind, std::string_view>, 28> kNames{{
    {ReasonKind::Refused, "refused"},
    {ReasonKind::DoesNotFit, "does_not_fit"},
    {ReasonKind::OverBudget, "over_budget"},
    {ReasonKind::OverDeadline, "over_deadline"},
    {ReasonKind::ProviderExcluded, "provider_excluded"},
    {ReasonKind::SpotExcluded, "spot_excluded"},
    {ReasonKind::NoPrice, "no_price"},
    {ReasonKind::Cheapest, "cheapest"},
    {ReasonKind::Fastest, "fastest"},
    {ReasonKind::BestBalance, "best_balance"},
    {ReasonKind::OnPareto, "on_pareto"},
    {ReasonKind::Dominated, "dominated"},
    {ReasonKind::SlowerThan, "slower_than"},
    {ReasonKind::DearerThan, "dearer_than"},
    {ReasonKind::DearerPays, "dearer_pays"},
    {ReasonKind::DearerOnlyForTime, "dearer_only_for_time"},
    {ReasonKind::SlowerAndDearer, "slower_and_dearer"},
    {ReasonKind::CheaperAndFaster, "cheaper_and_faster"},
    {ReasonKind::NotDistinguishable, "not_distinguishable"},
    {ReasonKind::TightMemory, "tight_memory"},
    {ReasonKind::UncertainPrediction, "uncertain_prediction"},
    {ReasonKind::OldPrice, "old_price"},
    {ReasonKind::LowTrustPrice, "low_trust_price"},
    {ReasonKind::LowTrustFigures, "low_trust_figures"},
    {ReasonKind::SpotInterruptions, "spot_interruptions"},
    {ReasonKind::StartUpShare, "start_up_share"},
    {ReasonKind::PoorScaling, "poor_scaling"},
    {ReasonKind::Limited, "limited"},
}};

std::string bytes(double value) {
    return formatBytes(Bytes(static_cast<std::int64_t>(value)));
}

// "4.1x", "1.03x", "153x"
std::string times(double ratio) {
    return ratio >= 100 ? fmt::format("{:.0f}x", ratio) : fmt::format("{:.3g}x", ratio);
}

std::string refusalText(std::string_view name) {
    if (name == "compute_rate_unknown") return "its compute rate is not published";
    if (name == "bandwidth_unknown") return "its memory bandwidth is not published";
    if (name == "precision_unsupported") return "it does not compute in this precision";
    if (name == "part_of_device") return "a share of a card is not modelled";
    if (name == "batch_below_devices") return "it has more devices than the batch has samples";
    if (name == "software_not_for_device") return "this software was measured on GPUs only";
    if (name == "device_unknown") return "no figures of its device are known";
    return "it cannot be predicted";
}

std::string limitText(std::string_view name) {
    if (name == "bandwidth") return "memory bandwidth sets the pace";
    if (name == "overhead")
        return "starting operations takes longer than doing them: a faster device would hardly help";
    if (name == "input") return "the input pipeline sets the pace: a faster device would not help";
    return "arithmetic sets the pace";
}

}  // namespace

std::string_view toString(ReasonKind kind) {
    for (const auto& [value, name] : kNames)
        if (value == kind) return name;
    return "unknown";
}

std::string englishText(const Reason& r) {
    switch (r.kind) {
        case ReasonKind::Refused:
            return refusalText(r.subject);
        case ReasonKind::DoesNotFit:
            return fmt::format("does not fit: needs {}, has {}, {} too little", bytes(r.a), bytes(r.b),
                               bytes(r.a - r.b));
        case ReasonKind::OverBudget:
            return fmt::format("${} is ${} over the budget", usdText(r.a), usdText(r.a - r.b));
        case ReasonKind::OverDeadline:
            return fmt::format("{:.3g} h is {:.3g} h past the deadline", r.a, r.a - r.b);
        case ReasonKind::ProviderExcluded:
            return fmt::format("{} was not asked for", r.subject);
        case ReasonKind::SpotExcluded:
            return "a spot machine may be taken away at any time";
        case ReasonKind::NoPrice:
            return "its price is not known";
        case ReasonKind::Cheapest:
            return fmt::format("cheapest: ${}", usdText(r.a));
        case ReasonKind::Fastest:
            return fmt::format("fastest: {:.3g} h", r.a);
        case ReasonKind::BestBalance:
            return fmt::format("best balance of time and cost at time weight {:g}", r.a);
        case ReasonKind::OnPareto:
            return "nothing is both faster and cheaper";
        case ReasonKind::Dominated:
            return fmt::format("{} is {} as fast for {:.0f} % of the cost", r.subject, times(r.a), 100 * r.b);
        case ReasonKind::SlowerThan:
            return fmt::format("{} slower than {} at {} its cost", times(r.a), r.subject, times(r.b));
        case ReasonKind::DearerThan:
            return fmt::format("{} as fast as {}, but {} the price", times(r.b), r.subject, times(r.a));
        case ReasonKind::DearerPays:
            return fmt::format("{} faster than {} for {} the price: worth the higher price", times(r.a), r.subject,
                               times(r.b));
        case ReasonKind::DearerOnlyForTime:
            return fmt::format("{} faster than {} for {} the price: only if time comes first", times(r.a), r.subject,
                               times(r.b));
        case ReasonKind::SlowerAndDearer:
            return fmt::format("slower than {} and not cheaper", r.subject);
        case ReasonKind::CheaperAndFaster:
            return fmt::format("{} faster than {} at no higher price", times(r.a), r.subject);
        case ReasonKind::NotDistinguishable:
            return fmt::format("not distinguishable from {}: their bands overlap", r.subject);
        case ReasonKind::TightMemory:
            return fmt::format("tight: needs about {} of {}", bytes(r.a), bytes(r.b));
        case ReasonKind::UncertainPrediction:
            return fmt::format("wide band: {:.2g} to {:.2g} times the predicted time", r.a, r.b);
        case ReasonKind::OldPrice:
            return fmt::format("price of {}, {:.0f} days old", r.subject, r.a);
        case ReasonKind::LowTrustPrice:
            return "price from a third party";
        case ReasonKind::LowTrustFigures:
            return "the device's figures are estimates";
        case ReasonKind::SpotInterruptions:
            return fmt::format("expect {:.2g} interruptions, {:.2g} h more", r.a, r.b);
        case ReasonKind::StartUpShare:
            return fmt::format("{:.0f} % of the billed time passes before the job begins", 100 * r.a);
        case ReasonKind::PoorScaling:
            return fmt::format("{:.0f} devices reach {:.0f} % of {:.0f} times one", r.a, 100 * r.b, r.a);
        case ReasonKind::Limited:
            return limitText(r.subject);
    }
    return {};
}

}  // namespace steelyard::advisor
