// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/winograd/winograd_convolution.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/near_first.h"
#include "engine/compute/cpu/winograd/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kWinogradDepth = 256;  // words; such a panel takes 64 KiB
constexpr std::int64_t kMostTiles = 48;

// Tiles per thread and pass. Pairs: as many as fit in its cache. Floats use four times as many, since all weights are
// read once per pass, from a more distant cache if there are many.
template <class T>
std::int64_t tilesAtOnce(const WinogradShape& shape) {
    constexpr std::int64_t kFewTiles = 24, kFewChannels = 128;
    const bool many = kElementsOfAWord<T> == 1 && shape.source.channels > kFewChannels;
    return many ? kMostTiles : kFewTiles;
}

template <class T>
struct ForwardScratch {
    using Word = ProductWord<T>;

    Word* weights = nullptr;                          // panels, each of all points: words of [points, channels, width]
    T* source = nullptr;                              // per thread and point: [tiles, channels]
    float* target = nullptr;                          // per thread and point: [tiles, kPanel]
    std::int64_t tiles = 0;                           // per pass
    std::int64_t sourceStride = 0, targetStride = 0;  // of points
    std::int64_t bytes = 0;

    ForwardScratch(const WinogradConvolution& winograd, void* memory) : tiles(tilesAtOnce<T>(winograd.shape)) {
        ScratchPieces pieces(memory);
        const auto channels = winograd.shape.source.channels, filters = winograd.shape.target.channels;
        sourceStride = pointStride<T>(tiles * channels);
        targetStride = pointStride<float>(tiles * kPanel);
        weights = pieces.take<Word>(kPoints<T> * channels * filters / kElementsOfAWord<T>);
        source = pieces.take<T>(winograd.shape.threads * kPoints<T> * sourceStride);
        target = pieces.take<float>(winograd.shape.threads * kPoints<T> * targetStride);
        bytes = pieces.bytes();
    }
};

// One thread's part of a forward convolution.
template <class T>
struct ForwardPiece {
    const WinogradConvolution& winograd;
    const ForwardScratch<T>& scratch;
    const float* bias = nullptr;
    T* points = nullptr;
    float* products = nullptr;

    ForwardPiece(const WinogradConvolution& convolution, const ForwardScratch<T>& pieces, const float* biases,
                 int thread)
        : winograd(convolution),
          scratch(pieces),
          bias(biases),
          points(pieces.source + thread * kPoints<T> * pieces.sourceStride),
          products(pieces.target + thread * kPoints<T> * pieces.targetStride) {}

    void transformSource(const T* x, std::int64_t first, std::int64_t count) const {
        const auto& image = winograd.shape.source;
        std::array<WinogradPixels<T>, kMostTiles> patches;
        for (std::int64_t t = 0; t < count; ++t)
            patches[static_cast<std::size_t>(t)] = patchOf(winograd.shape, x, first + t);
        for (std::int64_t group = 0; group < image.channels / kGroup; ++group)
            for (std::int64_t t = 0; t < count; ++t)
                kernels().winograd<T>().sourcePoints(points + t * image.channels + group * kGroup, scratch.sourceStride,
                                                     groupOf(patches[static_cast<std::size_t>(t)], image, group));
    }

    void multiply(const Panels& panels, std::int64_t panel, std::int64_t count) const {
        constexpr auto kElements = kElementsOfAWord<T>;
        const auto channels = winograd.shape.source.channels, width = panels.width(panel);
        const auto words = channels / kElements;
        PanelProduct<T> product;
        product.m = count;
        product.n = product.leadingB = product.leadingC = width;
        product.rowStride = channels;
        for (std::int64_t point = 0; point < kPoints<T>; ++point) {
            const auto* b = scratch.weights + panels.begin(panel) + point * words * width;
            product.c = products + point * scratch.targetStride;
            for (std::int64_t word = 0; word < words; word += kWinogradDepth) {
                product.k = std::min(kWinogradDepth, words - word) * kElements;
                product.a = points + point * scratch.sourceStride + word * kElements;
                product.b = b + word * width;
                product.accumulate = word > 0;
                kernels().products<T>().multiply(product);
            }
        }
    }

