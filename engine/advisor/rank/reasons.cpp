// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/rank/reasons.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "engine/advisor/rank/headline.h"
#include "engine/core/messages/advisor.h"
#include "engine/core/units.h"

namespace steelyard::advisor {
namespace {

constexpr std::array<std::pair<ReasonKind, std::string_view>, 31> kNames{{
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
    {ReasonKind::MoreExpensiveThan, "more_expensive_than"},
    {ReasonKind::FasterPaysOff, "faster_pays_off"},
    {ReasonKind::FasterOnlyForTime, "faster_only_for_time"},
    {ReasonKind::SlowerAndMoreExpensive, "slower_and_more_expensive"},
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
    {ReasonKind::InsteadInPrecision, "instead_in_precision"},
    {ReasonKind::InsteadWithThisProgram, "instead_with_this_program"},
    {ReasonKind::InsteadInPrecisionThisProgram, "instead_in_precision_with_this_program"},
}};

Bytes bytes(double value) {
    return Bytes(static_cast<std::int64_t>(value));
}
Usd usd(double value) {
    return Usd(value);
}

Message refusalMessage(std::string_view name) {
    if (name == "compute_rate_unknown") return messages::computeRateUnknown();
    if (name == "bandwidth_unknown") return messages::bandwidthUnknown();
    if (name == "precision_unsupported") return messages::precisionUnsupported();
    if (name == "part_of_device") return messages::partOfDevice();
    if (name == "batch_below_devices") return messages::batchBelowDevices();
    if (name == "software_not_for_device") return messages::softwareNotForDevice();
    if (name == "device_unknown") return messages::deviceUnknown();
    return messages::notPredicted();
}

}  // namespace

std::string_view toString(ReasonKind kind) {
    for (const auto& [value, name] : kNames)
        if (value == kind) return name;
    return "unknown";
}

Message machineTitle(std::string_view title) {
    constexpr std::string_view kOwn = "this computer's ";
    if (!title.starts_with(kOwn)) return Message(title);
    title.remove_prefix(kOwn.size());
    return title == "processor" ? messages::ownProcessor() : messages::ownDevice(title);
}

Message limitMessage(std::string_view name) {
    if (name == "bandwidth") return messages::limitedByBandwidth();
    if (name == "overhead") return messages::limitedByOverhead();
    if (name == "input") return messages::limitedByInput();
    return messages::limitedByArithmetic();
}

Message messageOf(const Reason& r) {
    const auto other = [&] { return machineTitle(r.subject); };
    switch (r.kind) {
        case ReasonKind::Refused:
            return refusalMessage(r.subject);
        case ReasonKind::DoesNotFit:
            return messages::doesNotFit(bytes(r.a), bytes(r.b));
        case ReasonKind::OverBudget:
            return messages::overBudget(usd(r.a), usd(r.a - r.b));
        case ReasonKind::OverDeadline:
            return messages::overDeadline(waitMessage(r.a), waitMessage(r.a - r.b));
        case ReasonKind::ProviderExcluded:
            return messages::providerExcluded(r.subject);
        case ReasonKind::SpotExcluded:
            return messages::spotExcluded();
        case ReasonKind::NoPrice:
            return messages::noPrice();
        case ReasonKind::Cheapest:
            return messages::cheapest(usd(r.a));
        case ReasonKind::Fastest:
            return messages::fastest(waitMessage(r.a));
        case ReasonKind::BestBalance:
            return messages::bestBalance(r.a);
        case ReasonKind::OnPareto:
            return messages::onPareto();
        case ReasonKind::Dominated:
            return messages::dominated(other(), r.a, Percent{r.b});
        case ReasonKind::SlowerThan:
            return messages::slowerButCheaper(r.a, other(), Percent{1 - r.b});
        case ReasonKind::MoreExpensiveThan:
            return messages::fasterButMoreExpensive(r.b, other(), r.a);
        case ReasonKind::FasterPaysOff:
            return messages::worthThePrice(r.a, other(), r.b);
        case ReasonKind::FasterOnlyForTime:
            return messages::onlyForTime(r.a, other(), r.b);
        case ReasonKind::SlowerAndMoreExpensive:
            return messages::slowerNotCheaper(other());
        case ReasonKind::CheaperAndFaster:
            return messages::fasterNotMoreExpensive(r.a, other());
        case ReasonKind::NotDistinguishable:
            return messages::tooCloseToCall(other());
        case ReasonKind::TightMemory:
            return messages::tightMemory(bytes(r.a), bytes(r.b));
        case ReasonKind::UncertainPrediction:
            return messages::wideInterval(r.a, r.b);
        case ReasonKind::OldPrice:
            return messages::oldPrice(r.subject, std::llround(r.a));
        case ReasonKind::LowTrustPrice:
            return messages::thirdPartyPrice();
        case ReasonKind::LowTrustFigures:
            return messages::estimatedFigures();
        case ReasonKind::SpotInterruptions:
            return messages::interruptions(r.a, waitMessage(r.b));
        case ReasonKind::StartUpShare:
            return messages::startUpTime(Percent{r.a});
        case ReasonKind::PoorScaling:
            return messages::poorScaling(std::llround(r.a), Percent{r.b});
        case ReasonKind::Limited:
            return limitMessage(r.subject);
        case ReasonKind::InsteadInPrecision:
            return messages::insteadInPrecision(r.subject, std::llround(r.b), waitMessage(r.a));
        case ReasonKind::InsteadWithThisProgram:
            return messages::insteadWithThisProgram(std::llround(r.b), waitMessage(r.a));
        case ReasonKind::InsteadInPrecisionThisProgram:
            return messages::insteadInPrecisionWithThisProgram(r.subject, std::llround(r.b), waitMessage(r.a));
    }
    return {};
}

std::string englishText(const Reason& reason, const ExchangeRate& rate) {
    return englishIn(messageOf(reason), rate);
}

}  // namespace steelyard::advisor
