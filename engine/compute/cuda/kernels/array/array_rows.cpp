// SPDX-License-Identifier: Apache-2.0
// Reductions over rows. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include <limits>

#include "engine/compute/cuda/kernels/array/array_elements.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// Partial result: a sum, product or extreme with its position. Empty: index is -1.
template <typename Acc>
struct Reduced {
    Acc value = 0;
    Acc sum = 0;  // LogSumExp: of exp(x - value)
    std::int64_t index = -1;
};

template <typename Acc>
struct MergeReduced {
    ArrayReduction kind;
    bool last;

    // b follows a, or is beside it.
    STEELYARD_HD_MEMBER Reduced<Acc> operator()(const Reduced<Acc>& a, const Reduced<Acc>& b) const {
        using R = ArrayReduction;
        if (a.index < 0) return b;
        if (b.index < 0) return a;
        Reduced<Acc> both = a;
        switch (kind) {
            case R::Prod:
                both.value = a.value * b.value;
                return both;
            case R::Max:
                both.value = a.value != a.value || b.value < a.value ? a.value : b.value;
                return both;
            case R::Min:
                both.value = a.value != a.value || a.value < b.value ? a.value : b.value;
                return both;
            case R::LogSumExp: {
                const bool second = a.value < b.value;
                const Acc upper = second ? b.value : a.value, lower = second ? a.value : b.value;
                const Acc upperSum = second ? b.sum : a.sum, lowerSum = second ? a.sum : b.sum;
                const bool nothing = lower == -std::numeric_limits<Acc>::infinity();
                both.value = upper;
                both.sum = upperSum + (nothing ? Acc(0) : lowerSum * std::exp(lower - upper));
                return both;
            }
            case R::ArgMax:
            case R::ArgMin: {
                const bool better = kind == R::ArgMax ? b.value > a.value : b.value < a.value;
                const bool later = last ? b.index > a.index : b.index < a.index;
                return better || (b.value == a.value && later) ? b : a;
            }
            default:
                both.value = a.value + b.value;
                return both;
        }
    }
};

template <typename Acc>
struct ReduceRow {
    ArrayReduce r;

    STEELYARD_HD_MEMBER Reduced<Acc> one(Acc x, std::int64_t i) const {
        using R = ArrayReduction;
        if (r.kind == R::L1) return {x < 0 ? -x : x, 0, i};
        if (r.kind == R::L2 || r.kind == R::SumSquare) return {x * x, 0, i};
        const bool counts = r.kind == R::LogSumExp && x != -std::numeric_limits<Acc>::infinity();
        return {x, counts ? Acc(1) : Acc(0), i};
    }
    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        using R = ArrayReduction;
        const auto from = placeOf(r.rows, r.in.strides, row);
        const auto count = r.inner.count();
        const MergeReduced<Acc> merge{r.kind, r.last};
        const auto found = team.template reduce<Reduced<Acc>>(
            count,
            [&](Reduced<Acc>& part, std::int64_t i) {
                part = merge(part, one(readArray<Acc>(r.in.tensor, from + placeOf(r.inner, r.inInner, i)), i));
            },
            merge);
        team.once([&] {
            Acc result = found.value;
            if (r.kind == R::Mean) result = found.value / static_cast<Acc>(count);
            if (r.kind == R::L2) result = std::sqrt(found.value);
            if (r.kind == R::LogSum) result = std::log(found.value);
            if (r.kind == R::LogSumExp && found.value != -std::numeric_limits<Acc>::infinity())
                result = found.value + std::log(found.sum);
            if (r.kind == R::ArgMax || r.kind == R::ArgMin)
                result = static_cast<Acc>(found.index < 0 ? 0 : found.index);
            writeArray<Acc>(r.out.tensor, placeOf(r.rows, r.out.strides, row), result);
        });
    }
};

struct PlusFloat {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
};
struct LargestSoFar {
    float value = -3.402823466e38F;
};
struct MergeLargest {
    STEELYARD_HD_MEMBER LargestSoFar operator()(const LargestSoFar& a, const LargestSoFar& b) const {
        return a.value < b.value ? b : a;
    }
};

struct SoftmaxRow {
    ArraySoftmax s;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const auto c = coordinatesOf(s.rows, row);
        const auto from = placeOf(c, s.in.strides, s.rows.rank), to = placeOf(c, s.out.strides, s.rows.rank);
        std::int64_t masks[kMostMasks] = {};
        for (int m = 0; m < s.masks; ++m) masks[m] = placeOf(c, s.mask[m].strides, s.rows.rank);
        const auto score = [&](std::int64_t i) {
            float value = s.scale * readArray(s.in.tensor, from + i * s.inStride);
            for (int m = 0; m < s.masks; ++m) value += readArray(s.mask[m].tensor, masks[m] + i * s.maskStrides[m]);
            return value;
        };
        const float top = team.template reduce<LargestSoFar>(
                                  s.length,
                                  [&](LargestSoFar& part, std::int64_t i) {
                                      const float value = score(i);
                                      if (part.value < value) part.value = value;
                                  },
                                  MergeLargest{})
                              .value;
        const float sum = team.template reduce<float>(
            s.length, [&](float& part, std::int64_t i) { part += std::exp(score(i) - top); }, PlusFloat{});
        const float logSum = std::log(sum);
        team.each(s.length, [&](std::int64_t i) {
            const float shifted = score(i) - top;
            writeArray(s.out.tensor, to + i * s.outStride, s.logarithm ? shifted - logSum : std::exp(shifted) / sum);
        });
    }
};

