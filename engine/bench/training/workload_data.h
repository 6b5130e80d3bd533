// SPDX-License-Identifier: Apache-2.0
// A workload with its real data: the files of a folder, read as the network takes them, and the network as the data
// make it (a text decides how many characters there are).
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
    model::Workload workload;  // with the options that the data ask for, such as text_lstm(characters=61)
    model::Graph graph;
    data::DatasetPair data;
    data::Augmentation augmentation;  // of the training part, as the paper did it
};

// Whether there are real data of this kind at all; fully synthetic workloads have none.
[[nodiscard]] bool hasRealData(const model::Workload& workload);

// InvalidArgument when the workload has no real data, or the data cannot be its input; otherwise the errors of the
// reader, which name the file.
[[nodiscard]] Result<WorkloadData> openWorkloadData(const model::Workload& workload,
                                                    const std::filesystem::path& folder, std::int64_t batch,
                                                    std::uint64_t seed);

}  // namespace steelyard::bench
