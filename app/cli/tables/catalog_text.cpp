// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/catalog_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "app/cli/tables/text_table.h"
#include "engine/core/money.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using catalog::Figure;
using catalog::Offer;
using catalog::Price;
using catalog::ProblemKind;
using catalog::Rejection;

constexpr std::size_t kRejectedLines = 10;  // per reason

std::string scaled(const std::optional<Figure>& figure, double unit) {
    return figure ? fmt::format("{:.4g}", figure->value / unit) : "-";
}

std::string usd(const std::optional<Price>& price) {
    return price ? moneyDigits(price->usdPerHour) : "-";
}

std::string deviceOf(const Offer& offer) {
    if (offer.accelerator) return fmt::format("{:g} x {}", offer.acceleratorCount.value_or(1), *offer.accelerator);
    return offer.cpu.value_or("-");
}

std::string remarksOf(const Offer& offer, const Price* price, const std::string& today) {
    std::string text;
    const auto add = [&](const std::string& remark) { text += (text.empty() ? "" : ", ") + remark; };
    if (offer.historical) add("historical");
    if (offer.partOfMachine) add("part of a machine");
    if (offer.lowTrust) add("unverified source");
    if (offer.origin != catalog::OfferOrigin::Shipped) add(std::string(toString(offer.origin)));
    if (price == nullptr || offer.historical) return text;
    const auto age = catalog::daysBetween(price->date, today);
    if (age && *age > catalog::kOldPriceDays) add(fmt::format("{} days old", *age));
    return text;
}

std::string problemText(const catalog::Problem& problem) {
    switch (problem.kind) {
        case ProblemKind::DuplicateId:
            return "duplicate id";
        case ProblemKind::UnknownHardware:
            return fmt::format("its device {} is not in the catalogue", problem.subject);
        case ProblemKind::NoPrice:
            return "has no price";
        case ProblemKind::OldPrice:
            return fmt::format("its {} price is {:.0f} days old", problem.subject == "spot" ? "spot" : "on-demand",
                               problem.value);
        case ProblemKind::SpotAboveOnDemand:
            return fmt::format("its spot price is {:.2f} times the on-demand price", problem.value);
        case ProblemKind::ImplausibleFigure:
            return fmt::format("{} is {:g}, which is implausible", problem.subject, problem.value);
        case ProblemKind::LowTrust:
            return "its figures come from an unverified source";
    }
    return {};
}

std::string rejectionText(const catalog::RejectedRow& row) {
    switch (row.reason) {
        case Rejection::FieldCount:
            return fmt::format("has {} fields", row.detail);
        case Rejection::NotANumber:
            return fmt::format("\"{}\" is not a number", row.detail);
        case Rejection::Implausible:
            return fmt::format("{} is an implausible price or size", row.detail);
        case Rejection::NoInstance:
            return "has neither a machine nor an accelerator";
        case Rejection::NoPrice:
            return fmt::format("{} has no price", row.detail);
        case Rejection::PriceSentinel:
            return fmt::format("700 is a placeholder for an unknown {} price", row.detail);
        case Rejection::HostPriceUnknown:
            return fmt::format("the machine {} has no price", row.detail);
        case Rejection::NoHostRow:
            return fmt::format("the machine {} is not listed", row.detail);
        case Rejection::UnknownHost:
            return fmt::format("the machine with {} is unknown", row.detail);
        case Rejection::SpotAboveOnDemand:
            return fmt::format("spot {}: the on-demand price is ignored", row.detail);
    }
    return {};
}

void printPrice(std::ostream& out, const char* name, const std::optional<Price>& price) {
    if (price)
        fmt::print(out, "  {:<10} {} per hour, as of {}, {}\n", name, moneyText(price->usdPerHour), price->date,
                   price->source);
}

}  // namespace

void printHardware(std::ostream& out, const catalog::Catalog& catalog) {
    TextTable table({{"id"},
                     {"name"},
                     {"class"},
                     {"fp32 TFLOP/s", true},
                     {"16-bit", true},
                     {"GB", true},
                     {"GB/s", true},
                     {"W", true}});
    for (const auto& spec : catalog.hardware)
        table.add({spec.id, spec.name, std::string(toString(spec.hardwareClass)), scaled(spec.fp32Flops, 1e12),
                   scaled(spec.fp16Flops ? spec.fp16Flops : spec.bf16Flops, 1e12), scaled(spec.memoryBytes, 1e9),
                   scaled(spec.memoryBytesPerSecond, 1e9), scaled(spec.tdpWatts, 1)});
    table.print(out);
}

