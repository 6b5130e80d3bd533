// SPDX-License-Identifier: Apache-2.0
// Recurrent layers of the simulated network library. It deliberately differs from the lowering's conventions: the
// weight space has the gates in cuDNN's order, biases in the type of the weights and gaps with garbage, lengths are
// read from the device, the backward passes depend on their order.
#pragma once

#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda::test {

[[nodiscard]] Result<RecurrenceSpaces> simulatedSpacesOf(const Recurrence& recurrence, const Script& script);
[[nodiscard]] Result<std::unique_ptr<LibraryCall>> makeSimulatedRecurrence(SimulatedRuntime& runtime,
                                                                           const Recurrence& recurrence,
                                                                           std::shared_ptr<const Script> script);

}  // namespace steelyard::compute::cuda::test
