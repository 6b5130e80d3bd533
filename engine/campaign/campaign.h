// SPDX-License-Identifier: Apache-2.0
// A campaign: measurements of recommended machines on the machines themselves, or a sweep of many cases in chunks.
// External engines start the work (SkyPilot, Slurm, Kubernetes, mpirun, GNU parallel); this module stores the question,
// the forecast and the progress. Plain values: copied freely between threads, processes and the history. Times are
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

// The program that launches a candidate.
enum class Engine { SkyPilot, Slurm, Kubernetes, MpiJob, Mpirun, Parallel, Local };
[[nodiscard]] std::string_view toString(Engine engine);  // "skypilot", "slurm", "kubernetes", "mpijob", ...
[[nodiscard]] std::optional<Engine> engineFromString(std::string_view name);

enum class CandidateState {
    Planned,    // not submitted to an engine yet
    Submitted,  // queued by the engine
    Running,    // running, or ended without its result being collected yet
    Collected,  // its result is in the history
    Failed,     // no result; may be launched again
    GivenUp,    // no result; another attempt would not help or is not wanted
};
[[nodiscard]] std::string_view toString(CandidateState state);  // "planned", ..., "given_up"
[[nodiscard]] std::optional<CandidateState> candidateStateFromString(std::string_view name);

// A figure with its 80 % band; for a measurement its 95 % interval.
struct Band {
    double low = 0, median = 0, high = 0;

    friend bool operator==(const Band&, const Band&) = default;
};

// The advice's prediction when the candidate was planned. Never changed afterwards, so that measurements are compared
// with the prediction made before them.
struct Forecast {
    Band stepSeconds;
    Band hours;                              // of the whole job with all overhead
    Band usd;                                // of the whole job
    double jobHours = 0;                     // the part of hours.median that grows with the step
    std::string basis;                       // measured | anchored | extrapolated
    std::optional<std::int64_t> rank;        // rank in the advice, from 1
    std::optional<double> measuringSeconds;  // duration of the measurement, from the start of the machine

    friend bool operator==(const Forecast&, const Forecast&) = default;
};

// One way to obtain a candidate's machine.
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
    std::vector<Placement> placements;  // several: any of them is acceptable
    bool ordered = false;               // use the first available placement
    std::string host;                   // of one's own; "syA,syB" for several nodes
    std::string hardware;               // catalogue id, if known
    std::string device;                 // device measured there: cpu | cuda:0; empty: all
    int gpus = 0;                       // sharing the case; 0: not several
    int nodes = 1;                      // identical machines, each measured alone
    std::vector<bench::Case> cases;     // the chunk of a sweep
    std::optional<Forecast> forecast;
    Engine engine = Engine::SkyPilot;
    std::string taskFile;                   // in the campaign's folder
    std::optional<std::int64_t> taskIndex;  // array index: position in cases.json
    std::string externalId;                 // the engine's job id
    CandidateState state = CandidateState::Planned;
    Message reason;         // why it failed; for a measured one why its figure is doubtful
    double capSeconds = 0;  // time limit
    int attempts = 0;       // number of launches
    std::string repeats;    // id of the candidate repeated by this one, after its spot machine was lost
    std::vector<std::string> runIds;
    std::optional<Band> measuredStepSeconds;  // of the question's case
    std::optional<std::int64_t> submittedUnixMs, startedUnixMs, endedUnixMs;

    // Per machine; with several placements the most expensive.
    [[nodiscard]] std::optional<double> usdPerHour() const;
    // Time since its start x price x nodes; approximate, the provider's bill is authoritative.
    [[nodiscard]] std::optional<double> spentUsd(std::int64_t nowUnixMs) const;
    [[nodiscard]] bool isSpot() const { return !placements.empty() && placements.front().spot; }
    [[nodiscard]] bool hasEnded() const { return state >= CandidateState::Collected; }

    friend bool operator==(const Candidate&, const Candidate&) = default;
};

// The advice request that the campaign answers, as far as it is needed for ranking.
struct Question {
    std::string workload;
    std::string mode;  // train | infer
    std::int64_t batch = 0;
    std::string precision = "fp32";
    double steps = 0;
    std::string priority = "balanced";  // cheapest | fastest | balanced
    double timeWeight = 1;
    std::optional<double> budgetUsd, deadlineHours;  // for the job

    friend bool operator==(const Question&, const Question&) = default;
};

// How the program is delivered to the machines, and other settings of the engines.
struct Delivery {
    std::string program;       // path of steelyard-cli on the machines; empty: from the bundle
    std::string bundle;        // local archive made by ./dev package
    std::string bundleSha256;  // of its content
    std::string image;         // container image with the program
    std::string results;       // folder that the machines write to; empty: results are only in the log
    std::string partition, account, queue, nameSpace;  // for Slurm, Slurm, Kueue, Kubernetes
    std::string network;                               // of mpirun, "10.99.0.0/24"
    std::int64_t memoryMb = 0;                         // for Slurm's --mem; 0: all of the node

    friend bool operator==(const Delivery&, const Delivery&) = default;
};

// How the cases of a sweep are measured.
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
    std::optional<double> budgetUsd;        // limit of the worst-case cost
    int retries = 2;                        // by the engine, after transient failures
    std::string folder;                     // of the task files; absolute
    Delivery delivery;
    std::vector<Candidate> candidates;

    [[nodiscard]] bool isSweep() const { return protocol.has_value(); }
    [[nodiscard]] Candidate* find(std::string_view id);
    [[nodiscard]] const Candidate* find(std::string_view id) const;

    friend bool operator==(const Campaign&, const Campaign&) = default;
};

// Of all candidates: planned until the first launch, running until all have ended.
enum class CampaignState { Planned, Running, Done };
[[nodiscard]] std::string_view toString(CampaignState state);
[[nodiscard]] CampaignState stateOf(const Campaign& campaign);

// Of one candidate: every attempt takes its full time, from machine start to idle shutdown. SkyPilot replaces a
// preempted spot machine, which may cost the same again and is not included.
[[nodiscard]] std::optional<double> worstUsd(const Campaign& campaign, const Candidate& candidate);
// Sum over the candidates; absent if no price is known.
[[nodiscard]] std::optional<double> worstUsd(const Campaign& campaign);
[[nodiscard]] std::optional<double> spentUsd(const Campaign& campaign, std::int64_t nowUnixMs);
// InvalidArgument if the worst-case cost exceeds the budget.
[[nodiscard]] Result<void> checkBudget(const Campaign& campaign);

[[nodiscard]] std::string newCampaignId(const Clock& clock);
// The candidate's job name in the engine, "sy-1a2b3c4d5e6f-01": a DNS label. Later attempts have a suffix,
// "sy-1a2b3c4d5e6f-01-2". Without a candidate: of the whole array.
[[nodiscard]] std::string jobName(const Campaign& campaign, const Candidate* candidate = nullptr);

// Whether it may be submitted to an engine (again).
[[nodiscard]] bool canLaunch(const Candidate& candidate);

// After the preemption of a spot machine: the candidate is kept and marked, and a new one repeats it.
void repeatLostSpot(Campaign& campaign, std::string_view candidate);

}  // namespace steelyard::campaign
