// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/advice_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/rank/headline.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::Advice;
using advisor::AdviceRequest;
using advisor::Candidate;

void printHeading(std::ostream& out, const AdviceRequest& request, const Advice& advice, const ExchangeRate& money) {
    fmt::print(out, "{}, {:.0f} steps{}, software {}\n", jobText(request.job), advice.steps,
               request.experiments > 1 ? fmt::format(" in each of {} experiments", request.experiments) : "",
               request.software);
    out << "Times are predicted unless the basis says measured; the ranges are 80 % prediction intervals.\n";
    std::vector<std::string> limits;
    if (request.budgetUsd) limits.push_back("budget " + moneyText(*request.budgetUsd, money));
    if (request.deadlineHours) limits.push_back(fmt::format("deadline {:g} h", *request.deadlineHours));
    if (!request.providers.empty()) limits.push_back(fmt::format("only {}", fmt::join(request.providers, ", ")));
    limits.emplace_back(request.spot ? "spot prices too" : "no spot prices");
    fmt::print(out, "Priority {}, time weight {:g}; {}\n\n", toString(request.priority), request.timeWeight,
               fmt::join(limits, "; "));
}

void printChoice(std::ostream& out, const Advice& advice, const char* name, std::optional<std::size_t> index,
                 const ExchangeRate& money) {
    if (!index) return fmt::print(out, "{:<9} none\n", name);
    const auto& c = advice.candidates[*index];
    fmt::print(out, "{:<9} {} [{}]: {} ({}), {} ({}); {}\n", name, c.title, c.id, advisor::waitText(c.hours.median),
               advisor::waitBandText(c.hours), moneyText(c.costUsd.median, money),
               moneyRangeText(c.costUsd.low, c.costUsd.high, money), toString(c.prediction.basis));
}

// The user's own devices are listed even if they cannot do the job as requested.
void printOwnDevices(std::ostream& out, const Advice& advice, const ExchangeRate& money) {
    for (const auto& c : advice.candidates) {
        if (!c.own || c.isViable()) continue;
        std::vector<std::string> reasons;
        for (const auto* list : {&c.rejectedBecause, &c.reasons})
            for (const auto& reason : *list) reasons.push_back(englishText(reason, money));
        fmt::print(out, "excluded  {} [{}]: {}\n", c.title, c.id, fmt::join(reasons, "; "));
    }
}

void printReasons(std::ostream& out, const Candidate& choice, const ExchangeRate& money) {
    fmt::print(out, "\nWhy {}:\n", choice.title);
    for (const auto& reason : choice.reasons) fmt::print(out, "  - {}\n", englishText(reason, money));
    if (!choice.priceSource.empty())
        fmt::print(out, "  - price {} per hour{}{}\n", moneyText(choice.usdPerHour.value_or(0), money),
                   choice.priceDate.empty() ? "" : " as of " + choice.priceDate,
                   ", " + englishIn(choice.priceSource, money));
}

void printTable(std::ostream& out, const Advice& advice, std::size_t lines, const ExchangeRate& money) {
    const std::string code(toString(money.currency));
    TextTable table({{"", true},
                     {"offer"},
                     {"hardware"},
                     {"hours", true},
                     {"80 % interval"},
                     {code, true},
                     {"80 % interval"},
                     {code + "/h", true},
                     {"price date"},
                     {"basis"},
                     {"why"}});
    for (std::size_t i = 0; i < std::min(lines, advice.candidates.size()); ++i) {
        const auto& c = advice.candidates[i];
        const bool timed = c.prediction.hasTime();
        const bool priced = timed && c.usdPerHour;
        const auto& reasons = c.isViable() ? c.reasons : c.rejectedBecause;
        const auto hardware = c.devices == 1 ? c.hardware : fmt::format("{:g} x {}", c.devices, c.hardware);
        table.add({c.isViable() ? std::to_string(i + 1) : "-", c.id, hardware.empty() ? "-" : hardware,
                   timed ? formatNumber(c.hours.median) : "-",
                   timed ? fmt::format("{} to {}", formatNumber(c.hours.low), formatNumber(c.hours.high)) : "-",
                   priced ? moneyDigits(c.costUsd.median, money) : "-",
                   priced
                       ? fmt::format("{} to {}", moneyDigits(c.costUsd.low, money), moneyDigits(c.costUsd.high, money))
                       : "-",
                   c.usdPerHour ? moneyDigits(*c.usdPerHour, money) : "-", c.priceDate.empty() ? "-" : c.priceDate,
                   timed ? std::string(toString(c.prediction.basis)) : "-",
                   reasons.empty() ? "" : englishText(reasons.front(), money)});
    }
    table.print(out);
}

