// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/gpu_under_test.h"

#include <cstdlib>
#include <stdexcept>

#include "engine/compute/plugin_loader.h"

namespace steelyard::compute::cuda::test {
namespace {

const char* pluginFolder() {
    return std::getenv("STEELYARD_TEST_GPU_PLUGIN");
}

}  // namespace

bool isRealGpu() {
    return pluginFolder() != nullptr;
}

std::unique_ptr<Backend> gpuUnderTest(const Script& script) {
    if (!isRealGpu()) return makeCudaBackend(std::make_shared<SimulatedProvider>(script));
    auto backend = loadBackendPlugin("steelyard_cuda", {pluginFolder()});
    if (!backend) throw std::runtime_error(describe(backend.error()));
    return std::move(*backend);
}

}  // namespace steelyard::compute::cuda::test
