// SPDX-License-Identifier: Apache-2.0
// catalog: hardware and prices with their sources: show, check, import, set a price. The shipped files are never
// modified; user entries and imports go to a separate file.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/commands/commands.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/currency_option.h"
#include "app/cli/tables/catalog_text.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/catalog/catalog_json.h"
#include "engine/catalog/skypilot_import.h"
#include "engine/core/messages/app.h"
#include "engine/model/nearest_name.h"

namespace steelyard::cli {
namespace {

struct CatalogArguments {
    std::string id, folder, source, date, regions;
    double usd = 0;
    std::optional<double> rate;
    bool spot = false, allRegions = false, dryRun = false, json = false;
};

Message nearest(const catalog::Catalog& catalog, const std::string& id) {
    std::vector<std::string_view> known;
    for (const auto& spec : catalog.hardware) known.push_back(spec.id);
    for (const auto& offer : catalog.offers) known.push_back(offer.id);
    return app::messages::didYouMean(model::nearestName(id, known));
}

void showCatalog(CommandContext& context, const advisor::AdvisorData& data, const CatalogArguments& arguments) {
    const auto& catalog = data.catalog;
    if (arguments.id.empty()) {
        if (arguments.json) {
            context.out << catalog::toJson(catalog) << "\n";
            return;
        }
        fmt::print(context.out, "{} devices, {} offers; shipped figures collected on {}\n\n", catalog.hardware.size(),
                   catalog.offers.size(), catalog.collected);
        printHardware(context.out, catalog);
        context.out << "\n";
        return printOffers(context.out, catalog, today(context));
    }
    const auto* spec = catalog.findHardware(arguments.id);
    const auto* offer = catalog.findOffer(arguments.id);
    if (spec == nullptr && offer == nullptr)
        return context.report(
            {ErrorKind::NotFound, "'" + arguments.id + "'", nearest(catalog, arguments.id), {}, {}, {}});
    if (arguments.json) {
        context.out << (spec ? catalog::toJson(*spec) : catalog::toJson(*offer)) << "\n";
    } else if (spec != nullptr) {
        printDevice(context.out, *spec);
    } else {
        printOffer(context.out, *offer, today(context));
    }
}

void check(CommandContext& context, const advisor::AdvisorData& data, const CatalogArguments& arguments) {
    const auto problems = catalog::check(data.catalog, today(context));
    if (arguments.json) {
        context.out << advisor::problemsJson(problems) << "\n";
    } else {
        printProblems(context.out, problems);
    }
}

void importSkyPilot(CommandContext& context, const advisor::AdvisorData& data, const CatalogArguments& arguments) {
    const auto import =
        catalog::importSkyPilot(arguments.folder, data.shipped,
                                {.regions = splitList(arguments.regions), .cheapestRegionOnly = !arguments.allRegions});
    if (!import) return context.report(import.error());
    if (!arguments.dryRun && !import->offers.empty()) {
        auto user = data.user;
        catalog::replaceImported(user, import->offers);
        if (const auto ok = catalog::saveUserCatalog(user, userCatalogFile(context)); !ok)
            return context.report(ok.error());
    }
    if (arguments.json) {
        context.out << advisor::importJson(*import) << "\n";
    } else {
        printImport(context.out, *import);
    }
    fmt::print(context.err, "{}\n",
               arguments.dryRun         ? std::string("nothing was stored")
               : import->offers.empty() ? std::string("no offers found; nothing was stored")
                                        : fmt::format("stored in {}", userCatalogFile(context).string()));
}

void setPrice(CommandContext& context, const advisor::AdvisorData& data, const CatalogArguments& arguments) {
    const auto date = arguments.date.empty() ? today(context) : arguments.date;
    if (!catalog::daysBetween(date, today(context)))
        return context.report({ErrorKind::InvalidArgument, "--date", app::messages::notADate(date), {}, {}, {}});
    if (data.catalog.findOffer(arguments.id) == nullptr)
        return context.report(
            {ErrorKind::NotFound, "offer '" + arguments.id + "'", nearest(data.catalog, arguments.id), {}, {}, {}});
    auto user = data.user;
    const catalog::PriceOverride price{arguments.id, arguments.spot, {arguments.usd, date, arguments.source}};
    if (const auto ok = catalog::setPrice(user, data.catalog, price); !ok) return context.report(ok.error());
    if (const auto ok = catalog::saveUserCatalog(user, userCatalogFile(context)); !ok)
        return context.report(ok.error());
    const auto now = catalog::withUser(data.shipped, user);
    if (arguments.json) {
        context.out << catalog::toJson(*now.findOffer(arguments.id)) << "\n";
    } else {
        printOffer(context.out, *now.findOffer(arguments.id), today(context));
    }
}

// Also the place to enter a rate: the program does not go online.
void setCurrency(CommandContext& context, const CatalogArguments& arguments) {
    auto settings = catalog::loadCurrencySettings(currencyFile(context));
    if (!settings) return context.report(settings.error());
    settings->shown = *currencyFromString(arguments.id);
    if (arguments.rate) {
        const auto date = arguments.date.empty() ? today(context) : arguments.date;
        if (!catalog::daysBetween(date, today(context)))
            return context.report({ErrorKind::InvalidArgument, "--date", app::messages::notADate(date), {}, {}, {}});
        if (const auto ok = settings->setRate({settings->shown, *arguments.rate, date, arguments.source}); !ok)
            return context.report(ok.error());
    }
    const auto rate = settings->rateOf(settings->shown);
    if (!rate) return context.report(rate.error());
    if (const auto ok = catalog::saveCurrencySettings(*settings, currencyFile(context)); !ok)
        return context.report(ok.error());
    if (arguments.json) {
        context.out << catalog::toJson(*settings);
    } else {
        const auto text = rateText(*rate);
        context.out << (text.empty() ? "Amounts in USD." : text) << "\n";
    }
}

}  // namespace

void addCatalog(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("catalog", "Manage hardware data and prices, each with source and date");
    command->require_subcommand(1);
    command->fallthrough();
    auto arguments = std::make_shared<CatalogArguments>();
    command->add_flag("--json", arguments->json, "Print one JSON document");
    const auto add = [&](const char* name, const char* help, auto action) {
        auto* sub = command->add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([&context, arguments, action] {
            const auto data = advisorData(context);
            if (!data) return context.report(data.error());
            action(context, *data, *arguments);
        });
        return sub;
    };
    add("show", "Show all devices and offers, or one entry with its sources", showCatalog)
        ->add_option("id", arguments->id, "Device or offer id");
    add("check", "Check for outdated prices, implausible values and unknown devices", check);
    auto* import = add("import-skypilot", "Import prices from SkyPilot catalogue files", importSkyPilot);
    import->add_option("folder", arguments->folder, "Folder, e.g. ~/.sky/catalogs")->required();
    import->add_option("--region", arguments->regions, "Restrict to these regions, comma separated");
    import->add_flag("--all-regions", arguments->allRegions,
                     "Import each machine type for every region, not only the cheapest");
    import->add_flag("--dry-run", arguments->dryRun, "Report what would be imported; change nothing");
    auto* price = add("set-price", "Override the price of an offer", setPrice);
    price->add_option("offer", arguments->id)->required();
    price->add_option("usd", arguments->usd, "US dollars per hour")->required()->check(greaterThanZero);
    price->add_option("--source", arguments->source, "Source of the price")->required();
    price->add_option("--date", arguments->date, "Date of the price (default: today)");
    price->add_flag("--spot", arguments->spot, "Set the spot price");
    auto* currency = command->add_subcommand("set-currency", "Set the currency of printed amounts, and its rate");
    currency->fallthrough();
    std::vector<std::string> codes;
    for (const auto one : kCurrencies) codes.emplace_back(toString(one));
    currency->add_option("currency", arguments->id)->required()->check(CLI::IsMember(codes));
    auto* rate = currency->add_option("--rate", arguments->rate, "Units of the currency for one US dollar")
                     ->check(CLI::Range(kSmallestRate, kLargestRate));
    auto* source = currency->add_option("--source", arguments->source, "Source of the rate")->needs(rate);
    rate->needs(source);
    currency->add_option("--date", arguments->date, "Date of the rate (default: today)")->needs(rate);
    currency->callback([&context, arguments] { setCurrency(context, *arguments); });
}

}  // namespace steelyard::cli
