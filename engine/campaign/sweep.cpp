// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/campaign/task_files/task_files.h"
#include "engine/core/json/json_document.h"
#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

struct StoredChunk {
    std::string candidate, order;
};
template <SameAs<StoredChunk> T, typename Visitor>
void visitFields(T& chunk, Visitor&& visit) {
    visit(required("candidate"), chunk.candidate);
    visit(required("order").asDocument(), chunk.order);
}

struct StoredSweep {
    std::string format{kSweepFormat};
    int version = kSweepVersion;
    std::string campaign;
    std::vector<StoredChunk> chunks;
};
template <SameAs<StoredSweep> T, typename Visitor>
void visitFields(T& sweep, Visitor&& visit) {
    visit(required("format"), sweep.format);
    visit(required("version"), sweep.version);
    visit(required("campaign"), sweep.campaign);
    visit(required("chunks"), sweep.chunks);
}

// Another attempt would have the same outcome.
bool isFinal(bench::Status status) {
    return status == bench::Status::Ok || status == bench::Status::OutOfMemory || status == bench::Status::Unsupported;
}

}  // namespace

std::vector<std::vector<bench::Case>> chunksOf(const std::vector<bench::Case>& cases,
                                               const std::function<double(const bench::Case&)>& seconds,
                                               std::size_t mostChunks, double leastSeconds) {
    std::vector<double> estimates;
    double all = 0;
    for (const auto& spec : cases) all += estimates.emplace_back(std::max(0.0, seconds(spec)));
    const double least = std::max(leastSeconds, all / static_cast<double>(std::max<std::size_t>(1, mostChunks)));
    std::vector<std::vector<bench::Case>> chunks;
    double filled = least;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (filled >= least) {
            chunks.emplace_back();
            filled = 0;
        }
        chunks.back().push_back(cases[i]);
        filled += estimates[i];
    }
    // The remainder is too short for a separate chunk.
    if (chunks.size() > 1 && filled < least) {
        auto rest = std::move(chunks.back());
        chunks.pop_back();
        chunks.back().insert(chunks.back().end(), rest.begin(), rest.end());
    }
    return chunks;
}

std::string sweepDocument(const Campaign& campaign, const std::vector<const Candidate*>& chunks) {
    StoredSweep sweep;
    sweep.campaign = campaign.id;
    const auto protocol = campaign.protocol.value_or(SweepProtocol());
    for (const auto* chunk : chunks) {
        bench::RunSpec order{chunk->cases, {}, {}};
        order.protocol.visits = protocol.visits;
        order.protocol.timeCap = Seconds(protocol.timeCapSeconds);
        sweep.chunks.push_back({chunk->id, bench::toJson(order)});
    }
    return dumpJson(toJsonValue(sweep), 1) + "\n";
}

Result<SweepChunk> sweepChunk(std::string_view document, std::int64_t index) {
    ASSIGN(const auto sweep, readDocument<StoredSweep>(document, [](JsonReader& reader, StoredSweep& value) {
               reader.requireFormat(kSweepFormat, kSweepVersion);
               reader.readFields(value);
           }));
    if (index < 0 || static_cast<std::size_t>(index) >= sweep.chunks.size())
        return fail(ErrorKind::InvalidArgument, "--index", messages::noSuchChunk(index, sweep.chunks.size()));
    const auto& chunk = sweep.chunks[static_cast<std::size_t>(index)];
    ASSIGN(auto order, bench::runSpecFromJson(chunk.order));
    return SweepChunk{sweep.campaign, chunk.candidate, std::move(order)};
}

double measuredPace(const Campaign& campaign, const std::function<double(const bench::Case&)>& seconds) {
    double estimated = 0, taken = 0;
    for (const auto& chunk : campaign.candidates) {
        if (chunk.state != CandidateState::Collected || !chunk.startedUnixMs || !chunk.endedUnixMs) continue;
        taken += static_cast<double>(std::max<std::int64_t>(0, *chunk.endedUnixMs - *chunk.startedUnixMs)) / 1e3;
        for (const auto& spec : chunk.cases) estimated += std::max(0.0, seconds(spec));
    }
    return estimated > 0 && taken > 0 ? taken / estimated : 1;
}

std::size_t replanMissing(Campaign& campaign, const std::vector<bench::CaseRecord>& done,
                          const std::function<double(const bench::Case&)>& seconds) {
    std::set<std::string> measured;
    for (const auto& record : done)
        if (isFinal(record.status)) measured.insert(bench::caseHash(record.spec));
    for (const auto& chunk : campaign.candidates)
        if (!chunk.hasEnded())
            for (const auto& spec : chunk.cases) measured.insert(bench::caseHash(spec));
    std::vector<bench::Case> missing;
    Candidate pattern;
    for (auto& chunk : campaign.candidates) {
        if (chunk.state != CandidateState::Collected && chunk.state != CandidateState::Failed) continue;
        bool lacks = false;
        for (const auto& spec : chunk.cases) {
            if (!measured.insert(bench::caseHash(spec)).second) continue;
            missing.push_back(spec);
            lacks = true;
        }
        if (!lacks) continue;
        pattern = chunk;
        if (chunk.state == CandidateState::Failed) chunk.state = CandidateState::GivenUp;
    }
    if (missing.empty()) return 0;
    pattern.taskFile.clear();
    pattern.externalId.clear();
    pattern.taskIndex.reset();
    pattern.state = CandidateState::Planned;
    pattern.reason = {};
    pattern.attempts = 0;
    pattern.runIds.clear();
    pattern.submittedUnixMs = pattern.startedUnixMs = pattern.endedUnixMs = std::nullopt;
    for (auto& cases : chunksOf(missing, seconds, kMaxArraySize)) {
        auto chunk = pattern;
        chunk.id = fmt::format("{:02}", campaign.candidates.size() + 1);
        chunk.title = messages::missingCasesTitle(cases.size()).text;
        chunk.cases = std::move(cases);
        campaign.candidates.push_back(std::move(chunk));
    }
    return missing.size();
}

}  // namespace steelyard::campaign