    void transformTarget(T* y, std::int64_t first, std::int64_t count, std::int64_t channel, std::int64_t width) const {
        const auto& image = winograd.shape.target;
        WinogradResult<T> result;
        result.rowStride = image.rowStride;
        result.columnStride = image.columnStride;
        result.halfStride = image.halfStride;
        result.adds = winograd.adds;
        result.relu = winograd.relu;
        for (std::int64_t t = 0; t < count; ++t) {
            const auto tile = tileAt<T>(image, first + t);
            result.rows = static_cast<int>(std::min(kTile<T>, image.height - tile.row));
            result.columns = static_cast<int>(std::min(kTile<T>, image.width - tile.column));
            auto* corner =
                y + tile.sample * image.sampleStride + tile.row * image.rowStride + tile.column * image.columnStride;
            for (std::int64_t c = 0; c < width; c += kGroup) {
                result.corner = corner + (channel + c) / kGroup * image.groupStride;
                result.bias = bias == nullptr ? nullptr : bias + channel + c;
                kernels().winograd<T>().targetPixels(result, products + t * width + c, scratch.targetStride);
            }
        }
    }
};

// For one group of input channels and one of output channels.
template <class Word>
void transformWeights(const WinogradConvolution& winograd, const Panels& panels, std::int64_t words, const Word* blocks,
                      std::int64_t from, std::int64_t to, Word* points) {
    using T = std::conditional_t<std::is_same_v<Word, float>, float, BFloat16>;
    constexpr auto kWords = kGroup / kElementsOfAWord<T>;  // of a group, along k
    constexpr auto kBlockWords = kWords * kGroup;
    const auto sources = winograd.shape.source.channels / kGroup, targets = winograd.shape.target.channels / kGroup;
    const auto* block = blocks + (winograd.rotated ? from * targets + to : to * sources + from) * kTaps * kBlockWords;
    const auto panel = to * kGroup / kPanel;
    const auto width = panels.width(panel);
    for (std::int64_t word = 0; word < kWords; ++word) {
        auto* target = points + panels.begin(panel) + (from * kWords + word) * width + to * kGroup % kPanel;
        kernels().winograd<T>().weightWords(target, words * width, block + word * kGroup, kBlockWords,
                                            winograd.rotated);
    }
}

template <class T>
void runAs(const WinogradConvolution& winograd, const T* source, const void* weights, const float* bias, T* target,
           void* memory) {
    using Word = ProductWord<T>;
    const ForwardScratch<T> scratch(winograd, memory);
    const auto channels = winograd.shape.source.channels, filters = winograd.shape.target.channels;
    const auto words = channels / kElementsOfAWord<T>;
    const Panels panels{kPoints<T> * words, filters, kPanel};
    const auto pairsOfGroups = channels / kGroup * (filters / kGroup);
    const auto tiles = tilesOf<T>(winograd.shape.target);
    NearFirst pieces(blocks(tiles, scratch.tiles), winograd.shape.threads);
#pragma omp parallel num_threads(winograd.shape.threads)
    {
#pragma omp for schedule(static)
        for (std::int64_t pair = 0; pair < pairsOfGroups; ++pair)
            transformWeights(winograd, panels, words, static_cast<const Word*>(weights), pair / (filters / kGroup),
                             pair % (filters / kGroup), scratch.weights);
        const auto thread = omp_get_thread_num();
        const ForwardPiece<T> piece(winograd, scratch, bias, thread);
        for (auto index = pieces.next(thread); index >= 0; index = pieces.next(thread)) {
            const auto first = index * scratch.tiles;
            const auto count = std::min(scratch.tiles, tiles - first);
            piece.transformSource(source, first, count);
            for (std::int64_t panel = 0; panel < panels.count(); ++panel) {
                piece.multiply(panels, panel, count);
                piece.transformTarget(target, first, count, panel * kPanel, panels.width(panel));
            }
        }
    }
}

