// SPDX-License-Identifier: Apache-2.0
// Fictitious values for window tests: round numbers that no machine has measured. Never shipped. The reasons are
// messages of the engine.
#pragma once

#include "engine/bench/record/record.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui::sample {

// With the given number of simulated GPUs besides the one whose driver is missing.
[[nodiscard]] WorkloadCatalogue catalogue(int usableGpus = 0);
// Two packages of 8 cores, 12 cores granted, 64 GiB, no GPU.
[[nodiscard]] hardware::HardwareProfile profile();
// The same with two cards: one usable, one whose driver is missing.
[[nodiscard]] hardware::HardwareProfile profileWithGpus();

// A measured case; `step` is the median time in seconds.
[[nodiscard]] bench::CaseRecord okRecord(const std::string& workload, plan::Mode mode, const std::string& device,
                                         double step);
// Four workloads, training and inference on the CPU, training on a GPU; one does not fit, one crashed.
[[nodiscard]] bench::RunRecord run(const std::string& id = "a1b2c3d4e5f6", double pace = 1.0);
// One workload at five batch sizes and at four thread counts.
[[nodiscard]] bench::RunRecord sweepRun();
// Two workloads on 1, 2, 4 and 8 simulated GPUs: strong scaling, weak scaling, and independent experiments. Its note
// and its devices' names state that it is simulated.
[[nodiscard]] bench::RunRecord scalingRun();

}  // namespace steelyard::ui::sample
