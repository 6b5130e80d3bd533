// SPDX-License-Identifier: Apache-2.0
// A campaign: machines that the advice recommends, measured where they are, or a sweep of many cases in chunks. Other
// programs start the work (SkyPilot, Slurm, Kubernetes, mpirun, GNU parallel); this module keeps what was asked, what
// was predicted, and how far it is. Plain values: copied freely between threads, processes and the history. Times are
// seconds unless a name says otherwise, prices US dollars; unknown is absent, never 0. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/message.h"

namespace steelyard::campaign {

// The program that starts a candidate.
enum class Engine { SkyPilot, Slurm, Kubernetes, MpiJob, Mpirun, Parallel, Local };
[[nodiscard]] std::string_view toString(Engine engine);  // "skypilot", "slurm", "kubernetes", "mpijob", ...
[[nodiscard]] std::optional<Engine> engineFromString(std::string_view name);

enum class CandidateState {
    Planned,    // not handed to an engine yet
    Submitted,  // the engine has it, and it waits
    Running,    // it runs, or has ended and its result was not collected yet
    Collected,  // its result is in the history
    Failed,     // no result; may be launched again
    GivenUp,    // no result, and another attempt would not help or is not wanted
};
[[nodiscard]] std::string_view toString(CandidateState state);  // "planned", ..., "given_up"
[[nodiscard]] std::optional<CandidateState> candidateStateFromString(std::string_view name);

// A figure with its 80 % band, or of a measurement with its 95 % interval.
struct Band {
    double low = 0, median = 0, high = 0;

    friend bool operator==(const Band&, const Band&) = default;
};

// What the advice predicted when the candidate was planned. Never changed afterwards, so that a measurement is compared
// with what was believed before it.
struct Forecast {
    Band stepSeconds;
    Band hours;                              // of the whole job with everything around it
    Band usd;                                // of the whole job
    double jobHours = 0;                     // the part of hours.median that grows with the step
    std::string basis;                       // measured | anchored | extrapolated
    std::optional<std::int64_t> rank;        // place in the advice, from 1
    std::optional<double> measuringSeconds;  // of the measurement, from the start of the machine on

    friend bool operator==(const Forecast&, const Forecast&) = default;
};

// One way to get the machine of a candidate.
struct Placement {
    std::string offer;     // of the catalogue, "aws/p3.2xlarge"; empty for a host
    std::string provider;  // "AWS"
    std::string instance;  // "p3.2xlarge"
    std::string region;
    bool spot = false;
    std::optional<double> usdPerHour;

    friend bool operator==(const Placement&, const Placement&) = default;
};

struct Candidate {
    std::string id;                     // "01", unique within the campaign
    std::string title;                  // "AWS p3.2xlarge (spot)", "syA", "chunk 3 of 40"
    std::vector<Placement> placements;  // several: any of them will do
    bool ordered = false;               // of several placements the first that can be had
    std::string host;                   // of one's own; "syA,syB" for several nodes
    std::string hardware;               // id of the catalogue, where known
    std::string device;                 // what is measured there: cpu | cuda:0; empty: all
    int gpus = 0;                       // that share the case; 0: not several
    int nodes = 1;                      // machines of this kind, each measured alone
    std::vector<bench::Case> cases;     // of a sweep: its chunk
    std::optional<Forecast> forecast;
    Engine engine = Engine::SkyPilot;
    std::string taskFile;                   // within the campaign's folder
    std::optional<std::int64_t> taskIndex;  // within an array: place in cases.json
    std::string externalId;                 // by which the engine knows it
    CandidateState state = CandidateState::Planned;
    Message reason;         // why it failed; of a measured one what makes its figure doubtful
    double capSeconds = 0;  // at most so long
    int attempts = 0;       // times it was launched
    std::string repeats;    // the candidate that this one repeats, whose spot machine was lost
    std::vector<std::string> runIds;
    std::optional<Band> measuredStepSeconds;  // of the question's case
    std::optional<std::int64_t> submittedUnixMs, startedUnixMs, endedUnixMs;

