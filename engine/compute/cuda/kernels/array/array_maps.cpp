// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/array/array_elements.h"
#include "engine/model/array/map_math.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename Acc>
struct MapElement {
    ArrayMap map;

    STEELYARD_HD_MEMBER Acc value(const Acc (&in)[kMostMapInputs], const Acc (&results)[kMostMapSteps],
                                  int operand) const {
        return operand >= 0 ? in[operand] : results[~operand];
    }
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto c = coordinatesOf(map.extents, i);
        Acc in[kMostMapInputs] = {}, results[kMostMapSteps] = {};
        for (int k = 0; k < map.inputs; ++k)
            in[k] = readArray<Acc>(map.in[k].tensor, placeOf(c, map.in[k].strides, map.extents.rank));
        for (int s = 0; s < map.steps; ++s) {
            const auto& step = map.step[s];
            const Acc a = value(in, results, step.a);
            if (step.operands == 1)
                results[s] = model::unaryValue(step.kind, a, static_cast<Acc>(step.alpha), static_cast<Acc>(step.beta));
            else if (step.operands == 2)
                results[s] = model::binaryValue(step.kind, a, value(in, results, step.b));
            else
                results[s] = value(in, results, a != 0 ? step.b : step.c);
        }
        writeArray<Acc>(map.out.tensor, placeOf(c, map.out.strides, map.extents.rank), results[map.steps - 1]);
    }
};

}  // namespace

Status arrayMap(Stream stream, const ArrayMap& map) {
    if (!areValid(map.extents) || map.inputs < 1 || map.inputs > kMostMapInputs || map.steps < 1 ||
        map.steps > kMostMapSteps)
        return kInvalidValue;
    const auto count = map.extents.count();
    return map.exact ? elements(stream, count, MapElement<double>{map})
                     : elements(stream, count, MapElement<float>{map});
}

}  // namespace steelyard::compute::cuda::kernels
