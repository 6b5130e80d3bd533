// SPDX-License-Identifier: Apache-2.0
// Values for the comparison of two backends. Errors: those of Executable::write.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Initial values and a synthetic batch; parameters that start constant (biases, scales, running statistics) are
// perturbed, since zeros and ones could hide that they are not used.
[[nodiscard]] Result<void> writeComparedValues(Executable& executable, std::uint64_t seed);

}  // namespace steelyard::compute