    // Of one machine; of several placements the most expensive.
    [[nodiscard]] std::optional<double> usdPerHour() const;
    // Time since its start x price x nodes; about, since the provider's own bill counts.
    [[nodiscard]] std::optional<double> spentUsd(std::int64_t nowUnixMs) const;
    [[nodiscard]] bool isSpot() const { return !placements.empty() && placements.front().spot; }
    [[nodiscard]] bool hasEnded() const { return state >= CandidateState::Collected; }

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

// The advice request that the campaign answers, as far as its ranking needs it.
struct Question {
    std::string workload;
    std::string mode;  // train | infer
    std::int64_t batch = 0;
    std::string precision = "fp32";
    double steps = 0;
    std::string priority = "balanced";  // cheapest | fastest | balanced
    double timeWeight = 1;
    std::optional<double> budgetUsd, deadlineHours;  // of the job

    friend bool operator==(const Question&, const Question&) = default;
};

// How the program reaches the machines, and what else the engines need to know.
struct Delivery {
    std::string program;       // path of steelyard-cli on the machines; empty: from the bundle
    std::string bundle;        // archive of ./dev package on this computer
    std::string bundleSha256;  // of its content
    std::string image;         // of a container that has the program
    std::string results;       // folder that the machines write to; empty: the log alone carries results
    std::string partition, account, queue, nameSpace;  // of Slurm, Slurm, Kueue, Kubernetes
    std::string network;                               // of mpirun, "10.99.0.0/24"
    std::int64_t memoryMb = 0;                         // of Slurm's --mem; 0: all of the node

    friend bool operator==(const Delivery&, const Delivery&) = default;
};

// Of a sweep: how its cases are measured.
struct SweepProtocol {
    int visits = 3;
    double timeCapSeconds = 10;

    friend bool operator==(const SweepProtocol&, const SweepProtocol&) = default;
};

struct Campaign {
    std::string id;  // 12 hexadecimal digits
    std::string name;
    std::int64_t createdUnixMs = 0;
    std::optional<Question> question;       // absent: a sweep
    std::optional<SweepProtocol> protocol;  // of a sweep
    std::string suite;                      // measured besides the question's case: "quick"; empty: none
    std::optional<double> budgetUsd;        // the worst cost may not exceed it
    int retries = 2;                        // by the engine, of what fails without a reason that lasts
    std::string folder;                     // of the task files; absolute
    Delivery delivery;
    std::vector<Candidate> candidates;

    [[nodiscard]] bool isSweep() const { return protocol.has_value(); }
    [[nodiscard]] Candidate* find(std::string_view id);
    [[nodiscard]] const Candidate* find(std::string_view id) const;

    friend bool operator==(const Campaign&, const Campaign&) = default;
};

// Of all candidates: planned until one is launched, then running until all have ended.
enum class CampaignState { Planned, Running, Done };
[[nodiscard]] std::string_view toString(CampaignState state);
[[nodiscard]] CampaignState stateOf(const Campaign& campaign);

// Of one: every attempt takes all of its time, from the start of the machine to its idle end. A spot machine that is
// taken away is replaced by SkyPilot, which may cost as much again and is not in it.
[[nodiscard]] std::optional<double> worstUsd(const Campaign& campaign, const Candidate& candidate);
// The sum over the candidates; absent where no price is known.
[[nodiscard]] std::optional<double> worstUsd(const Campaign& campaign);
[[nodiscard]] std::optional<double> spentUsd(const Campaign& campaign, std::int64_t nowUnixMs);
// InvalidArgument when the worst cost exceeds the budget.
[[nodiscard]] Result<void> checkBudget(const Campaign& campaign);

[[nodiscard]] std::string newCampaignId(const Clock& clock);
// By which engines know a candidate, "sy-1a2b3c4d5e6f-01": a DNS label. A further attempt has a name of its own,
// "sy-1a2b3c4d5e6f-01-2". Without a candidate: of the whole array.
[[nodiscard]] std::string jobName(const Campaign& campaign, const Candidate* candidate = nullptr);

// Whether it may be handed to an engine (again).
[[nodiscard]] bool canLaunch(const Candidate& candidate);

// A spot machine was taken away: the candidate stays as it is, marked, and another one repeats it.
void repeatLostSpot(Campaign& campaign, std::string_view candidate);

}  // namespace steelyard::campaign
