// SPDX-License-Identifier: Apache-2.0
// The values two backends are compared with. Errors are those of Executable::write.
#pragma once

#include <cstdint>

#include "engine/compute/backend.h"

namespace steelyard::compute {

// Initial values and a synthetic batch, with everything that starts constant (biases, scales, running statistics) moved
// a little: what is zero or one cannot show that it is read.
[[nodiscard]] Result<void> writeComparedValues(Executable& executable, std::uint64_t seed);

}  // namespace steelyard::compute
