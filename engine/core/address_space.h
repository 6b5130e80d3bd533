// SPDX-License-Identifier: Apache-2.0
// The remaining address space of this process under its limits (ulimit -v, ulimit -d), which may be far less than the
// computer's free memory. Any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace steelyard {

// Bytes that may still be mapped; empty if no limit is set.
[[nodiscard]] std::optional<std::int64_t> addressSpaceLeft();

}  // namespace steelyard
