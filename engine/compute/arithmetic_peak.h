// SPDX-License-Identifier: Apache-2.0
// Peak rate of a device's arithmetic units: the denominator of "of peak". Optional interface of a Backend, obtained
// with arithmeticPeakOf(); not needed to run a plan.
#pragma once

#include "engine/compute/backend.h"

namespace steelyard::compute {

class ArithmeticPeak {
public:
    ArithmeticPeak() = default;
    ArithmeticPeak(const ArithmeticPeak&) = delete;
    ArithmeticPeak& operator=(const ArithmeticPeak&) = delete;
    virtual ~ArithmeticPeak() = default;
    // FLOP/s of independent multiply-adds in registers, with the widest vectors for this precision, on all threads; two
    // FLOPs each. Best of several runs, about a tenth of a second in total. Unsupported if the precision's fastest
    // units cannot be measured this way.
    [[nodiscard]] virtual Result<double> multiplyAddPeak(plan::Precision precision, const CompileOptions& options) = 0;
};

// Null if the backend does not implement it.
[[nodiscard]] inline ArithmeticPeak* arithmeticPeakOf(Backend& backend) {
    return dynamic_cast<ArithmeticPeak*>(&backend);
}

}  // namespace steelyard::compute
