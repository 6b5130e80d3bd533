// SPDX-License-Identifier: Apache-2.0
// One visit of one case in this process, following the measurement protocol: plan, pre-flight, compile, verify, warm
// up,
// sample, summarize, profile. Samples are taken in windows of a quarter of a second between two probes of the machine
// state. The record has one visit and no interval, which needs several visits (protocol/visits.h). A case with real
// data times the step alone, the input pipeline alone (nothing is compiled), or both together. Every failure becomes
// status and reason of the returned record; does not throw or print. Single-threaded, except that onEvent is also
// called by a second thread that reads sensors while sampling (calls never overlap).
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
    Seconds timeCap{10};          // sampling time per case
    int visits = 1;               // per case, each in a new process; they share the time cap
    bool precise = false;         // interval of the median within 1 % instead of 2 %
    bool verify = true;           // verify before timing
    bool sustained = false;       // sample for the whole time cap, to check for throttling
    bool profile = false;         // afterwards, time each operation (step_profile.h)
    double sensorsPerSecond = 2;  // 0: none

    friend bool operator==(const Protocol&, const Protocol&) = default;
};

// Visits per case. One visit has no interval; three are few, which is why the noise of other cases is used too.
inline constexpr int kVisits = 3;
inline constexpr int kLeastVisits = 2;  // minimum for an interval; the others may be skipped to save time
inline constexpr int kPreciseVisits = 7;
// A sustained case has one visit.
[[nodiscard]] constexpr int visitsFor(bool precise, bool sustained) {
    return sustained ? 1 : precise ? kPreciseVisits : kVisits;
}

struct CaseServices {
    compute::Backend& backend;  // of the case's device
    compute::Backend& reference;
    const hardware::HardwareProfile& profile;
    Clock& clock;
    std::function<void(const Event&)> onEvent;  // progress; the caller sets caseIndex
    std::function<bool()> cancelled;
    std::shared_ptr<hardware::ManagementLibrary> management;  // unset: GPU sensors are not read
    std::optional<RankSpec> rank;                             // if this is one of several processes measuring one case
    compute::HostCommunicator* nodes = nullptr;               // if this is one of several nodes
    // Index of this visit. Only the first one (0) does pre-flight, verification, peaks, link and profile.
    int visit = 0;
    // As determined by the first visit (CaseRecord::stepsPerSample), so that all samples of a case are comparable; 0:
    // determined here.
    std::int64_t stepsPerSample = 0;
    const model::DecoderTable* decoders = nullptr;  // language models by name; null: GGUF files only
};

[[nodiscard]] CaseRecord runCase(const Case& spec, const Protocol& protocol, const CaseServices& services);

// Threads of a case: as specified, otherwise the profile's recommended number.
[[nodiscard]] int threadsOf(const Case& spec, const hardware::HardwareProfile& profile);

}  // namespace steelyard::bench
