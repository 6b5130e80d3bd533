// SPDX-License-Identifier: Apache-2.0
// The fields of a campaign, each listed once (core/fields.h): JSON, the rows of the history and the schema test use
// these lists. For .cpp files. A new field is a member in campaign.h, a line here, a property in
// resources/schemas/campaign.schema.json, and a migration if the history has a column for it.
#pragma once

#include <type_traits>

#include "engine/bench/record/record_fields.h"
#include "engine/campaign/campaign.h"
#include "engine/campaign/comparison.h"
#include "engine/campaign/task_result.h"
#include "engine/core/fields.h"

namespace steelyard::campaign {

inline auto fromName(std::type_identity<Engine>, std::string_view name) {
    return engineFromString(name);
}
inline auto fromName(std::type_identity<CandidateState>, std::string_view name) {
    return candidateStateFromString(name);
}

template <SameAs<Band> T, typename Visitor>
void visitFields(T& band, Visitor&& visit) {
    visit(required("low"), band.low);
    visit(required("median"), band.median);
    visit(required("high"), band.high);
}

template <SameAs<Forecast> T, typename Visitor>
void visitFields(T& forecast, Visitor&& visit) {
    visit(required("step_seconds"), forecast.stepSeconds);
    visit(required("hours"), forecast.hours);
    visit(required("usd"), forecast.usd);
    visit(field("job_hours"), forecast.jobHours);
    visit(field("basis"), forecast.basis);
    visit(field("rank").atLeast(1), forecast.rank);
    visit(field("measuring_seconds"), forecast.measuringSeconds);
}

template <SameAs<Placement> T, typename Visitor>
void visitFields(T& placement, Visitor&& visit) {
    visit(field("offer"), placement.offer);
    visit(field("provider"), placement.provider);
    visit(field("instance"), placement.instance);
    visit(field("region"), placement.region);
    visit(field("spot"), placement.spot);
    visit(field("usd_per_hour"), placement.usdPerHour);
}

template <SameAs<Candidate> T, typename Visitor>
void visitFields(T& candidate, Visitor&& visit) {
    visit(required("id"), candidate.id);
    visit(field("title"), candidate.title);
    visit(field("placements"), candidate.placements);
    visit(field("ordered"), candidate.ordered);
    visit(field("host"), candidate.host);
    visit(field("hardware"), candidate.hardware);
    visit(field("device"), candidate.device);
    visit(field("gpus"), candidate.gpus);
    visit(field("nodes").atLeast(1), candidate.nodes);
    visit(field("cases"), candidate.cases);
    visit(field("forecast"), candidate.forecast);
    visit(required("engine"), candidate.engine);
    visit(field("task_file"), candidate.taskFile);
    visit(field("task_index"), candidate.taskIndex);
    visit(field("external_id"), candidate.externalId);
    visit(required("state"), candidate.state);
    visit(field("reason"), candidate.reason);
    visit(required("cap_seconds"), candidate.capSeconds);
    visit(field("attempts"), candidate.attempts);
    visit(field("repeats"), candidate.repeats);
    visit(field("run_ids").storedElsewhere(), candidate.runIds);
    visit(field("measured_step_seconds"), candidate.measuredStepSeconds);
    visit(field("submitted_unix_ms"), candidate.submittedUnixMs);
    visit(field("started_unix_ms"), candidate.startedUnixMs);
    visit(field("ended_unix_ms"), candidate.endedUnixMs);
}

template <SameAs<Question> T, typename Visitor>
void visitFields(T& question, Visitor&& visit) {
    visit(required("workload"), question.workload);
    visit(required("mode"), question.mode);
    visit(required("batch").atLeast(1), question.batch);
    visit(required("precision"), question.precision);
    visit(required("steps"), question.steps);
    visit(required("priority"), question.priority);
    visit(required("time_weight"), question.timeWeight);
    visit(field("budget_usd"), question.budgetUsd);
    visit(field("deadline_hours"), question.deadlineHours);
}

template <SameAs<Delivery> T, typename Visitor>
void visitFields(T& delivery, Visitor&& visit) {
    visit(field("program"), delivery.program);
    visit(field("bundle"), delivery.bundle);
    visit(field("bundle_sha256"), delivery.bundleSha256);
    visit(field("image"), delivery.image);
    visit(field("results"), delivery.results);
    visit(field("partition"), delivery.partition);
    visit(field("account"), delivery.account);
    visit(field("queue"), delivery.queue);
    visit(field("namespace"), delivery.nameSpace);
    visit(field("network"), delivery.network);
    visit(field("memory_mb"), delivery.memoryMb);
}

template <SameAs<SweepProtocol> T, typename Visitor>
void visitFields(T& protocol, Visitor&& visit) {
    visit(required("visits").atLeast(1), protocol.visits);
    visit(required("time_cap_seconds"), protocol.timeCapSeconds);
}

template <SameAs<Campaign> T, typename Visitor>
void visitFields(T& campaign, Visitor&& visit) {
    visit(required("id"), campaign.id);
    visit(field("name"), campaign.name);
    visit(required("created_unix_ms"), campaign.createdUnixMs);
    visit(field("question"), campaign.question);
    visit(field("protocol"), campaign.protocol);
    visit(field("suite"), campaign.suite);
    visit(field("budget_usd"), campaign.budgetUsd);
    visit(field("retries"), campaign.retries);
    visit(field("folder"), campaign.folder);
    visit(field("delivery"), campaign.delivery);
    visit(required("candidates").storedElsewhere(), campaign.candidates);
    visit.derived("state", [&] { return std::string(toString(stateOf(campaign))); });
}

template <SameAs<ComparedCandidate> T, typename Visitor>
void visitFields(T& candidate, Visitor&& visit) {
    visit(required("id"), candidate.id);
    visit(field("title"), candidate.title);
    visit(field("place_before").atLeast(1), candidate.placeBefore);
    visit(field("place_now").atLeast(1), candidate.placeNow);
    visit(field("measured"), candidate.measured);
    visit(field("step_ratio"), candidate.stepRatio);
    visit(field("inside_band"), candidate.insideBand);
    visit(field("hours"), candidate.hours);
    visit(field("usd"), candidate.usd);
}

template <SameAs<Comparison> T, typename Visitor>
void visitFields(T& comparison, Visitor&& visit) {
    visit(required("candidates"), comparison.candidates);
    visit(required("changes"), comparison.changes);
}

template <SameAs<TaskResult> T, typename Visitor>
void visitFields(T& result, Visitor&& visit) {
    visit(required("campaign"), result.campaign);
    visit(required("candidate"), result.candidate);
    visit(field("rank"), result.rank);
    visit(field("nodes").atLeast(1), result.nodes);
    visit(field("host"), result.host);
    visit(field("program_version"), result.programVersion);
    visit(required("exit_code"), result.exitCode);
    visit(field("reason"), result.reason);
    visit(field("started_unix_ms"), result.startedUnixMs);
    visit(field("ended_unix_ms"), result.endedUnixMs);
    visit(required("runs"), result.runs);
}

}  // namespace steelyard::campaign
