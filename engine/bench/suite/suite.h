// SPDX-License-Identifier: Apache-2.0
// Lists of cases: the suites, or all combinations in a request; and estimates of their duration. Results of different
// suite versions are not comparable. Pure functions, except that network files are read.
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

// Increased whenever a workload, a suite or the protocol changes what is measured.
inline constexpr std::string_view kSuiteVersion = "4";

// Properties of the computer that determine the cases of a suite.
struct SuiteMachine {
    std::vector<std::string> devices{"cpu"};  // ids; used if the request names none
    int cores = 0;                            // physical, usable; 0: unknown, no sweep over threads
    std::vector<std::string> isas;            // as Case::isa, slowest first; no sweep with fewer than two
    bool bf16 = false;                        // bfloat16 in hardware
    int gpus = 0;                             // of `devices`
};
[[nodiscard]] SuiteMachine suiteMachine(const hardware::HardwareProfile& profile,
                                        const std::vector<std::string>& devices = {"cpu"});

struct Suite {
    std::string id;     // "quick", "custom"
    std::string title;  // "Quick: one small case of each family"
    std::string version{kSuiteVersion};
    Seconds timeCap{10};  // sampling time per case
    // Visits after the second that would end later than this are skipped; unset: no limit.
    std::optional<Seconds> timeBudget;
    std::vector<Case> cases;     // in execution order: shuffled by the seed, alternating between devices
    std::vector<Message> notes;  // what was skipped and why
};

// Ids and titles of the suites.
struct SuiteInfo {
    std::string id, title;
};
[[nodiscard]] const std::vector<SuiteInfo>& suites();

// Errors: NotFound for an unknown suite or workload (with a suggestion); InvalidArgument for an invalid option or
// network file, or if no case is left (training an inference-only network); Unsupported if there are fewer GPUs than
// requested.
[[nodiscard]] Result<Suite> makeSuite(const RunRequest& request, const SuiteMachine& machine = {});

// Suite::timeBudget, if the protocol is the suite's; unset if more visits or time were requested.
[[nodiscard]] std::optional<Seconds> timeBudgetOf(const Suite& suite, const Protocol& protocol);

// Known speed of a device; unknown values are estimated conservatively.
struct DeviceRates {
    std::optional<double> flopsPerSecond;  // fp32 matrix products, all cores
    std::optional<double> bytesPerSecond;
    std::optional<double> valuesPerSecond;    // initialization of weights and inputs
    std::optional<double> noise;              // median absolute deviation of step times, relative to their median
    std::optional<std::int64_t> memoryBytes;  // free; cases that need more fail at once
    // Steps by compute::stepName whose fastest kernels are cached; for others the selection takes time. Unset: no
    // selection.
    std::optional<std::set<std::string>> knownSteps;
};
struct AssumedRates {
    std::map<std::string, DeviceRates> devices;  // by id, "cpu"
    int cores = 0;                               // CPU cores; 0: unknown
    // Sizes of the language models in suites; null: one billion weights is assumed.
    std::shared_ptr<const model::DecoderTable> decoders;
};

// Wall time of one case in seconds: starting the process and reading the machine, compiling, verification, warm-up, and
// sampling until ten samples and a narrow interval, or the cap.
struct CaseEstimate {
    double start = 0, compile = 0, check = 0, warmUp = 0, sampling = 0;  // of the first visit
    double laterVisits = 0;                                              // all of them
    double step = 0;                                                     // time per step; not part of the sum

    [[nodiscard]] double total() const { return start + compile + check + warmUp + sampling + laterVisits; }
};
// All 0 if the case cannot be planned.
[[nodiscard]] CaseEstimate estimateCase(const Case& spec, const Protocol& protocol, const AssumedRates& rates = {});
[[nodiscard]] double estimateSeconds(const Case& spec, const Protocol& protocol, const AssumedRates& rates = {});
// Sum over the cases, without visits that exceed the budget.
[[nodiscard]] double estimateSeconds(const std::vector<Case>& cases, std::optional<Seconds> timeBudget,
                                     const Protocol& protocol, const AssumedRates& rates = {});

}  // namespace steelyard::bench
