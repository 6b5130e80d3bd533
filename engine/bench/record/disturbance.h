// SPDX-License-Identifier: Apache-2.0
// Whether the machine was busy with other programs while a case was measured, as its record tells. Such a figure says
// little: a step that keeps all cores in step waits for the one that was taken away. The one place that decides it.
// Records with a figure know it of every window (Figure::disturbed); those of earlier versions by the load that was
// noted. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Share of the allowed CPUs, or of the time in which some task waited for one, above which a case counts as disturbed.
inline constexpr double kDisturbedLoad = 0.3;

// CaseRecord::conditions: share of the allowed CPUs that other programs used just before the case, 0..1. Noted where
// the preflight warns of it.
inline constexpr std::string_view kOtherLoadCondition = "other_load";

// The highest of what was noted: other programs' share before the case, and the share of time in which some task waited
// for a CPU (conditions cpu_pressure_start and _end; left out where the case itself had more threads than physical
// cores to run on, as it then waits for itself). Unset: nothing was noted.
[[nodiscard]] std::optional<double> recordedLoad(const CaseRecord& record);

// By the figure where there is one; else by the recorded load, or by the warning itself in records from before
// kOtherLoadCondition.
[[nodiscard]] bool wasDisturbed(const CaseRecord& record);

// Of the cases with a result.
[[nodiscard]] std::size_t disturbedCount(const RunRecord& run);

}  // namespace steelyard::bench
