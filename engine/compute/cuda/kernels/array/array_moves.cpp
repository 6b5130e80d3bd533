// SPDX-License-Identifier: Apache-2.0
// Data movement. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include <limits>

#include "engine/compute/cuda/kernels/array/array_elements.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// Integers in double, to preserve them exactly.
STEELYARD_HD void moveElement(const ArrayTensor& from, std::int64_t fromPlace, const ArrayTensor& to,
                              std::int64_t toPlace) {
    if (from.type == ArrayType::I32)
        writeArray<double>(to, toPlace, readArray<double>(from, fromPlace));
    else
        writeArray<float>(to, toPlace, readArray<float>(from, fromPlace));
}

struct CopyElement {
    ArrayExtents extents;
    ArrayOperand in, out;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto c = coordinatesOf(extents, i);
        moveElement(in.tensor, placeOf(c, in.strides, extents.rank), out.tensor, placeOf(c, out.strides, extents.rank));
    }
};

struct PadElement {
    ArrayPad pad;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto c = coordinatesOf(pad.extents, i);
        std::int64_t from = 0;
        bool inside = true;
        for (int d = 0; d < pad.extents.rank; ++d) {
            auto place = c.at[d] - pad.before[d];
            const auto extent = pad.from.at[d];
            if (place < 0 || place >= extent) {
                if (pad.mode == ArrayPadding::Constant) inside = false;
                if (pad.mode == ArrayPadding::Edge) place = place < 0 ? 0 : extent - 1;
                if (pad.mode == ArrayPadding::Reflect) place = place < 0 ? -place : 2 * (extent - 1) - place;
                if (pad.mode == ArrayPadding::Wrap) place = ((place % extent) + extent) % extent;
            }
            from += place * pad.in.strides.at[d];
        }
        const auto to = placeOf(c, pad.out.strides, pad.extents.rank);
        if (inside)
            moveElement(pad.in.tensor, from, pad.out.tensor, to);
        else
            writeArray<float>(pad.out.tensor, to, pad.value);
    }
};

struct LookUpElement {
    ArrayLookUp look;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto rank = look.extents.rank;
        const auto c = coordinatesOf(look.extents, i);
        auto from = placeOf(c, look.data.strides, rank);
        const auto first = placeOf(c, look.indices.strides, rank);
        const auto to = placeOf(c, look.out.strides, rank);
        for (int d = 0; d < look.depth; ++d) {
            const auto index =
                arrayIndex(readArray<double>(look.indices.tensor, first + d * look.tupleStride), look.lookExtents[d]);
            if (index < 0) return writeArray<float>(look.out.tensor, to, std::numeric_limits<float>::quiet_NaN());
            from += index * look.lookStrides[d];
        }
        moveElement(look.data.tensor, from, look.out.tensor, to);
    }
};

STEELYARD_HD double combined(ArrayCombination combination, double target, double value) {
    switch (combination) {
        case ArrayCombination::Replace:
            return value;
        case ArrayCombination::Add:
            return target + value;
        case ArrayCombination::Mul:
            return target * value;
        case ArrayCombination::Max:
            return target < value ? value : target;
        case ArrayCombination::Min:
            return value < target ? value : target;
    }
    return value;
}

struct ScatterLine {
    ArrayScatter s;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto c = coordinatesOf(s.extents, i);
        const auto rank = s.extents.rank;
        const auto firstIndex = placeOf(c, s.indices.strides, rank), firstUpdate = placeOf(c, s.updates.strides, rank);
        const auto target = placeOf(c, s.out.strides, rank);
        for (std::int64_t j = 0; j < s.loop.count(); ++j) {
            const auto tuple = firstIndex + placeOf(s.loop, s.loopIndices, j);
            auto to = target;
            bool inside = true;
            for (int d = 0; d < s.depth && inside; ++d) {
                const auto index =
                    arrayIndex(readArray<double>(s.indices.tensor, tuple + d * s.tupleStride), s.lookExtents[d]);
                inside = index >= 0;
                to += index * s.lookStrides[d];
            }
            if (!inside) continue;
            const auto value = readArray<double>(s.updates.tensor, firstUpdate + placeOf(s.loop, s.loopUpdates, j));
            writeArray<double>(s.out.tensor, to, combined(s.combination, readArray<double>(s.out.tensor, to), value));
        }
    }
};

struct TriangleElement {
    ArrayTriangle t;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto rank = t.extents.rank;
        const auto c = coordinatesOf(t.extents, i);
        const auto above = c.at[rank - 1] - c.at[rank - 2] - t.diagonal;
        const auto to = placeOf(c, t.out.strides, rank);
        if (t.upper ? above >= 0 : above <= 0)
            moveElement(t.in.tensor, placeOf(c, t.in.strides, rank), t.out.tensor, to);
        else
            writeArray<float>(t.out.tensor, to, 0);
    }
};

struct CumulativeLine {
    ArrayCumulativeSum s;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto from = placeOf(s.lines, s.in.strides, i), to = placeOf(s.lines, s.out.strides, i);
        double sum = 0;
        for (std::int64_t k = 0; k < s.length; ++k) {
            const auto at = s.reverse ? s.length - 1 - k : k;
            const auto value = readArray<double>(s.in.tensor, from + at * s.inStride);
            if (!s.exclusive) sum += value;
            writeArray<double>(s.out.tensor, to + at * s.outStride, sum);
            if (s.exclusive) sum += value;
        }
    }
};

}  // namespace

Status arrayCopy(Stream stream, const ArrayExtents& extents, const ArrayOperand& in, const ArrayOperand& out) {
    return areValid(extents) ? elements(stream, extents.count(), CopyElement{extents, in, out}) : kInvalidValue;
}

Status arrayPad(Stream stream, const ArrayPad& pad) {
    return areValid(pad.extents) ? elements(stream, pad.extents.count(), PadElement{pad}) : kInvalidValue;
}

Status arrayLookUp(Stream stream, const ArrayLookUp& look) {
    if (!areValid(look.extents) || look.depth < 0 || look.depth > kMostDimensions) return kInvalidValue;
    return elements(stream, look.extents.count(), LookUpElement{look});
}

Status arrayScatter(Stream stream, const ArrayScatter& scatter) {
    if (!areValid(scatter.extents) || !areValid(scatter.loop) || scatter.depth < 0 || scatter.depth > kMostDimensions)
        return kInvalidValue;
    return elements(stream, scatter.extents.count(), ScatterLine{scatter});
}

Status arrayTriangle(Stream stream, const ArrayTriangle& triangle) {
    if (!areValid(triangle.extents) || triangle.extents.rank < 2) return kInvalidValue;
    return elements(stream, triangle.extents.count(), TriangleElement{triangle});
}

Status arrayCumulativeSum(Stream stream, const ArrayCumulativeSum& sum) {
    return areValid(sum.lines) ? elements(stream, sum.lines.count(), CumulativeLine{sum}) : kInvalidValue;
}

}  // namespace steelyard::compute::cuda::kernels
