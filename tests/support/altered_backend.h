// SPDX-License-Identifier: Apache-2.0
// The reference backend with an injected error, for testing error detection. One thread; owns the reference.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/compute/backend.h"

namespace steelyard::test {

struct Alterations {
    // Modifies the values read.
    std::function<void(const plan::Tensor& tensor, std::span<float> values)> onRead;
    // If set, the error returned by reading, stepping or compiling.
    std::function<Result<void>(const plan::Tensor& tensor)> refuseRead;
    std::function<Result<void>()> refuseStep;
    std::function<Result<void>()> refuseCompile;
    // Modifies the loss of the step.
    std::function<std::optional<double>(std::optional<double> loss, const compute::StepContext& context)> onLoss;
};

[[nodiscard]] std::unique_ptr<compute::Backend> makeAlteredBackend(Alterations alterations);

}  // namespace steelyard::test
