// SPDX-License-Identifier: Apache-2.0
// How many cases a request makes on this computer and how long they take, from figures at hand. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "engine/bench/suite/run_request.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

// What `gpus` may hold on this computer: 1, 2, 4 ... and all; empty with fewer than two that can be used.
[[nodiscard]] std::vector<int> gpuChoices(const WorkloadCatalogue& catalogue);

struct RunEstimate {
    int cases = 0;
    std::optional<double> seconds;  // unknown as soon as one case's estimate is
};
// What the request amounts to on this computer, from the catalogue's figures.
[[nodiscard]] RunEstimate estimateOf(const bench::RunRequest& request, const WorkloadCatalogue& catalogue);

}  // namespace steelyard::ui
