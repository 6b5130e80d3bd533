// SPDX-License-Identifier: Apache-2.0
#include "ui/text/advice_text.h"

#include <cmath>

#include "ui/text/format.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

QString size(double bytes) {
    return Format::bytes(static_cast<std::int64_t>(bytes));
}

QString wait(double hours) {
    return Format::wait(hours * 3600);
}

}  // namespace

QString AdviceText::machine(std::string_view title) {
    constexpr std::string_view kOwn = "this computer's ";
    if (title.substr(0, kOwn.size()) != kOwn) return plain(title);
    const auto device = title.substr(kOwn.size());
    return device == "processor" ? tr("this computer's processor") : tr("this computer's %1").arg(plain(device));
}

QString AdviceText::refusal(std::string_view name) {
    if (name == "compute_rate_unknown") return tr("its compute rate is not published");
    if (name == "bandwidth_unknown") return tr("its memory bandwidth is not published");
    if (name == "precision_unsupported") return tr("it does not compute in this precision");
    if (name == "part_of_device") return tr("a share of a card is not modelled");
    if (name == "batch_below_devices") return tr("it has more devices than the batch has samples");
    if (name == "software_not_for_device") return tr("this software was measured on GPUs only");
    if (name == "device_unknown") return tr("no figures of its device are known");
    return tr("it cannot be predicted");
}

QString AdviceText::limit(std::string_view name) {
    if (name == "bandwidth") return tr("limited by memory bandwidth");
    if (name == "overhead")
        return tr("limited by launch overhead: a faster device would barely help, a larger batch may");
    if (name == "input") return tr("limited by the input pipeline: a faster device would not help");
    return tr("limited by arithmetic");
}

QString AdviceText::reason(const advisor::Reason& r) {
    using Kind = advisor::ReasonKind;
    switch (r.kind) {
        case Kind::Refused:
            return refusal(r.subject);
        case Kind::DoesNotFit:
            return tr("does not fit: needs %1, has %2").arg(size(r.a), size(r.b));
        case Kind::OverBudget:
            return tr("%1 is %2 over the budget").arg(Format::money(r.a), Format::money(r.a - r.b));
        case Kind::OverDeadline:
            return tr("%1 is %2 past the deadline").arg(wait(r.a), wait(r.a - r.b));
        case Kind::ProviderExcluded:
            return tr("%1 was not asked for").arg(plain(r.subject));
        case Kind::SpotExcluded:
            return tr("a spot machine may be taken away at any time");
        case Kind::NoPrice:
            return tr("its price is not known");
        case Kind::Cheapest:
        case Kind::Fastest:
        case Kind::BestBalance:
        case Kind::OnPareto:
        case Kind::Dominated:
        case Kind::SlowerThan:
        case Kind::DearerThan:
        case Kind::DearerPays:
        case Kind::DearerOnlyForTime:
        case Kind::SlowerAndDearer:
        case Kind::CheaperAndFaster:
            return why(r);
        case Kind::NotDistinguishable:
        case Kind::TightMemory:
        case Kind::UncertainPrediction:
        case Kind::OldPrice:
        case Kind::LowTrustPrice:
        case Kind::LowTrustFigures:
        case Kind::SpotInterruptions:
        case Kind::StartUpShare:
        case Kind::PoorScaling:
        case Kind::Limited:
            return caveat(r);
    }
    return {};
}

QString AdviceText::why(const advisor::Reason& r) {
    using Kind = advisor::ReasonKind;
    const auto other = machine(r.subject);
    switch (r.kind) {
        case Kind::Cheapest:
            return tr("cheapest: %1").arg(Format::money(r.a));
        case Kind::Fastest:
            return tr("fastest: %1").arg(wait(r.a));
        case Kind::BestBalance:
            return tr("best balance of time and cost at time weight %1").arg(Format::number(r.a));
        case Kind::OnPareto:
            return tr("no machine beats it on both time and price");
        case Kind::Dominated:
            return tr("%1 is %2 as fast for %3 of the cost").arg(other, Format::times(r.a), Format::percent(r.b));
        case Kind::SlowerThan:
            return tr("takes %1 as long as %2, but costs %3 less")
                .arg(Format::times(r.a), other, Format::percent(1 - r.b));
        case Kind::DearerThan:
            return tr("%3 as fast as %2, but %1 the price").arg(Format::times(r.a), other, Format::times(r.b));
        case Kind::DearerPays:
            return tr("%1 as fast as %2 for %3 the price: worth the higher price")
                .arg(Format::times(r.a), other, Format::times(r.b));
        case Kind::DearerOnlyForTime:
            return tr("%1 as fast as %2 for %3 the price: only if you are in a hurry")
                .arg(Format::times(r.a), other, Format::times(r.b));
        case Kind::SlowerAndDearer:
            return tr("slower than %1 and not cheaper").arg(other);
        case Kind::CheaperAndFaster:
            return tr("%1 as fast as %2 and no more expensive").arg(Format::times(r.a), other);
        default:
            return {};
    }
}