void printOffers(std::ostream& out, const catalog::Catalog& catalog, const std::string& today) {
    TextTable table({{"id"}, {"device"}, {"USD/h", true}, {"spot", true}, {"price date"}, {"remarks"}});
    for (const auto& offer : catalog.offers) {
        const auto* price = offer.onDemand ? &*offer.onDemand : offer.spot ? &*offer.spot : nullptr;
        table.add({offer.id, deviceOf(offer), usd(offer.onDemand), usd(offer.spot), price ? price->date : "-",
                   remarksOf(offer, price, today)});
    }
    table.print(out);
}

void printDevice(std::ostream& out, const catalog::HardwareSpec& spec) {
    fmt::print(out, "{} {} ({}), {}{}\n", spec.vendor, spec.name, spec.id, toString(spec.hardwareClass),
               spec.architecture.empty() ? "" : ", " + spec.architecture);
    if (!spec.notes.empty()) fmt::print(out, "{}\n", spec.notes);
    TextTable table({{"figure"}, {"value", true}, {"date"}, {"source"}});
    for (const auto& field : catalog::figureFields()) {
        const auto& figure = spec.*field.member;
        if (figure)
            table.add({std::string(field.name), fmt::format("{:.6g}", figure->value), figure->date, figure->source});
    }
    table.print(out);
}

void printOffer(std::ostream& out, const Offer& offer, const std::string& today) {
    const auto* price = offer.onDemand ? &*offer.onDemand : offer.spot ? &*offer.spot : nullptr;
    const auto remarks = remarksOf(offer, price, today);
    fmt::print(out, "{} {} ({}){}\n", offer.provider, offer.instance, offer.id, remarks.empty() ? "" : ": " + remarks);
    fmt::print(out, "  {:<10} {}\n", "device", deviceOf(offer));
    if (offer.vcpus) fmt::print(out, "  {:<10} {:g}\n", "vCPUs", *offer.vcpus);
    if (offer.memory) fmt::print(out, "  {:<10} {}\n", "memory", formatBytes(*offer.memory));
    if (offer.region) fmt::print(out, "  {:<10} {}\n", "region", *offer.region);
    printPrice(out, "on demand", offer.onDemand);
    printPrice(out, "spot", offer.spot);
    if (!offer.billing.text.empty()) fmt::print(out, "  {:<10} {}\n", "billing", offer.billing.text);
    if (!offer.notes.empty()) fmt::print(out, "  {:<10} {}\n", "notes", offer.notes);
}

void printProblems(std::ostream& out, const std::vector<catalog::Problem>& problems) {
    if (problems.empty()) out << "no problems found\n";
    TextTable table({{"id"}, {"problem"}});
    for (const auto& problem : problems) table.add({problem.id, problemText(problem)});
    if (!problems.empty()) table.print(out);
}

void printImport(std::ostream& out, const catalog::SkyPilotImport& import) {
    for (const auto& file : import.files) fmt::print(out, "read {}\n", file);
    fmt::print(out, "{} rows, {} offers\n", import.rows, import.offers.size());
    if (import.rejected.empty()) return;
    std::map<Rejection, std::vector<const catalog::RejectedRow*>> byReason;
    for (const auto& row : import.rejected) byReason[row.reason].push_back(&row);
    out << "skipped:\n";
    for (const auto& [reason, rows] : byReason) {
        fmt::print(out, "  {} ({} rows{})\n", toString(reason), rows.size(),
                   rows.front()->wholeRow ? "" : ", one price in each");
        for (std::size_t i = 0; i < std::min(rows.size(), kRejectedLines); ++i)
            fmt::print(out, "    {} line {}: {}\n", rows[i]->file, rows[i]->line, rejectionText(*rows[i]));
        if (rows.size() > kRejectedLines)
            fmt::print(out, "    and {} more (--json lists all)\n", rows.size() - kRejectedLines);
    }
}

}  // namespace steelyard::cli
