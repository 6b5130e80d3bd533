// SPDX-License-Identifier: Apache-2.0
// What several GPUs or nodes gained, out of the records of a run: those that differ in nothing but how many devices
// share them. Pure functions. Formulas: engine/compute/parallel/scaling.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/bench/multi_device/scaling_kind.h"
#include "engine/bench/record/record.h"
#include "engine/compute/parallel/scaling.h"

namespace steelyard::bench {

struct ScalingLine {
    std::size_t record = 0;  // position in the list given
    int devices = 1;
    double samplesPerSecond = 0;  // the record's throughput, of all devices together
    compute::ScalingRow row;
    // Of nodes: what the measured network and a node's speed by itself let expect of `row.efficiency`; and how fast the
    // exchange was (NodesUse).
    std::optional<double> predicted, predictedLow, predictedHigh;
    std::optional<double> busBandwidth;  // bytes/s
    std::string slowestHost;             // empty: none is slow
};

struct ScalingTable {
    ScalingKind kind = ScalingKind::Strong;
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    plan::Precision precision = plan::Precision::Fp32;
    std::int64_t batch = 0;          // strong: of all together; else of each device
    std::vector<ScalingLine> lines;  // by devices, the fewest first: the base
    bool ofNodes = false;            // else of GPUs
};

// One for each kind and network that was measured on several numbers of devices, in order of appearance.
[[nodiscard]] std::vector<ScalingTable> scalingTables(const std::vector<CaseRecord>& records);

// The records of a run with these tables as one JSON document: {"run_id": ..., "records": [...], "scaling": [...]}, the
// last only where there are tables.
[[nodiscard]] std::string resultToJson(const RunRecord& run, int indent = 2);

}  // namespace steelyard::bench
