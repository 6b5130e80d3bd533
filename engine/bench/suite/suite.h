// SPDX-License-Identifier: Apache-2.0
// Lists of cases: the suites, or every combination of what a request names; and how long they
// will take. Results of different suite versions are not compared. Pure functions, but that a network of one's own is
// read from its file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/measure/case_runner.h"
#include "engine/bench/record/record.h"
#include "engine/bench/suite/run_request.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

// Raised whenever a workload's definition, a suite's content or the protocol changes what is measured.
inline constexpr std::string_view kSuiteVersion = "4";

// What of the computer decides which cases a suite has.
struct SuiteMachine {
    std::vector<std::string> devices{"cpu"};  // by id; a request that names none gets these
    int cores = 0;                            // physical, usable; 0: unknown, and no sweep over threads
    std::vector<std::string> isas;            // as Case::isa, slowest first; fewer than two: no sweep over them
    bool bf16 = false;                        // multiplies bfloat16 in hardware
    int gpus = 0;                             // of `devices`
};
[[nodiscard]] SuiteMachine suiteMachine(const hardware::HardwareProfile& profile,
                                        const std::vector<std::string>& devices = {"cpu"});

struct Suite {
    std::string id;     // "quick", "custom"
    std::string title;  // "Quick: one small case of each family"
    std::string version{kSuiteVersion};
    Seconds timeCap{10};  // of sampling one case
    // Visits after the second that would end later than this after the start are left out; unset: none is.
    std::optional<Seconds> timeBudget;
    std::vector<Case> cases;     // each once, in order of execution: shuffled by the seed, devices taken in turn
    std::vector<Message> notes;  // what was left out and why, one sentence each
};

// Ids and titles of the suites, for listings.
struct SuiteInfo {
    std::string id, title;
};
[[nodiscard]] const std::vector<SuiteInfo>& suites();

// NotFound for an unknown suite or workload (naming the nearest), InvalidArgument for a bad option or network file, and
// for a request of which nothing is left (training of what can only infer); Unsupported when more GPUs are to share
// a case than there are.
[[nodiscard]] Result<Suite> makeSuite(const RunRequest& request, const SuiteMachine& machine = {});

// Suite::timeBudget, where the suite is measured as it is meant to be; who asks for more visits or time gets them.
[[nodiscard]] std::optional<Seconds> timeBudgetOf(const Suite& suite, const Protocol& protocol);

// What is known about the speed of this computer; figures that are not are guessed cautiously.
struct DeviceRates {
    std::optional<double> flopsPerSecond;  // fp32 matrix work, all cores together
    std::optional<double> bytesPerSecond;
    std::optional<double> valuesPerSecond;  // of weights and inputs, drawn and written before the first step
    std::optional<double> noise;  // median absolute deviation of the times of one step, relative to their median
    std::optional<std::int64_t> memoryBytes;  // free: a case that needs more ends at once
    // By compute::stepName; for other steps the fastest kernels are found first. Absent: nothing is tried.
    std::optional<std::set<std::string>> knownSteps;
};
struct AssumedRates {
    std::map<std::string, DeviceRates> devices;  // by id, "cpu"
    int cores = 0;                               // of the CPU; 0: unknown
    // Sizes of language models that a suite names; null: one of a billion weights is assumed.
    std::shared_ptr<const model::DecoderTable> decoders;
};

// Wall time of one case, s: starting the process and looking at the machine, compiling, checking against the reference,
// warming up, and sampling until ten samples are there and the interval is narrow, or the cap.
struct CaseEstimate {
    double start = 0, compile = 0, check = 0, warmUp = 0, sampling = 0;  // of the first visit
    double laterVisits = 0;                                              // all of them
    double step = 0;                                                     // of one step; not part of the sum

    [[nodiscard]] double total() const { return start + compile + check + warmUp + sampling + laterVisits; }
};
// All 0 for a case that cannot be planned.
[[nodiscard]] CaseEstimate estimateCase(const Case& spec, const Protocol& protocol, const AssumedRates& rates = {});
[[nodiscard]] double estimateSeconds(const Case& spec, const Protocol& protocol, const AssumedRates& rates = {});
// Of all of them; without the visits for which the budget leaves no time.
[[nodiscard]] double estimateSeconds(const std::vector<Case>& cases, std::optional<Seconds> timeBudget,
                                     const Protocol& protocol, const AssumedRates& rates = {});

}  // namespace steelyard::bench
