// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/backend.h"

#include <fmt/format.h>

#include <limits>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {

Result<MemoryFigures> Backend::plannedMemory(const plan::Plan& plan, const CompileOptions&) const {
    const auto& m = plan.memory;
    return MemoryFigures{m.weights, m.gradients, m.optimizer, m.activations, m.workspace, m.total()};
}

Result<void> supportsPlan(const Backend& backend, const plan::Plan& plan) {
    for (const auto& operation : plan.operations) {
        if (auto ok = backend.supports(operation, plan); !ok) return ok;
    }
    constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
    for (const auto& tensor : plan.tensors) {
        if (tensor.elements() > kLargest)
            return fail(ErrorKind::Unsupported, tensor.name,
                        messages::tooManyElements(tensor.elements(), plan.options.batch, kLargest));
    }
    return {};
}

std::uint64_t dropoutSeed(std::uint64_t seed, std::int64_t step) {
    return seed * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(step) + 1;
}

double learningRate(const model::Optimizer& optimizer, const StepContext& context) {
    return optimizer.learningRate * context.learningRateScale /
           (1.0 + optimizer.decay * static_cast<double>(context.index));
}

Result<void> refuseRanks(const CompileOptions& options) {
    if (!options.ranks) return {};
    return fail(ErrorKind::Unsupported, options.device, messages::onlyGpusShare());
}

}  // namespace steelyard::compute
