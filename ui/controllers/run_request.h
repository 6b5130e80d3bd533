// SPDX-License-Identifier: Apache-2.0
// What the user asked to measure, and how the measuring program is told. Plain values; pure functions.
#pragma once

#include <QStringList>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

struct RunRequest {
    std::string suite;  // "quick"; empty: the combinations of what follows
    std::vector<std::string> workloads;
    std::vector<std::string> modes;       // train, infer; empty: both
    std::vector<std::string> devices;     // empty: all
    std::vector<std::int64_t> batches;    // empty: each workload's own
    std::vector<int> threads;             // empty: left to the program
    std::vector<std::string> precisions;  // empty: fp32
    // How many GPUs are to share a case; none: none share. With any, devices, threads and data are left aside.
    std::vector<int> gpus;
    std::vector<std::string> scalings;     // strong, weak, experiments; empty: all three
    std::optional<double> timeCapSeconds;  // of sampling one case
    std::optional<std::uint64_t> seed;
    bool precise = false;
    std::string data;      // folder with real data: times the input pipeline as well; empty: invented data
    std::string database;  // empty: the default file
    std::string resume;    // a run's id: what is missing of it, as it was ordered; then only the database counts

    friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

// "run --suite quick --events jsonl --db ...": only what is set.
[[nodiscard]] QStringList argumentsOf(const RunRequest& request);

// What `gpus` may hold on this computer: 1, 2, 4 ... and all; empty with fewer than two that can be used.
[[nodiscard]] std::vector<int> gpuChoices(const WorkloadCatalogue& catalogue);

struct RunEstimate {
    int cases = 0;
    std::optional<double> seconds;  // unknown as soon as one case's estimate is
};
// What the request amounts to on this computer, from the catalogue's figures.
[[nodiscard]] RunEstimate estimateOf(const RunRequest& request, const WorkloadCatalogue& catalogue);

}  // namespace steelyard::ui
