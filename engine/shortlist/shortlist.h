// SPDX-License-Identifier: Apache-2.0
// Creates a campaign from an advice: its best candidates, those named, and the user's hosts, each with its engine, the
// expected measuring time, the maximum cost, and the current forecast. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advisor/advisor_data.h"
#include "engine/advisor/predict/local_hardware.h"
#include "engine/campaign/campaign.h"
#include "engine/core/error.h"
#include "engine/core/message.h"

namespace steelyard::shortlist {

// A host of the user: "nodeA", "nodeA=a100_sxm_80:4".
struct Host {
    std::string name;
    std::string hardware;  // catalogue id; empty: a processor like this computer's
    int count = 1;         // number of devices
};
// InvalidArgument names the invalid part.
[[nodiscard]] Result<Host> hostFromText(std::string_view text);
// The host as a candidate of the advice, "host/nodeA", without a price. NotFound for unknown hardware; Unsupported if
// its speed cannot be predicted. `own`: this computer's, whose processor is assumed for hosts without hardware.
[[nodiscard]] Result<advisor::OwnCandidate> hostCandidate(const Host& host, const advisor::AdvisorData& data,
                                                          const std::vector<advisor::OwnCandidate>& own);

// The question of a campaign: for this program's software, which is what gets measured, whatever the advice is about;
// with these hosts among the candidates. Errors of hostCandidate().
[[nodiscard]] Result<advisor::AdviceRequest> campaignQuestion(advisor::AdviceRequest question,
                                                              const std::vector<Host>& hosts,
                                                              const advisor::AdvisorData& data,
                                                              const hardware::HardwareProfile& profile,
                                                              const advisor::Electricity& electricity);

struct ShortlistRequest {
    std::size_t top = 3;                     // number of top-ranked candidates
    std::vector<std::string> ids;            // further candidates of the advice; hosts are always measured
    std::vector<Host> hosts;                 // hosts of the request
    std::optional<campaign::Engine> engine;  // not set: skypilot for offers, parallel for hosts; this computer locally
    double capSeconds = 1800;                // time limit of each measurement
    std::string suite;                       // measured after the job
    std::optional<double> budgetUsd;         // for all measurements together, worst case
};

struct Shortlist {
    campaign::Campaign campaign;   // question, suite, budget, candidates; the caller sets the rest
    std::vector<Message> leftOut;  // candidates omitted from the best and the named ones, with the reason
};

// The best candidates come first, as long as the total worst-case cost stays within the budget. InvalidArgument: an
// unknown id, an engine that cannot reach a named candidate; NotFound: no candidate remains.
[[nodiscard]] Result<Shortlist> shortlistOf(const ShortlistRequest& request, const advisor::AdviceRequest& question,
                                            const advisor::Advice& advice, const catalog::Catalog& catalog);

// Seconds from the start of the machine to the end of the measurement: `startUp`, and the cases, given the step time of
// the question's case on this device. Not set if the cases cannot be planned.
[[nodiscard]] std::optional<double> measuringSeconds(const campaign::Question& question, std::string_view device,
                                                     std::string_view suite, double stepSeconds, double startUpSeconds);

}  // namespace steelyard::shortlist
