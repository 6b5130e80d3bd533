// SPDX-License-Identifier: Apache-2.0
// Checks that several ranks train like one process with the joint batch: shared by the test whose ranks are threads and
// the program whose ranks are processes.
#pragma once

#include <memory>
#include <string>

#include "engine/compute/parallel/host_communicator.h"

namespace steelyard::compute::testing {

struct JointTraining {
    double worstParameters = 0;  // largest |ranks - one process| / |one process| of a parameter, as Euclidean norms
    double worstLoss = 0;        // of a step, relative
    double learned = 0;          // smallest such distance between the parameters before and after
    int parameters = 0;          // tensors compared
};
// Runs as a rank of the communicator: trains with its samples of the batch beside a local replica that has all of them,
// in float32. network: a workload, "tied" (an embedding shared with the output) or "clipped" (by the gradient norm).
// Does so on three sets of data and returns the closest result: which kernels trials choose changes rounding, and an
// element next to the kink of a ReLU or of a maximum may then contribute in one of the two only. A wrong exchange is
// wrong on every set. Throws std::runtime_error.
[[nodiscard]] JointTraining trainTogether(const std::shared_ptr<HostCommunicator>& ranks, const std::string& network,
                                          std::int64_t batchOfRank, int steps);

}  // namespace steelyard::compute::testing
