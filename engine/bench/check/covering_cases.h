// SPDX-License-Identifier: Apache-2.0
// The cheapest networks of the zoo that together contain every kind of operation in every pass, for verifying all
// operations of a device against the reference. Pure function.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::bench {

struct CoveringCase {
    std::string workload;
    plan::Mode mode = plan::Mode::Train;
    double flops = 0;                     // of a step with one sample
    std::vector<std::string> operations;  // that earlier ones do not contain: "convolution (backward data)"

    friend bool operator==(const CoveringCase&, const CoveringCase&) = default;
};

// Cheapest first.
[[nodiscard]] std::vector<CoveringCase> coveringCases();

}  // namespace steelyard::bench
