// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/narrow_winograd.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/compute/cpu/layout.h"
#include "engine/compute/cpu/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kDepth = 512;                       // a panel of that depth takes 64 KiB
constexpr std::int64_t kBlockWords = kGroup * kGroup / 2;  // of 16x16 weights, in pairs

struct ForwardScratch {
    std::uint32_t* weights = nullptr;  // panel after panel, each of all points: [kPoints, channels / 2, width]
    BFloat16* source = nullptr;        // of each thread, of each point: [kTilesAtOnce, channels]
    float* target = nullptr;           // of each thread, of each point: [kTilesAtOnce, kPanel]
    std::int64_t sourceStride = 0, targetStride = 0;  // of points
    std::int64_t bytes = 0;

    ForwardScratch(const NarrowWinograd& own, void* memory) {
        ScratchPieces pieces(memory);
        const auto channels = own.shape.source.channels, filters = own.shape.target.channels;
        sourceStride = pointStride<BFloat16>(NarrowWinograd::kTilesAtOnce * channels);
        targetStride = pointStride<float>(NarrowWinograd::kTilesAtOnce * kPanel);
        weights = pieces.take<std::uint32_t>(kPoints * channels * filters / 2);
        source = pieces.take<BFloat16>(own.shape.threads * kPoints * sourceStride);
        target = pieces.take<float>(own.shape.threads * kPoints * targetStride);
        bytes = pieces.bytes();
    }
};

// One thread's work of a forward convolution.
struct ForwardPiece {
    const NarrowWinograd& own;
    const ForwardScratch& scratch;
    const float* bias = nullptr;
    BFloat16* points = nullptr;
    float* products = nullptr;

    ForwardPiece(const NarrowWinograd& convolution, const ForwardScratch& pieces, const float* biases, int thread)
        : own(convolution),
          scratch(pieces),
          bias(biases),
          points(pieces.source + thread * kPoints * pieces.sourceStride),
          products(pieces.target + thread * kPoints * pieces.targetStride) {}

    void transformSource(const BFloat16* x, std::int64_t first, std::int64_t count) const {
        const auto& image = own.shape.source;
        std::array<WinogradPixels, NarrowWinograd::kTilesAtOnce> patches;
        for (std::int64_t t = 0; t < count; ++t)
            patches[static_cast<std::size_t>(t)] = patchOf(own.shape, x, first + t);
        for (std::int64_t group = 0; group < image.channels / kGroup; ++group)
            for (std::int64_t t = 0; t < count; ++t)
                kernels().narrowWinograd.sourcePoints(points + t * image.channels + group * kGroup,
                                                      scratch.sourceStride,
                                                      groupOf(patches[static_cast<std::size_t>(t)], image, group));
    }

    void multiply(const Panels& panels, std::int64_t panel, std::int64_t count) const {
        const auto channels = own.shape.source.channels, width = panels.width(panel);
        NarrowProduct product;
        product.m = count;
        product.n = product.leadingB = product.leadingC = width;
        product.rowStride = channels;
        for (std::int64_t point = 0; point < kPoints; ++point) {
            const auto* b = scratch.weights + panels.begin(panel) + point * channels / 2 * width;
            product.c = products + point * scratch.targetStride;
            for (std::int64_t depth = 0; depth < channels; depth += kDepth) {
                product.k = std::min(kDepth, channels - depth);
                product.a = points + point * scratch.sourceStride + depth;
                product.b = b + depth / 2 * width;
                product.accumulate = depth > 0;
                kernels().narrowProducts.multiply(product);
            }
        }
    }

    void transformTarget(BFloat16* y, std::int64_t first, std::int64_t count, std::int64_t channel,
                         std::int64_t width) const {
        const auto& image = own.shape.target;
        WinogradResult result;
        result.rowStride = image.rowStride;
        result.columnStride = image.columnStride;
        result.adds = own.adds;
        result.relu = own.relu;
        for (std::int64_t t = 0; t < count; ++t) {
            const auto tile = tileAt(image, first + t);
            result.rows = static_cast<int>(std::min<std::int64_t>(2, image.height - tile.row));
            result.columns = static_cast<int>(std::min<std::int64_t>(2, image.width - tile.column));
            auto* corner =
                y + tile.sample * image.sampleStride + tile.row * image.rowStride + tile.column * image.columnStride;
            for (std::int64_t c = 0; c < width; c += kGroup) {
                result.corner = corner + (channel + c) / kGroup * image.groupStride;
                result.bias = bias == nullptr ? nullptr : bias + channel + c;
                kernels().narrowWinograd.targetPixels(result, products + t * width + c, scratch.targetStride);
            }
        }
    }
};

