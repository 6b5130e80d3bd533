// SPDX-License-Identifier: Apache-2.0
// Imports results of other programs and frameworks as runs, marked as imported. Two simple formats that can be written
// by hand or by a short script. Pure functions; any thread.
//
//   # date: 2026-08-03                       such lines apply to the whole file: date, software, computer, note
//   # software: PyTorch 2.9
//   workload,device,mode,batch,precision,step_seconds
//   resnet50,GeForce RTX 3090,train,64,fp16,0.121
//
//   {"format": "steelyard-measurements", "version": 1, "date": "2026-08-03", "software": "PyTorch 2.9",
//    "measurements": [{"workload": "resnet50", "device": "GeForce RTX 3090", "batch": 64, "step_seconds": 0.121}]}
//
// A measurement has: workload, device (product name), batch, date, and one of step_seconds, samples_per_second
// and, in JSON, samples_seconds (a list). Optional: mode (train), precision (fp32), threads, software, computer,
// ci95_low and ci95_high (of step_seconds). Unknown columns are ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"

namespace steelyard::bench {

inline constexpr std::string_view kMeasurementsFormat = "steelyard-measurements";
inline constexpr int kMeasurementsVersion = 1;
// Condition of a record that names the program that measured it; absent: this one.
inline constexpr std::string_view kSoftwareCondition = "software";

// One run per computer and software; ids are derived from the text, so that importing a file twice gives the same runs.
// Errors: CorruptData with `name` as subject and the line or JSON path.
[[nodiscard]] Result<std::vector<RunRecord>> importedResultsFromCsv(const std::string& name, std::string text);
[[nodiscard]] Result<std::vector<RunRecord>> importedResultsFromJson(const std::string& name, std::string_view text);

// Whether the text is in the JSON format above rather than an export of this program.
[[nodiscard]] bool isMeasurementsJson(std::string_view text);

}  // namespace steelyard::bench
