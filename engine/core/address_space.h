// SPDX-License-Identifier: Apache-2.0
// What the limits of this process (ulimit -v, ulimit -d) leave of its address space, which may be far less than the
// computer's free memory. Any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace steelyard {

// Bytes that may still be mapped; empty when no limit is set.
[[nodiscard]] std::optional<std::int64_t> addressSpaceLeft();

}  // namespace steelyard
