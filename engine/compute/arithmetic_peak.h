// SPDX-License-Identifier: Apache-2.0
// What a device's arithmetic units reach when nothing else is in their way: the base of "of peak". A Backend may
// implement ArithmeticPeak beside Backend; whoever wants it asks with arithmeticPeakOf(). Nothing of it is needed to
// run a plan.
#pragma once

#include "engine/compute/backend.h"

namespace steelyard::compute {

class ArithmeticPeak {
public:
    ArithmeticPeak() = default;
    ArithmeticPeak(const ArithmeticPeak&) = delete;
    ArithmeticPeak& operator=(const ArithmeticPeak&) = delete;
    virtual ~ArithmeticPeak() = default;
    // FLOP/s of independent multiply-adds on values that never leave the registers, in the widest vectors this
    // precision has here, on all threads at once; two FLOPs each. The best of several runs, about a tenth of a second
    // in all. Unsupported where the precision's fastest units are not measured in this way.
    [[nodiscard]] virtual Result<double> multiplyAddPeak(plan::Precision precision, const CompileOptions& options) = 0;
};

// Null where the backend measures none.
[[nodiscard]] inline ArithmeticPeak* arithmeticPeakOf(Backend& backend) {
    return dynamic_cast<ArithmeticPeak*>(&backend);
}

}  // namespace steelyard::compute
