// SPDX-License-Identifier: Apache-2.0
// The matrix-product rate that a device really reaches, measured here and now with the same backend, threads and precision
// as a case: the base of its utilisation, instead of a datasheet's figure.
#pragma once

#include "engine/compute/backend.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

// FLOP/s: the best of several products of square matrices. Takes about 0.2 s.
[[nodiscard]] Result<double> measurePeakFlops(compute::Backend& backend, plan::Precision precision,
                                              const compute::CompileOptions& options, const Clock& clock);

}  // namespace steelyard::bench