void printRest(std::ostream& out, const Advice& advice, std::size_t lines) {
    std::map<std::string_view, std::size_t> counts;
    std::size_t viable = 0;
    for (const auto& c : advice.candidates) {
        viable += c.isViable() ? 1 : 0;
        if (!c.isViable()) ++counts[toString(c.rejectedBecause.front().kind)];
    }
    fmt::print(out, "\n{} of {} are viable", viable, advice.candidates.size());
    for (const auto& [kind, count] : counts) {
        std::string words(kind);
        std::ranges::replace(words, '_', ' ');
        fmt::print(out, "; {} {}", count, words);
    }
    out << (lines < advice.candidates.size() ? " (--all lists all with reasons)\n" : "\n");
}

void printSensitivity(std::ostream& out, const Advice& advice) {
    const auto& s = advice.sensitivity;
    const auto& choice = advice.candidates[*advice.chosen].title;
    fmt::print(out, "\nWhat would change the choice of {}:\n", choice);
    if (s.priceFactor)
        fmt::print(out, "  - if its price rises by more than {:.0f} %: {}\n", 100 * (*s.priceFactor - 1), s.priceThen);
    if (s.timeFactor)
        fmt::print(out, "  - if it runs more than {:.0f} % slower than predicted: {}\n", 100 * (*s.timeFactor - 1),
                   s.timeThen);
    if (s.weightBelow) fmt::print(out, "  - below a time weight of {:.3g}: {}\n", *s.weightBelow, s.weightBelowThen);
    if (s.weightAbove) fmt::print(out, "  - above a time weight of {:.3g}: {}\n", *s.weightAbove, s.weightAboveThen);
    if (!s.priceFactor && !s.timeFactor && !s.weightBelow && !s.weightAbove) out << "  - nothing else can do the job\n";
}

}  // namespace

void printAdvice(std::ostream& out, const AdviceRequest& request, const Advice& advice, std::size_t lines,
                 const ExchangeRate& money) {
    printHeading(out, request, advice, money);
    printChoice(out, advice, "cheapest", advice.choices.cheapest, money);
    printChoice(out, advice, "fastest", advice.choices.fastest, money);
    printChoice(out, advice, "balanced", advice.choices.balanced, money);
    printOwnDevices(out, advice, money);
    if (advice.chosen) printReasons(out, advice.candidates[*advice.chosen], money);
    out << "\n";
    printTable(out, advice, lines, money);
    printRest(out, advice, lines);
    if (advice.chosen) printSensitivity(out, advice);
}

void printPurchase(std::ostream& out, const advisor::Purchase& purchase, const ExchangeRate& money) {
    const auto& machine = purchase.machine;
    fmt::print(out, "\nBuy or rent at {:.0f} % utilization (predicted):\n", 100 * machine.utilization);
    fmt::print(out, "  - {} for {} (price as of {}, {}) in a desktop for {}; {:.0f} W, {} of electricity per year\n",
               purchase.card.name, moneyText(machine.purchaseUsd, money), purchase.card.priceDate,
               purchase.card.priceSource, moneyText(machine.hostUsd, money), machine.watts,
               moneyText(electricityUsdPerYear(machine), money));
    fmt::print(out, "  - {} at {} per hour takes {:.2g} times as long for the same work\n", purchase.rentedTitle,
               moneyText(purchase.usdPerHour, money), purchase.speedRatio.median);
    fmt::print(out, "  - on the card the job takes {} ({})\n", advisor::waitText(purchase.jobHours.median),
               advisor::waitBandText(purchase.jobHours));
    const auto& day = purchase.paid.breakEvenDay;
    const auto &soonest = purchase.soonestBreakEvenDay, &latest = purchase.latestBreakEvenDay;
    if (day && latest) {
        fmt::print(out, "  - buying pays for itself after {:.0f} days (80 % interval {:.0f} to {:.0f})\n", *day,
                   soonest.value_or(*day), *latest);
    } else if (day) {
        fmt::print(out,
                   "  - buying pays for itself after {:.0f} days; at the other end of the 80 % interval renting stays "
                   "cheaper\n",
                   *day);
    } else if (soonest) {
        fmt::print(out,
                   "  - renting stays cheaper for {:g} years; at the other end of the 80 % interval buying pays after "
                   "{:.0f} days\n",
                   machine.years, *soonest);
    } else {
        fmt::print(out, "  - renting stays cheaper for {:g} years, within the 80 % interval too\n", machine.years);
    }
}

}  // namespace steelyard::cli