QString AdviceText::caveat(const advisor::Reason& r) {
    using Kind = advisor::ReasonKind;
    switch (r.kind) {
        case Kind::NotDistinguishable:
            return tr("too close to call against %1").arg(machine(r.subject));
        case Kind::TightMemory:
            return tr("tight: needs about %1 of %2").arg(size(r.a), size(r.b));
        case Kind::UncertainPrediction:
            return tr("wide band: %1 to %2 the predicted time").arg(Format::times(r.a), Format::times(r.b));
        case Kind::OldPrice:
            return tr("price from %1 (%2)")
                .arg(Format::isoDate(r.subject), Format::age(static_cast<int>(std::llround(r.a))));
        case Kind::LowTrustPrice:
            return tr("price from a third party");
        case Kind::LowTrustFigures:
            return tr("the device's figures are estimates");
        case Kind::SpotInterruptions:
            return tr("expect %1 interruptions, %2 more").arg(Format::number(r.a), wait(r.b));
        case Kind::StartUpShare:
            return tr("%1 of the billed time passes before the job begins").arg(Format::percent(r.a));
        case Kind::PoorScaling:
            return tr("%1 devices reach %2 of %1 times one")
                .arg(Format::integer(std::llround(r.a)), Format::percent(r.b));
        case Kind::Limited:
            return limit(r.subject);
        default:
            return {};
    }
}

QString AdviceText::name(advisor::Priority priority) {
    switch (priority) {
        case advisor::Priority::Cheapest:
            return tr("Cheapest");
        case advisor::Priority::Fastest:
            return tr("Fastest");
        case advisor::Priority::Balanced:
            return tr("Balanced");
    }
    return {};
}

QString AdviceText::name(advisor::Basis basis) {
    switch (basis) {
        case advisor::Basis::Measured:
            return tr("measured");
        case advisor::Basis::Anchored:
            return tr("estimate from a measurement");
        case advisor::Basis::Extrapolated:
            return tr("estimate");
    }
    return {};
}

QString AdviceText::bandClass(advisor::BandClass value) {
    using Class = advisor::BandClass;
    switch (value) {
        case Class::SameGenerationTransfer:
            return tr("carried over from a device of the same generation");
        case Class::MedianTransfer:
            return tr("carried over from several devices");
        case Class::OtherGenerationTransfer:
            return tr("carried over from a device of another generation");
        case Class::Anchored:
            return tr("other networks were measured on this device");
        case Class::KnownStack:
            return tr("device not measured, software known");
        case Class::LaunchBound:
            return tr("small operations: starting them decides");
        case Class::UnknownStack:
            return tr("software not known on this device");
        case Class::Unmeasured:
            return tr("no measurement on this device yet");
        case Class::OtherProcessor:
            return tr("another processor");
        case Class::Uncalibrated:
            return tr("nothing published to compare with: low confidence");
    }
    return {};
}

QString AdviceText::name(advisor::VariantVerdict verdict) {
    switch (verdict) {
        case advisor::VariantVerdict::Pays:
            return tr("worth it");
        case advisor::VariantVerdict::Costs:
            return tr("costs time");
        case advisor::VariantVerdict::Undecided:
            return tr("unclear");
    }
    return {};
}

QString AdviceText::persona(std::string_view id) {
    if (id == "overnight_hobbyist") return tr("Overnight hobbyist");
    if (id == "professional") return tr("Professional");
    if (id == "beginner") return tr("Beginner on little money");
    if (id == "competition") return tr("Competition");
    if (id == "researcher") return tr("Researcher");
    if (id == "team") return tr("Team with a cluster");
    return plain(id);
}

QString AdviceText::backtestClass(std::string_view name) {
    if (name == "leave_one_chip_out") return tr("a chip left out");
    if (name == "leave_one_family_out") return tr("a family of networks left out");
    if (name == "transfer_same_generation") return tr("carried over within a generation");
    if (name == "transfer_other_generation") return tr("carried over to another generation");
    if (name == "transfer_median") return tr("carried over from several devices");
    if (name == "anchored") return tr("other networks measured on the device");
    if (name == "convolutional") return tr("convolutional networks");
    if (name == "transformer") return tr("transformers");
    if (name == "recurrent") return tr("recurrent networks");
    if (name == "dense") return tr("dense networks");
    if (name == "launch_bound") return tr("small operations");
    if (name == "batch_up_to_8") return tr("batches up to 8");
    if (name == "unknown_stack") return tr("software not known");
    return plain(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace steelyard::ui
