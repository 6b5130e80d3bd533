// SPDX-License-Identifier: Apache-2.0
// A campaign for window tests: two rented machines and this computer, with fictitious figures.
#pragma once

#include "engine/campaign/campaign.h"

namespace steelyard::ui::sample {

inline campaign::Candidate campaignCandidate(std::string id, std::string title, double stepSeconds, double hours,
                                             double usd) {
    campaign::Candidate candidate;
    candidate.id = std::move(id);
    candidate.title = std::move(title);
    candidate.capSeconds = 1800;
    campaign::Forecast forecast;
    forecast.stepSeconds = {stepSeconds * 0.8, stepSeconds, stepSeconds * 1.25};
    forecast.hours = {hours * 0.8, hours, hours * 1.25};
    forecast.usd = {usd * 0.8, usd, usd * 1.25};
    forecast.jobHours = hours;
    forecast.basis = "anchored";
    forecast.measuringSeconds = 300;
    candidate.forecast = forecast;
    return candidate;
}

// Planned; the first is the best by forecast.
inline campaign::Campaign campaign() {
    campaign::Campaign campaign;
    campaign.id = "0123456789ab";
    campaign.createdUnixMs = 1'795'219'200'000;  // 2026-11-21
    campaign.folder = "/tmp/campaign";
    campaign::Question question;
    question.workload = "mnist_cnn";
    question.mode = "train";
    question.batch = 128;
    question.steps = 100'000;
    question.priority = "fastest";
    campaign.question = question;
    auto first = campaignCandidate("01", "AWS p3.2xlarge", 0.010, 10, 30);
    first.placements = {{"aws/p3.2xlarge", "AWS", "p3.2xlarge", "us-east-1", false, 3.06}};
    auto second = campaignCandidate("02", "GCP g2-standard-8", 0.012, 12, 12);
    second.placements = {{"gcp/g2-standard-8", "GCP", "g2-standard-8", "us-central1", false, 0.85}};
    auto own = campaignCandidate("03", "This computer", 0.050, 50, 1);
    own.engine = campaign::Engine::Local;
    for (std::int64_t rank = 1; auto* candidate : {&first, &second, &own}) candidate->forecast->rank = rank++;
    campaign.candidates = {first, second, own};
    return campaign;
}

// The second was faster than predicted, the first failed, the third is in progress.
inline campaign::Campaign measuredCampaign() {
    auto measured = campaign();
    auto& first = measured.candidates[0];
    first.state = campaign::CandidateState::Failed;
    first.reason = Message("no capacity in us-east-1");
    auto& second = measured.candidates[1];
    second.state = campaign::CandidateState::Collected;
    second.measuredStepSeconds = campaign::Band{0.0059, 0.006, 0.0061};
    second.startedUnixMs = measured.createdUnixMs;
    second.endedUnixMs = measured.createdUnixMs + 600'000;
    measured.candidates[2].state = campaign::CandidateState::Running;
    return measured;
}

}  // namespace steelyard::ui::sample
