// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/convolution/depthwise_convolution.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/near_first.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

// Division among threads: by images, then by lines, and small images by groups of channels.
struct Division {
    std::int64_t images, down, groups, across;

    explicit Division(const DepthwiseConvolution& c) {
        constexpr std::int64_t kPiecesOfThread = 4,
                               kFewestPixels = 48;  // of a piece, as for products (window_rows.cpp)
        const auto& w = c.windows;
        const auto wanted = c.threads == 1 ? 1 : kPiecesOfThread * c.threads;
        images = c.target.batch;
        groups = w.channels / c.kernels.lanes;
        const auto most = std::clamp<std::int64_t>(w.rowsOfImage() / kFewestPixels, 1, w.outHeight);
        down = std::min(most, blocks(wanted, images));
        across = std::min(groups, blocks(wanted, images * down));
    }
    [[nodiscard]] std::int64_t pieces() const { return images * down * across; }
};

// Elements from one group of channels to the next.
std::int64_t groupStride(const ChannelLayout& layout, std::int64_t lanes) {
    return layout.block == lanes ? layout.pixels * lanes : lanes;
}

bool fits(const ChannelLayout& layout, std::int64_t lanes) {
    return layout.block == lanes || layout.block == layout.channels;
}

}  // namespace

bool DepthwiseConvolution::runsHere() const {
    const auto lanes = kernels.lanes;
    if (kernels.multiply == nullptr || windows.channels % lanes != 0) return false;
    // Other activations are computed for whole lines.
    return fits(source, lanes) && fits(target, lanes) && (limitsOf(activation) || target.block == lanes);
}

Desc DepthwiseConvolution::weightsDesc() const {
    constexpr std::int64_t kWide = 16;
    return {Dims{windows.channels, 1, 1, windows.kernelHeight, windows.kernelWidth}, DataKind::f32,
            kernels.lanes == kWide ? Tag::Goihw16g : Tag::Goihw8g};
}

void DepthwiseConvolution::run(const float* x, const float* weights, const float* bias, float* y) const {
    const auto& w = windows;
    const auto lanes = kernels.lanes;
    const auto limits = limitsOf(activation);
    const auto [low, high] = limits.value_or(Limits{});
    const FloatDepthwise whole{.height = w.height,
                               .width = w.width,
                               .lineStride = w.width * source.block,
                               .pixelStride = source.block,
                               .kernelHeight = w.kernelHeight,
                               .kernelWidth = w.kernelWidth,
                               .strideHeight = w.strideHeight,
                               .strideWidth = w.strideWidth,
                               .top = w.top,
                               .left = w.left,
                               .outWidth = w.outWidth,
                               .targetLineStride = w.outWidth * target.block,
                               .targetPixelStride = target.block,
                               .low = low,
                               .high = high};
    const Division division(*this);
    const auto multiplyPiece = [&](std::int64_t index) {
        const auto part = index % division.across, rest = index / division.across;
        const auto down = rest % division.down, image = rest / division.down;
        const auto first = w.outHeight * down / division.down, last = w.outHeight * (down + 1) / division.down;
        const auto end = division.groups * (part + 1) / division.across;
        for (auto group = division.groups * part / division.across; group < end; ++group) {
            auto one = whole;
            one.x = x + image * source.channels * source.pixels + group * groupStride(source, lanes);
            one.weights = weights + group * w.kernelHeight * w.kernelWidth * lanes;
            one.bias = bias == nullptr ? nullptr : bias + group * lanes;
            one.y = y + image * target.channels * target.pixels + group * groupStride(target, lanes);
            kernels.multiply(one, first, last - first);
            if (activation && !limits)
                cpu::kernels().activate(*activation, one.y + first * one.targetLineStride,
                                        (last - first) * one.targetLineStride);
        }
    };
    NearFirst pieces(division.pieces(), threads);
#pragma omp parallel num_threads(threads)
    {
        const auto thread = omp_get_thread_num();
        for (auto index = pieces.next(thread); index >= 0; index = pieces.next(thread)) multiplyPiece(index);
    }
}

TrialMaker DepthwiseConvolution::trial(const dnnl::engine& engine) const {
    return [convolution = *this, engine]() -> Trial {
        const auto memory = [&](std::int64_t count) {
            return trialMemory(plainDesc(Dims{count}, DataKind::f32), engine);
        };
        return {[convolution, x = memory(convolution.source.size()), w = trialMemory(convolution.weightsDesc(), engine),
                 bias = memory(convolution.windows.channels), y = memory(convolution.target.size())] {
                    const auto data = [](const dnnl::memory& of) { return static_cast<float*>(of.get_data_handle()); };
                    convolution.run(data(x), data(w), data(bias), data(y));
                },
                {}};
    };
}

}  // namespace steelyard::compute::cpu
