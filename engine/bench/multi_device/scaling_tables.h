// SPDX-License-Identifier: Apache-2.0
// Scaling over GPUs or nodes from the records of a run that differ only in the number of devices. Pure functions.
// Formulas: engine/compute/parallel/scaling.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/bench/multi_device/scaling_kind.h"
#include "engine/bench/record/record.h"
#include "engine/compute/parallel/scaling.h"

namespace steelyard::bench {

struct ScalingLine {
    std::size_t record = 0;  // index into the list
    int devices = 1;
    double samplesPerSecond = 0;  // throughput of the record, over all devices
    compute::ScalingRow row;
    // Nodes only: predicted `row.efficiency` from the measured network and single-node speed, and the measured exchange
    // bandwidth (NodesUse).
    std::optional<double> predicted, predictedLow, predictedHigh;
    std::optional<double> busBandwidth;  // bytes/s
    std::string slowestHost;             // empty: no node is slow
};

struct ScalingTable {
    ScalingKind kind = ScalingKind::Strong;
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;          // strong: global; otherwise per device
    std::vector<ScalingLine> lines;  // by device count, ascending; the first is the baseline
    bool ofNodes = false;            // otherwise GPUs
};

// One table per kind and network that was measured on several device counts, in order of appearance.
[[nodiscard]] std::vector<ScalingTable> scalingTables(const std::vector<CaseRecord>& records);

// The run's records and these tables as one JSON document: {"run_id": ..., "records": [...], "scaling": [...]};
// "scaling" only if there are tables.
[[nodiscard]] std::string resultToJson(const RunRecord& run, int indent = 2);

}  // namespace steelyard::bench
