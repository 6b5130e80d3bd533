// SPDX-License-Identifier: Apache-2.0
// One visit of one case, in this process, by the measurement protocol: plan, pre-flight, compile, verify, warm up,
// sample, summarise, profile. Samples are taken in windows of a quarter of a second between two probes of the machine's
// state; the record has one visit and a figure without an interval, which takes several (protocol/visits.h). Of a case
// with real data it times the step alone, the input pipeline alone (nothing is compiled), or both together. Every
// failure becomes the status and reason of the record that is returned; nothing is thrown and nothing printed. One
// thread; while it samples, a second one reads the sensors and calls onEvent too (calls never overlap).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/bench/multi_device/rank_coordinator.h"
#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::compute {
class HostCommunicator;
}
namespace steelyard::hardware {
class ManagementLibrary;
}
namespace steelyard::model {
struct DecoderTable;
}

namespace steelyard::bench {

struct Protocol {
    Seconds timeCap{10};          // of sampling one case
    int visits = 1;               // of each case, each in a process of its own; they share the time cap
    bool precise = false;         // interval of the median within 1 % instead of 2 %
    bool verify = true;           // check before timing
    bool sustained = false;       // sample for the whole time cap, to see whether the speed lasts
    bool profile = false;         // afterwards, time every operation (step_profile.h)
    double sensorsPerSecond = 2;  // 0: none

    friend bool operator==(const Protocol&, const Protocol&) = default;
};

// How often a case is visited: one visit has no interval; three are few, which is why what other cases show counts too.
inline constexpr int kVisits = 3;
inline constexpr int kLeastVisits =
    2;  // with which a case has an interval; the others may be left out for lack of time
inline constexpr int kPreciseVisits = 7;
// Once, when it is to be seen whether the speed lasts.
[[nodiscard]] constexpr int visitsFor(bool precise, bool sustained) {
    return sustained ? 1 : precise ? kPreciseVisits : kVisits;
}

struct CaseServices {
    compute::Backend& backend;  // of the case's device
    compute::Backend& reference;
    const hardware::HardwareProfile& profile;
    Clock& clock;
    std::function<void(const Event&)> onEvent;  // progress; caseIndex is left to the caller
    std::function<bool()> cancelled;
    std::shared_ptr<hardware::ManagementLibrary> management;  // unset: GPUs are neither checked nor read
    std::optional<RankSpec> rank;                             // one of several processes that measure one case
    compute::HostCommunicator* nodes = nullptr;               // of a rank of several nodes
    // Which visit of the case this is. The first one (0) does what need not be done again: pre-flight, checking against
    // the reference, peaks, link and profile.
    int visit = 0;
    // As the first visit found it (CaseRecord::stepsPerSample), so that all samples of a case are of one kind; 0: this
    // visit finds it.
    std::int64_t stepsPerSample = 0;
    const model::DecoderTable* decoders = nullptr;  // language models by name; null: files only
};

[[nodiscard]] CaseRecord runCase(const Case& spec, const Protocol& protocol, const CaseServices& services);

// Threads a case uses: its own number, or what the profile says a job should use.
[[nodiscard]] int threadsOf(const Case& spec, const hardware::HardwareProfile& profile);

}  // namespace steelyard::bench
