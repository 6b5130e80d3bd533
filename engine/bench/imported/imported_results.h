// SPDX-License-Identifier: Apache-2.0
// Results of other programs and frameworks as runs, so that they stand in the history beside one's own, marked as
// imported. Two simple forms, made to be written by hand or by ten lines of script. Pure functions; any thread.
//
//   # date: 2026-08-03                       lines of this kind hold for the whole file: date, software, computer, note
//   # software: PyTorch 2.9
//   workload,device,mode,batch,precision,step_seconds
//   resnet50,GeForce RTX 3090,train,64,fp16,0.121
//
//   {"format": "steelyard-measurements", "version": 1, "date": "2026-08-03", "software": "PyTorch 2.9",
//    "measurements": [{"workload": "resnet50", "device": "GeForce RTX 3090", "batch": 64, "step_seconds": 0.121}]}
//
// A measurement has: workload, device (as its maker calls it), batch, date, and one of step_seconds, samples_per_second
// and, in JSON, samples_seconds (a list). It may have: mode (train), precision (fp32), threads, software, computer,
// ci95_low and ci95_high (of step_seconds). Unknown columns are left aside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::bench {

inline constexpr std::string_view kMeasurementsFormat = "steelyard-measurements";
inline constexpr int kMeasurementsVersion = 1;
// Key of a record's condition that says which other program measured it; absent: this one.
inline constexpr std::string_view kSoftwareCondition = "software";

// One run for each computer and software; the ids follow from the text, so that the same file gives the same runs.
// CorruptData with `name` as subject and the line or the path of what is wrong.
[[nodiscard]] Result<std::vector<RunRecord>> importedResultsFromCsv(const std::string& name, std::string text);
[[nodiscard]] Result<std::vector<RunRecord>> importedResultsFromJson(const std::string& name, std::string_view text);

// Is it the second form, and not an export of this program?
[[nodiscard]] bool isForeignJson(std::string_view text);

}  // namespace steelyard::bench