struct NormaliseRow {
    ArrayNormalise n;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const auto c = coordinatesOf(n.rows, row);
        const auto rank = n.rows.rank;
        const auto from = placeOf(c, n.in.strides, rank), to = placeOf(c, n.out.strides, rank);
        const auto scaleAt = placeOf(c, n.scale.strides, rank), offsetAt = placeOf(c, n.offset.strides, rank);
        const auto count = n.inner.count();
        const auto size = static_cast<float>(count);
        const auto x = [&](std::int64_t i) { return readArray(n.in.tensor, from + placeOf(n.inner, n.inInner, i)); };
        float mean = 0;
        if (n.kind == ArrayNorm::Standard || n.kind == ArrayNorm::Moments)
            mean = team.template reduce<float>(
                       count, [&](float& part, std::int64_t i) { part += x(i); }, PlusFloat{}) /
                   size;
        const float squares = team.template reduce<float>(
            count,
            [&](float& part, std::int64_t i) {
                const float value = x(i) - mean;
                part += n.kind == ArrayNorm::Length ? std::pow(std::abs(value), n.power) : value * value;
            },
            PlusFloat{});
        float factor = 0;
        if (n.kind == ArrayNorm::Length) {
            const float length = std::pow(squares, 1.0F / n.power);
            factor = length == 0 ? 0.0F : 1.0F / length;
        } else if (n.kind == ArrayNorm::Moments) {
            factor = 1.0F / (std::sqrt(squares / size) + n.epsilon);
        } else {
            factor = 1.0F / std::sqrt(squares / size + n.epsilon);
        }
        team.each(count, [&](std::int64_t i) {
            float value = (x(i) - mean) * factor;
            if (n.scale.tensor.data != nullptr)
                value *= readArray(n.scale.tensor, scaleAt + placeOf(n.inner, n.scaleInner, i));
            if (n.offset.tensor.data != nullptr)
                value += readArray(n.offset.tensor, offsetAt + placeOf(n.inner, n.offsetInner, i));
            writeArray(n.out.tensor, to + placeOf(n.inner, n.outInner, i), value);
        });
    }
};

struct ResponseElement {
    ArrayResponse r;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto rank = r.extents.rank;
        const auto c = coordinatesOf(r.extents, i);
        const auto from = placeOf(c, r.in.strides, rank), stride = r.in.strides.at[r.axis];
        const auto channel = c.at[r.axis], channels = r.extents.at[r.axis];
        const auto first = channel < r.before ? 0 : channel - r.before;
        const auto last = channel + r.after < channels ? channel + r.after : channels - 1;
        float squares = 0;
        for (auto k = first; k <= last; ++k) {
            const float x = readArray(r.in.tensor, from + (k - channel) * stride);
            squares += x * x;
        }
        const float x = readArray(r.in.tensor, from);
        writeArray(r.out.tensor, placeOf(c, r.out.strides, rank), x / std::pow(r.bias + r.factor * squares, r.beta));
    }
};

}  // namespace

Status arrayReduce(Stream stream, const ArrayReduce& reduce) {
    if (!areValid(reduce.rows) || !areValid(reduce.inner)) return kInvalidValue;
    const auto rows = reduce.rows.count(), length = reduce.inner.count();
    return reduce.exact ? arrayTeams(stream, rows, length, ReduceRow<double>{reduce})
                        : arrayTeams(stream, rows, length, ReduceRow<float>{reduce});
}

Status arraySoftmax(Stream stream, const ArraySoftmax& softmax) {
    if (!areValid(softmax.rows) || softmax.masks < 0 || softmax.masks > kMostMasks) return kInvalidValue;
    return arrayTeams(stream, softmax.rows.count(), softmax.length, SoftmaxRow{softmax});
}

Status arrayNormalise(Stream stream, const ArrayNormalise& normalise) {
    if (!areValid(normalise.rows) || !areValid(normalise.inner)) return kInvalidValue;
    return arrayTeams(stream, normalise.rows.count(), normalise.inner.count(), NormaliseRow{normalise});
}

Status arrayResponse(Stream stream, const ArrayResponse& response) {
    if (!areValid(response.extents) || response.axis < 0 || response.axis >= response.extents.rank)
        return kInvalidValue;
    return elements(stream, response.extents.count(), ResponseElement{response});
}

}  // namespace steelyard::compute::cuda::kernels
