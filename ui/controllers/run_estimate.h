// SPDX-License-Identifier: Apache-2.0
// Number and estimated duration of a request's cases on this computer. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "engine/bench/suite/run_request.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

// Possible values of `gpus` on this computer: 1, 2, 4 ... and all; empty with fewer than two usable ones.
[[nodiscard]] std::vector<int> gpuChoices(const WorkloadCatalogue& catalogue);

struct RunEstimate {
    int cases = 0;
    std::optional<double> seconds;  // unset if the estimate of any case is unknown
};
// From the catalogue's estimates.
[[nodiscard]] RunEstimate estimateOf(const bench::RunRequest& request, const WorkloadCatalogue& catalogue);

}  // namespace steelyard::ui
