// SPDX-License-Identifier: Apache-2.0
// A workload with real data: the files of a folder in the network's input format, and the network adapted to the data
// (a text determines the number of characters).
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/pipeline/augment.h"
#include "engine/model/graph.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::bench {

struct WorkloadData {
    model::Workload workload;  // with options derived from the data, such as text_lstm(characters=61)
    model::Graph graph;
    data::DatasetPair data;
    data::Augmentation augmentation;  // of the training set, as in the paper
};

// Whether real data exist for the workload.
[[nodiscard]] bool hasRealData(const model::Workload& workload);

// Errors: InvalidArgument if the workload has no real data, or the data do not fit its input; those of the reader,
// which name the file.
[[nodiscard]] Result<WorkloadData> openWorkloadData(const model::Workload& workload,
                                                    const std::filesystem::path& folder, std::int64_t batch,
                                                    std::uint64_t seed);

}  // namespace steelyard::bench
