// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/collect.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

struct FoundResult {
    std::string file;
    TaskResult result;
};

// Keyed by a hash of the text, so that the file and the log of one result coincide.
using FoundResults = std::map<std::string, FoundResult>;

bool isResultFile(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

std::set<std::string> contradictedRuns(const FoundResults& found) {
    std::map<std::string, const FoundResult*> first;
    std::set<std::string> contradicted;
    const auto runIn = [](const TaskResult& result, std::string_view id) {
        return std::ranges::find(result.runs, id, &bench::RunRecord::id);
    };
    for (const auto& [hash, one] : found) {
        for (const auto& run : one.result.runs) {
            const auto [at, isNew] = first.try_emplace(run.id, &one);
            if (isNew) continue;
            const auto& earlier = at->second->result;
            if (earlier.candidate != one.result.candidate || !(*runIn(earlier, run.id) == run))
                contradicted.insert(run.id);
        }
    }
    return contradicted;
}

}  // namespace

Gathered gatherResults(const Campaign& campaign, const std::vector<ResultText>& texts) {
    Gathered gathered;
    FoundResults found;
    std::map<std::string, std::string> cut;  // hash -> file
    for (const auto& [name, text] : texts) {
        if (!isResultFile(text)) {
            auto log = readLog(text);
            for (std::size_t i = 0; i < log.results.size(); ++i)
                found.try_emplace(log.hashes[i], FoundResult{name, std::move(log.results[i])});
            for (const auto& hash : log.cut) cut.try_emplace(hash, name);
        } else if (auto result = taskResultFromJson(text)) {
            found.try_emplace(resultHash(text), FoundResult{name, std::move(*result)});
        } else {
            gathered.problems.push_back(messages::notAResult(name, messageOf(result.error())));
        }
    }
    for (const auto& [hash, file] : cut)
        if (!found.contains(hash)) gathered.problems.push_back(messages::cutResult(file));
    const auto contradicted = contradictedRuns(found);
    for (const auto& id : contradicted) gathered.problems.push_back(messages::contradictedRun(id));
    for (auto& [hash, one] : found) {
        auto& result = one.result;
        if (result.campaign != campaign.id) {
            gathered.problems.push_back(messages::ofAnotherCampaign(one.file, result.campaign));
        } else if (campaign.find(result.candidate) == nullptr) {
            gathered.problems.push_back(messages::noSuchCandidate(one.file, result.candidate));
        } else if (std::ranges::none_of(result.runs, [&](const auto& run) { return contradicted.contains(run.id); })) {
            gathered.results.push_back(std::move(result));
        }
    }
    std::ranges::stable_sort(gathered.results, {}, [](const TaskResult& result) {
        return std::tuple(result.endedUnixMs, std::string_view(result.candidate), result.rank);
    });
    return gathered;
}

std::vector<std::string> withoutResult(const Campaign& campaign) {
    std::vector<std::string> ids;
    for (const auto& candidate : campaign.candidates)
        if (!candidate.hasEnded() && candidate.runIds.empty()) ids.push_back(candidate.id);
    return ids;
}

}  // namespace steelyard::campaign
