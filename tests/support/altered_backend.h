// SPDX-License-Identifier: Apache-2.0
// The reference backend with a mistake of choice: for tests of what must find mistakes. One thread; owns the reference.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/compute/backend.h"

namespace steelyard::test {

struct Alterations {
    // Changes what a reader sees.
    std::function<void(const plan::Tensor& tensor, std::span<float> values)> onRead;
    // An error here is what reading, stepping or compiling says.
    std::function<Result<void>(const plan::Tensor& tensor)> refuseRead;
    std::function<Result<void>()> refuseStep;
    std::function<Result<void>()> refuseCompile;
    // What the step reports as its loss.
    std::function<std::optional<double>(std::optional<double> loss, const compute::StepContext& context)> onLoss;
};

[[nodiscard]] std::unique_ptr<compute::Backend> makeAlteredBackend(Alterations alterations);

}  // namespace steelyard::test