bool hasKernels(DataKind kind) {
    if (kind == DataKind::f32) return kernels().f32Winograd.sourcePoints != nullptr;
    return kind == DataKind::bf16 && kernels().bf16Winograd.sourcePoints != nullptr;
}

bool splitsGroups(DataKind kind) {
    return kind == DataKind::f32 && kernels().f32Winograd.splitsGroups;
}

}  // namespace

std::optional<WinogradImage> winogradImage(const Desc& desc) {
    const auto dims = dimsOf(desc);
    const auto layout = channelLayout(desc);
    if (!hasKernels(kindOf(desc)) || dims.size() != 4 || !layout || dims[1] % kGroup != 0) return std::nullopt;
    const bool halves = layout->block == kGroup / 2 && splitsGroups(kindOf(desc));
    if (layout->block != kGroup && layout->block != layout->channels && !halves) return std::nullopt;
    WinogradImage image{dims[0], dims[1], dims[2], dims[3]};
    image.sampleStride = layout->channels * layout->pixels;
    image.groupStride = layout->block == layout->channels ? kGroup : kGroup * layout->pixels;
    if (halves) image.halfStride = layout->block * layout->pixels;
    image.columnStride = layout->block;
    image.rowStride = image.width * layout->block;
    image.kind = kindOf(desc);
    return image;
}

WinogradConvolution WinogradConvolution::forward(const WinogradShape& shape, bool adds, bool relu) {
    return {shape, false, adds, relu};
}

WinogradConvolution WinogradConvolution::backwardData(const WinogradShape& forward) {
    auto shape = forward;
    std::swap(shape.source, shape.target);
    shape.top = 2 - forward.top;
    shape.left = 2 - forward.left;
    auto convolution = WinogradConvolution::forward(shape, false, false);
    convolution.rotated = true;
    return convolution;
}

Desc WinogradConvolution::weightsDesc() const {
    const auto from = shape.source.channels, to = shape.target.channels;
    const Dims dims = rotated ? Dims{from, to, 3, 3} : Dims{to, from, 3, 3};
    if (shape.kind() == DataKind::f32) return {dims, DataKind::f32, rotated ? Tag::OIhw16o16i : Tag::OIhw16i16o};
    return {dims, DataKind::bf16, rotated ? Tag::OIhw8o16i2o : Tag::OIhw8i16o2i};
}

std::int64_t WinogradConvolution::scratchBytes() const {
    return shape.kind() == DataKind::f32 ? ForwardScratch<float>(*this, nullptr).bytes
                                         : ForwardScratch<BFloat16>(*this, nullptr).bytes;
}

void WinogradConvolution::run(const void* source, const void* weights, const float* bias, void* target,
                              void* memory) const {
    if (shape.kind() == DataKind::f32) {
        runAs(*this, static_cast<const float*>(source), weights, bias, static_cast<float*>(target), memory);
    } else {
        runAs(*this, static_cast<const BFloat16*>(source), weights, bias, static_cast<BFloat16*>(target), memory);
    }
}

TrialMaker trialOf(const dnnl::engine& engine, const WinogradConvolution& convolution) {
    return [winograd = convolution, engine]() -> Trial {
        const auto y = trialImage(engine, winograd.shape.target);
        return {[winograd, x = trialImage(engine, winograd.shape.source),
                 weights = trialMemory(winograd.weightsDesc(), engine), y,
                 scratch = trialElements(engine, winograd.scratchBytes(), DataKind::u8)] {
                    winograd.run(x.get_data_handle(), weights.get_data_handle(), nullptr, y.get_data_handle(),
                                 scratch.get_data_handle());
                },
                winograd.adds ? y : dnnl::memory()};
    };
}

}  // namespace steelyard::compute::cpu
