// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tables/campaign_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "app/cli/tables/text_table.h"
#include "engine/core/money.h"
#include "engine/core/text.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

std::string secondsText(const std::optional<double>& seconds) {
    return seconds ? formatSeconds(Seconds(*seconds)) : "-";
}

std::string dollars(const std::optional<double>& usd) {
    return usd ? moneyDigits(*usd) : "-";
}

void printSweep(std::ostream& out, const campaign::Campaign& campaign) {
    TextTable table({{"id"}, {"state"}, {"cases", true}, {"title"}, {"reason"}});
    for (const auto& chunk : campaign.candidates)
        table.add({chunk.id, std::string(toString(chunk.state)), std::to_string(chunk.cases.size()), chunk.title,
                   chunk.reason.text});
    table.print(out);
}

void printCandidates(std::ostream& out, const campaign::Campaign& campaign, const campaign::Comparison& comparison,
                     std::int64_t nowUnixMs) {
    const auto& question = *campaign.question;
    fmt::print(out, "{} {}, batch {}, {}, {:.0f} steps; priority {}\n", visible(question.workload), question.mode,
               question.batch, question.precision, question.steps, question.priority);
    out << "Predictions are those made when the candidate was planned, with 80 % prediction intervals.\n\n";
    TextTable table({{"id"},
                     {"candidate"},
                     {"engine"},
                     {"state"},
                     {"predicted step", true},
                     {"80 % interval"},
                     {"measured step", true},
                     {"rank", true},
                     {"time limit", true},
                     {"max. USD", true},
                     {"spent USD", true},
                     {"reason"}});
    for (const auto& candidate : campaign.candidates) {
        const auto& forecast = candidate.forecast;
        const auto row = std::ranges::find(comparison.candidates, candidate.id, &campaign::ComparedCandidate::id);
        const auto before = row->placeBefore, now = row->placeNow;
        const auto place = !now            ? std::string("-")
                           : before == now ? std::to_string(*now)
                                           : fmt::format("{} (was {})", *now, before.value_or(0));
        const auto& measured = candidate.measuredStepSeconds;
        table.add({candidate.id, candidate.title, std::string(toString(candidate.engine)),
                   std::string(toString(candidate.state)),
                   forecast ? formatSeconds(Seconds(forecast->stepSeconds.median)) : "-",
                   forecast ? fmt::format("{} to {}", formatSeconds(Seconds(forecast->stepSeconds.low)),
                                          formatSeconds(Seconds(forecast->stepSeconds.high)))
                            : "-",
                   measured ? formatSeconds(Seconds(measured->median)) : "-", place,
                   forecast ? secondsText(forecast->measuringSeconds) : "-", dollars(worstUsd(campaign, candidate)),
                   dollars(candidate.spentUsd(nowUnixMs)), candidate.reason.text});
    }
    table.print(out);
    if (const auto worst = worstUsd(campaign))
        fmt::print(out, "\nMaximum cost of all measurements: {}{}; spent so far: about {}.\n", moneyText(*worst),
                   campaign.budgetUsd ? " of a budget of " + moneyText(*campaign.budgetUsd) : "",
                   moneyText(spentUsd(campaign, nowUnixMs).value_or(0)));
    const bool anyMeasured = std::ranges::any_of(
        campaign.candidates, [](const campaign::Candidate& c) { return c.measuredStepSeconds.has_value(); });
    if (comparison.changes.empty()) return;
    out << (anyMeasured ? "\nEffect of the measurements on the recommendation:\n" : "\n");
    for (const auto& change : comparison.changes) fmt::print(out, "  - {}\n", visible(change.text));
}

}  // namespace

void printCampaignTable(std::ostream& out, const campaign::Campaign& campaign, const campaign::Comparison& comparison,
                        std::int64_t nowUnixMs) {
    fmt::print(out, "{}  {}  {}  {}\n", campaign.id, toString(stateOf(campaign)), visible(campaign.name),
               visible(campaign.folder));
    if (campaign.question) {
        printCandidates(out, campaign, comparison, nowUnixMs);
    } else {
        printSweep(out, campaign);
    }
}

}  // namespace steelyard::cli
