// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/bench/run/suite_runner.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

constexpr std::array kEngines{std::pair{Engine::SkyPilot, "skypilot"},
                              std::pair{Engine::Slurm, "slurm"},
                              std::pair{Engine::Kubernetes, "kubernetes"},
                              std::pair{Engine::MpiJob, "mpijob"},
                              std::pair{Engine::Mpirun, "mpirun"},
                              std::pair{Engine::Parallel, "parallel"},
                              std::pair{Engine::Local, "local"}};
constexpr std::array kStates{
    std::pair{CandidateState::Planned, "planned"}, std::pair{CandidateState::Submitted, "submitted"},
    std::pair{CandidateState::Running, "running"}, std::pair{CandidateState::Collected, "collected"},
    std::pair{CandidateState::Failed, "failed"},   std::pair{CandidateState::GivenUp, "given_up"}};

template <typename Table, typename Value>
std::string_view nameIn(const Table& table, Value value) {
    for (const auto& [known, name] : table)
        if (known == value) return name;
    return {};
}
template <typename Table>
auto valueIn(const Table& table, std::string_view name) -> std::optional<typename Table::value_type::first_type> {
    for (const auto& [value, known] : table)
        if (name == known) return value;
    return std::nullopt;
}

template <typename Of>
std::optional<double> sumOf(const Campaign& campaign, Of of) {
    std::optional<double> sum;
    for (const auto& candidate : campaign.candidates)
        if (const auto part = of(candidate)) sum = sum.value_or(0) + *part;
    return sum;
}

}  // namespace

std::string_view toString(Engine engine) {
    return nameIn(kEngines, engine);
}
std::optional<Engine> engineFromString(std::string_view name) {
    return valueIn(kEngines, name);
}
std::string_view toString(CandidateState state) {
    return nameIn(kStates, state);
}
std::optional<CandidateState> candidateStateFromString(std::string_view name) {
    return valueIn(kStates, name);
}

std::optional<double> Candidate::usdPerHour() const {
    std::optional<double> most;
    for (const auto& placement : placements)
        if (placement.usdPerHour) most = std::max(most.value_or(0), *placement.usdPerHour);
    return most;
}

std::optional<double> Candidate::spentUsd(std::int64_t nowUnixMs) const {
    const auto price = usdPerHour();
    if (!price) return std::nullopt;
    if (!startedUnixMs) return 0;
    const auto end = endedUnixMs.value_or(nowUnixMs);
    return *price * static_cast<double>(std::max<std::int64_t>(0, end - *startedUnixMs)) / 3.6e6 * nodes;
}

const Candidate* Campaign::find(std::string_view wanted) const {
    const auto found = std::ranges::find(candidates, wanted, &Candidate::id);
    return found == candidates.end() ? nullptr : &*found;
}

Candidate* Campaign::find(std::string_view wanted) {
    return const_cast<Candidate*>(std::as_const(*this).find(wanted));
}

std::string_view toString(CampaignState state) {
    switch (state) {
        case CampaignState::Planned:
            return "planned";
        case CampaignState::Running:
            return "running";
        case CampaignState::Done:
            return "done";
    }
    return {};
}

CampaignState stateOf(const Campaign& campaign) {
    const auto is = [](auto check) { return [check](const Candidate& c) { return check(c); }; };
    if (std::ranges::all_of(campaign.candidates,
                            is([](const Candidate& c) { return c.state == CandidateState::Planned; })))
        return CampaignState::Planned;
    if (std::ranges::all_of(campaign.candidates, is([](const Candidate& c) { return c.hasEnded(); })))
        return CampaignState::Done;
    return CampaignState::Running;
}

std::optional<double> worstUsd(const Campaign& campaign, const Candidate& candidate) {
    const auto price = candidate.usdPerHour();
    if (!price) return std::nullopt;
    const double attempt = kStartSeconds + candidate.capSeconds + kKillAfterSeconds + kIdleSeconds;
    return *price * attempt / 3600 * candidate.nodes * (campaign.retries + 1);
}

std::optional<double> worstUsd(const Campaign& campaign) {
    return sumOf(campaign, [&](const Candidate& candidate) { return worstUsd(campaign, candidate); });
}

std::optional<double> spentUsd(const Campaign& campaign, std::int64_t nowUnixMs) {
    return sumOf(campaign, [nowUnixMs](const Candidate& candidate) { return candidate.spentUsd(nowUnixMs); });
}

Result<void> checkBudget(const Campaign& campaign) {
    const auto worst = worstUsd(campaign);
    if (campaign.budgetUsd && worst && *worst > *campaign.budgetUsd)
        return fail(ErrorKind::InvalidArgument, campaign.id,
                    messages::overBudget(Usd{*worst}, Usd{*campaign.budgetUsd}));
    return {};
}

std::string newCampaignId(const Clock& clock) {
    return bench::newRunId(clock);
}

std::string jobName(const Campaign& campaign, const Candidate* candidate) {
    if (candidate == nullptr) return "sy-" + campaign.id;
    return fmt::format("sy-{}-{}{}", campaign.id, candidate->id,
                       candidate->attempts > 0 ? fmt::format("-{}", candidate->attempts + 1) : std::string());
}

bool canLaunch(const Candidate& candidate) {
    return candidate.state == CandidateState::Planned || candidate.state == CandidateState::Failed;
}

void repeatLostSpot(Campaign& campaign, std::string_view candidate) {
    auto* lost = campaign.find(candidate);
    if (lost == nullptr) return;
    lost->state = CandidateState::GivenUp;
    lost->reason = messages::spotLost();
    auto again = *lost;
    again.id = fmt::format("{:02}", campaign.candidates.size() + 1);
    again.repeats = lost->id;
    again.state = CandidateState::Planned;
    again.reason = messages::repeatsLostSpot(lost->id);
    again.externalId.clear();
    again.taskFile.clear();
    again.runIds.clear();
    again.measuredStepSeconds.reset();
    again.submittedUnixMs = again.startedUnixMs = again.endedUnixMs = std::nullopt;
    campaign.candidates.push_back(std::move(again));
}

}  // namespace steelyard::campaign
