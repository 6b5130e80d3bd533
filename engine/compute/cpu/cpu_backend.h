// SPDX-License-Identifier: Apache-2.0
// The fast CPU backend: oneDNN for most, OpenBLAS where it is faster, own loops for the rest. Float32 everywhere,
// bfloat16 where the processor has instructions for it.
#pragma once

#include <memory>

#include "engine/compute/backend.h"

namespace steelyard::compute {

[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend();

}  // namespace steelyard::compute
