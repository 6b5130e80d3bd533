// SPDX-License-Identifier: Apache-2.0
// Int8 inference of a backend compared with the reference on the same grids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/model/graph.h"

namespace steelyard::test {

// Every operation on bytes: shortcuts of both kinds, depthwise convolution, concatenation, pooling, activations.
[[nodiscard]] model::Graph everyKindInBytes(std::int64_t channels);

struct EightBitNetwork {
    std::string name;
    model::Graph graph;
};
// Small networks, each for something that a backend may do in a special way: images of few channels,
// squeeze-and-excitation and a shortcut of pixels, attention, flattened images.
[[nodiscard]] std::vector<EightBitNetwork> specialEightBitNetworks();

// Calibrated with the weights and samples that compareBackends() writes. Throws if it cannot be lowered.
[[nodiscard]] std::shared_ptr<const plan::Plan> calibratedPlan(compute::Backend& backend, const model::Graph& graph,
                                                               std::int64_t batch);

// Errors of the outputs by norm, relative to the reference on the same grids and to fp32. Throws if one does not run.
struct EightBitDistances {
    double sameGrid = 0, fp32 = 0;
};
[[nodiscard]] EightBitDistances eightBitDistances(compute::Backend& backend, const std::string& device,
                                                  const std::shared_ptr<const plan::Plan>& plan);

// Outputs after a second writing of the same weights are the same, and differ for other weights.
void expectWeightsCanBeWrittenAgain(compute::Backend& backend, const std::string& device);

}  // namespace steelyard::test