// Of one group of the source's channels and one of the target's.
void transformWeights(const NarrowWinograd& own, const Panels& panels, const std::uint32_t* blocks, std::int64_t from,
                      std::int64_t to, std::uint32_t* words) {
    const auto sources = own.shape.source.channels / kGroup, targets = own.shape.target.channels / kGroup;
    const auto* block = blocks + (own.rotated ? from * targets + to : to * sources + from) * kTaps * kBlockWords;
    const auto panel = to * kGroup / kPanel;
    const auto stride = own.shape.source.channels / 2 * panels.width(panel);
    const auto row = from * kGroup / 2;
    for (std::int64_t pair = 0; pair < kGroup / 2; ++pair) {
        auto* target = words + panels.begin(panel) + (row + pair) * panels.width(panel) + to * kGroup % kPanel;
        kernels().narrowWinograd.weightPairs(target, stride, block + pair * kGroup, kBlockWords, own.rotated);
    }
}

}  // namespace

std::optional<WinogradImage> winogradImage(const Desc& desc) {
    const auto dims = dimsOf(desc);
    const auto layout = channelLayout(desc);
    if (kernels().narrowWinograd.sourcePoints == nullptr || dims.size() != 4 || kindOf(desc) != DataKind::bf16 ||
        !layout || dims[1] % kGroup != 0)
        return std::nullopt;
    if (layout->block != kGroup && layout->block != layout->channels) return std::nullopt;
    WinogradImage image{dims[0], dims[1], dims[2], dims[3]};
    image.sampleStride = layout->channels * layout->pixels;
    image.groupStride = layout->block == kGroup ? kGroup * layout->pixels : kGroup;
    image.columnStride = layout->block;
    image.rowStride = image.width * layout->block;
    return image;
}

std::int64_t WinogradShape::tiles() const {
    return target.batch * half(target.height) * half(target.width);
}

NarrowWinograd NarrowWinograd::forward(const WinogradShape& shape, bool adds, bool relu) {
    return {shape, false, adds, relu};
}

NarrowWinograd NarrowWinograd::backwardData(const WinogradShape& forward) {
    auto shape = forward;
    std::swap(shape.source, shape.target);
    shape.top = 2 - forward.top;
    shape.left = 2 - forward.left;
    auto convolution = NarrowWinograd::forward(shape, false, false);
    convolution.rotated = true;
    return convolution;
}

Desc NarrowWinograd::weightsDesc() const {
    const auto from = shape.source.channels, to = shape.target.channels;
    return rotated ? Desc({from, to, 3, 3}, DataKind::bf16, Tag::OIhw8o16i2o)
                   : Desc({to, from, 3, 3}, DataKind::bf16, Tag::OIhw8i16o2i);
}

std::int64_t NarrowWinograd::scratchBytes() const {
    return ForwardScratch(*this, nullptr).bytes;
}

void NarrowWinograd::run(const BFloat16* source, const void* weights, const float* bias, BFloat16* target,
                         void* memory) const {
    const ForwardScratch scratch(*this, memory);
    const auto channels = shape.source.channels, filters = shape.target.channels;
    const Panels panels{kPoints * channels / 2, filters, kPanel};
    const auto blocks = channels / kGroup * (filters / kGroup);
    const auto tiles = shape.tiles();
#pragma omp parallel num_threads(shape.threads)
    {
#pragma omp for schedule(static)
        for (std::int64_t block = 0; block < blocks; ++block)
            transformWeights(*this, panels, static_cast<const std::uint32_t*>(weights), block / (filters / kGroup),
                             block % (filters / kGroup), scratch.weights);
        const ForwardPiece piece(*this, scratch, bias, omp_get_thread_num());
#pragma omp for schedule(dynamic)
        for (std::int64_t first = 0; first < tiles; first += kTilesAtOnce) {
            const auto count = std::min(kTilesAtOnce, tiles - first);
            piece.transformSource(source, first, count);
            for (std::int64_t panel = 0; panel < panels.count(); ++panel) {
                piece.multiply(panels, panel, count);
                piece.transformTarget(target, first, count, panel * kPanel, panels.width(panel));
            }
        }
    }
}

TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinograd& convolution) {
    return [own = convolution, engine]() -> Trial {
        return [own, x = trialImage(engine, own.shape.source), weights = trialMemory(own.weightsDesc(), engine),
                y = trialImage(engine, own.shape.target),
                scratch = trialElements(engine, own.scratchBytes(), DataKind::u8)] {
            own.run(static_cast<const BFloat16*>(x.get_data_handle()), weights.get_data_handle(), nullptr,
                    static_cast<BFloat16*>(y.get_data_handle()), scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
