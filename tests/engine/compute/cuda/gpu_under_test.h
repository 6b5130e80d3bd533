// SPDX-License-Identifier: Apache-2.0
// The GPU on which tests of operations run: a simulated one, or a real one if the environment variable
// STEELYARD_TEST_GPU_PLUGIN names the folder of the plugin (tests/performance/machine/gpu_checks.sh sets it).
#pragma once

#include <memory>

#include "engine/compute/backend.h"
#include "tests/engine/compute/cuda/simulated_device.h"

namespace steelyard::compute::cuda::test {

// The device is "cuda:0". `script` applies to the simulated one. Throws, with the reason, if the plugin does not load.
[[nodiscard]] std::unique_ptr<Backend> gpuUnderTest(const Script& script = {});
[[nodiscard]] bool isRealGpu();

}  // namespace steelyard::compute::cuda::test
