// SPDX-License-Identifier: Apache-2.0
// A campaign from an advice: its best candidates, those named, and hosts of one's own, each with the engine that
// reaches it, what its measurement is expected to take, what it may cost at most, and the forecast as it is now. Pure
// functions.
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

// A machine that the user reaches by a name: "nodeA", "nodeA=a100_sxm_80:4".
struct Host {
    std::string name;
    std::string hardware;  // id of the catalogue; empty: a processor like this computer's
    int count = 1;         // of the devices
};
// InvalidArgument names the part that is wrong.
[[nodiscard]] Result<Host> hostFromText(std::string_view text);
// As a candidate of the advice, "host/nodeA", without a price. NotFound for unknown hardware; Unsupported where its
// speed cannot be predicted. `own`: those of this computer, whose processor hosts without a hardware are taken for.
[[nodiscard]] Result<advisor::OwnCandidate> hostCandidate(const Host& host, const advisor::AdvisorData& data,
                                                          const std::vector<advisor::OwnCandidate>& own);

// The question as a campaign asks it: of this program, since that is what measures, whatever software the advice is
// about; and with these hosts among the candidates. Errors of hostCandidate().
[[nodiscard]] Result<advisor::AdviceRequest> campaignQuestion(advisor::AdviceRequest question,
                                                              const std::vector<Host>& hosts,
                                                              const advisor::AdvisorData& data,
                                                              const hardware::HardwareProfile& profile,
                                                              const advisor::Electricity& electricity);

struct ShortlistRequest {
    std::size_t top = 3;                     // the best of the advice
    std::vector<std::string> ids;            // candidates of the advice besides; hosts are always measured
    std::vector<Host> hosts;                 // those of the request
    std::optional<campaign::Engine> engine;  // absent: skypilot for offers, parallel for hosts; this computer by itself
    double capSeconds = 1800;                // of each measurement
    std::string suite;                       // measured after the job
    std::optional<double> budgetUsd;         // of all measurements together, at worst
};

struct Shortlist {
    campaign::Campaign campaign;   // question, suite, budget, candidates; the rest is the caller's
    std::vector<Message> leftOut;  // of the best and the named ones, with the reason
};

// The best candidates come first, as long as the worst cost of all stays within the budget. InvalidArgument: an unknown
// id, an engine that cannot reach a candidate that was named; NotFound: nothing is left.
[[nodiscard]] Result<Shortlist> shortlistOf(const ShortlistRequest& request, const advisor::AdviceRequest& question,
                                            const advisor::Advice& advice, const catalog::Catalog& catalog);

// Seconds from the start of the machine to the end of the measurement: `startUp`, and the cases with the given step of
// the question's case on this device. Absent where the cases cannot be planned.
[[nodiscard]] std::optional<double> measuringSeconds(const campaign::Question& question, std::string_view device,
                                                     std::string_view suite, double stepSeconds, double startUpSeconds);

}  // namespace steelyard::shortlist
