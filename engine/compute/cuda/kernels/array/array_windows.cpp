// SPDX-License-Identifier: Apache-2.0
// Products, convolutions, pools and resizing with one thread per output element, for cases that the libraries do not
// cover. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include <limits>

#include "engine/compute/cuda/kernels/array/array_elements.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename Acc>
struct ProductElement {
    ArrayProduct p;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto c = coordinatesOf(p.extents, i);
        const auto rank = p.extents.rank;
        const auto a = placeOf(c, p.a.strides, rank), b = placeOf(c, p.b.strides, rank);
        Acc sum = 0;
        for (std::int64_t k = 0; k < p.depth; ++k)
            sum += readArray<Acc>(p.a.tensor, a + k * p.aStride) * readArray<Acc>(p.b.tensor, b + k * p.bStride);
        writeArray<Acc>(p.out.tensor, placeOf(c, p.out.strides, rank), sum);
    }
};

struct WindowTap {
    std::int64_t offset[kMostSpatial];
};
STEELYARD_HD WindowTap tapOf(const ArrayWindow& w, std::int64_t tap) {
    WindowTap found{};
    for (int d = w.spatial - 1; d >= 0; --d) {
        const auto [rest, at] = split(tap, w.kernel[d]);
        found.offset[d] = at;
        tap = rest;
    }
    return found;
}
STEELYARD_HD std::int64_t tapsOf(const ArrayWindow& w) {
    std::int64_t taps = 1;
    for (int d = 0; d < w.spatial; ++d) taps *= w.kernel[d];
    return taps;
}

struct ConvolveElement {
    ArrayConvolution v;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto& w = v.window;
        const auto rank = v.extents.rank;
        const auto c = coordinatesOf(v.extents, i);
        const auto filter = c.at[1];
        const auto inGroup = v.inChannels / v.groups, outGroup = v.extents.at[1] / v.groups;
        const auto group = filter / outGroup;
        float sum = v.bias.tensor.data == nullptr ? 0.0F : readArray(v.bias.tensor, filter * v.bias.strides.at[0]);
        const auto taps = tapsOf(w);
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const auto t = tapOf(w, tap);
            std::int64_t from = c.at[0] * v.x.strides.at[0], weight = 0;
            bool inside = true;
            for (int d = 0; d < w.spatial && inside; ++d) {
                auto place = c.at[d + 2];
                if (v.transposed) {
                    place += w.before[d] - t.offset[d] * w.dilation[d];
                    inside = place >= 0 && place % w.stride[d] == 0;
                    place /= w.stride[d];
                } else {
                    place = place * w.stride[d] + t.offset[d] * w.dilation[d] - w.before[d];
                }
                inside = inside && place >= 0 && place < w.from[d];
                from += place * v.x.strides.at[d + 2];
                weight += t.offset[d] * v.w.strides.at[d + 2];
            }
            if (!inside) continue;
            for (std::int64_t k = 0; k < inGroup; ++k) {
                const auto channel = group * inGroup + k;
                const auto at = v.transposed
                                    ? channel * v.w.strides.at[0] + (filter - group * outGroup) * v.w.strides.at[1]
                                    : filter * v.w.strides.at[0] + k * v.w.strides.at[1];
                sum += readArray(v.x.tensor, from + channel * v.x.strides.at[1]) * readArray(v.w.tensor, weight + at);
            }
        }
        writeArray(v.y.tensor, placeOf(c, v.y.strides, rank), sum);
    }
};

struct PoolElement {
    ArrayPool p;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto& w = p.window;
        const auto c = coordinatesOf(p.extents, i);
        const auto plane = c.at[0] * p.x.strides.at[0] + c.at[1] * p.x.strides.at[1];
        float sum = p.kind == ArrayPooling::Max ? -std::numeric_limits<float>::infinity() : 0.0F;
        std::int64_t seen = 0, counted = 0;
        const auto taps = tapsOf(w);
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const auto t = tapOf(w, tap);
            std::int64_t from = plane;
            bool inside = true, padded = true;
            for (int d = 0; d < w.spatial; ++d) {
                const auto place = c.at[d + 2] * w.stride[d] + t.offset[d] * w.dilation[d] - w.before[d];
                inside = inside && place >= 0 && place < w.from[d];
                padded = padded && place < w.from[d] + w.after[d];
                from += place * p.x.strides.at[d + 2];
            }
            if (padded) ++counted;
            if (!inside) continue;
            ++seen;
            const float x = readArray(p.x.tensor, from);
            if (p.kind == ArrayPooling::Max) sum = sum < x ? x : sum;
            if (p.kind == ArrayPooling::Average) sum += x;
            if (p.kind == ArrayPooling::Norm) sum += std::pow(std::abs(x), p.power);
        }
        if (p.kind == ArrayPooling::Average) {
            const auto size = p.countPadding ? counted : seen;
            sum /= static_cast<float>(size < 1 ? 1 : size);
        }
        if (p.kind == ArrayPooling::Norm) sum = std::pow(sum, 1.0F / p.power);
        writeArray(p.y.tensor, placeOf(c, p.y.strides, p.extents.rank), sum);
    }
};

struct ResizeElement {
    ArrayResize r;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto rank = r.extents.rank;
        const auto c = coordinatesOf(r.extents, i);
        const auto from = placeOf(c, r.in.strides, rank);
        const auto first = c.at[r.axis] * r.taps;
        float sum = 0;
        for (int t = 0; t < r.taps; ++t)
            sum += r.weights[first + t] * readArray(r.in.tensor, from + r.places[first + t] * r.inStride);
        writeArray(r.out.tensor, placeOf(c, r.out.strides, rank), sum);
    }
};

bool isValid(const ArrayWindow& window) {
    return window.spatial >= 1 && window.spatial <= kMostSpatial;
}

}  // namespace

Status arrayProduct(Stream stream, const ArrayProduct& product) {
    if (!areValid(product.extents)) return kInvalidValue;
    const auto count = product.extents.count();
    return product.exact ? elements(stream, count, ProductElement<double>{product})
                         : elements(stream, count, ProductElement<float>{product});
}

Status arrayConvolution(Stream stream, const ArrayConvolution& convolution) {
    if (!areValid(convolution.extents) || !isValid(convolution.window)) return kInvalidValue;
    return elements(stream, convolution.extents.count(), ConvolveElement{convolution});
}

Status arrayPool(Stream stream, const ArrayPool& pool) {
    if (!areValid(pool.extents) || !isValid(pool.window)) return kInvalidValue;
    return elements(stream, pool.extents.count(), PoolElement{pool});
}

Status arrayResize(Stream stream, const ArrayResize& resize) {
    if (!areValid(resize.extents) || resize.axis < 0 || resize.axis >= resize.extents.rank) return kInvalidValue;
    return elements(stream, resize.extents.count(), ResizeElement{resize});
}

}  // namespace steelyard::compute::cuda::kernels
