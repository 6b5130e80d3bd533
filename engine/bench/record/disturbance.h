// SPDX-License-Identifier: Apache-2.0
// Whether other programs disturbed the measurement of a case, which makes its result unreliable: with all cores in
// lockstep, a step waits for the one that was preempted. Decided only here. Records with a figure have this per window
// (Figure::disturbed); for records of earlier versions the recorded load is used. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Threshold for a disturbed case: fraction of the allowed CPUs used by others, or of the time in which some task waited
// for a CPU.
inline constexpr double kDisturbedLoad = 0.3;

// CaseRecord::conditions: fraction of the allowed CPUs that other programs used just before the case, 0..1. Set if the
// pre-flight check warned about it.
inline constexpr std::string_view kOtherLoadCondition = "other_load";

// Maximum of the recorded values: other programs' share before the case, and the fraction of time in which some task
// waited for a CPU (conditions cpu_pressure_start and _end; ignored if the case had more threads than physical cores,
// since it then waits for itself). Unset: nothing was recorded.
[[nodiscard]] std::optional<double> recordedLoad(const CaseRecord& record);

// By the figure if there is one; otherwise by the recorded load, or by the warning in records older than
// kOtherLoadCondition.
[[nodiscard]] bool wasDisturbed(const CaseRecord& record);

// Number of disturbed cases among those with a result.
[[nodiscard]] std::size_t disturbedCount(const RunRecord& run);

}  // namespace steelyard::bench
