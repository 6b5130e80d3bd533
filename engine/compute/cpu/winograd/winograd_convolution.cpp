// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/winograd/winograd_convolution.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/near_first.h"
#include "engine/compute/cpu/winograd/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kMostTiles = 64;  // at once

// Division of the work among threads: by tiles; or by filters if there are few tiles, so that each thread transforms
// its part of the weights in its cache, just before the products that read it.
template <class T>
struct ForwardDivision {
    bool byFilters = false;
    bool sharesSource = false;  // by filters: all threads transform a part, instead of each thread everything
    std::int64_t tiles = 0;     // per pass
    std::int64_t width = 0;     // filters of a panel
    std::int64_t depth = 0;     // words of the channels, of a product
    std::int64_t panels = 0;
    std::int64_t filters = 0;

    explicit ForwardDivision(const WinogradConvolution& winograd)
        : tiles(tilesAtOnce(winograd.shape)), width(kPanel), filters(winograd.shape.target.channels) {
        constexpr std::int64_t kPanelDepth = 256, kTransformedDepth = 64;
        // Reading what another core wrote may take longer than the transform.
        constexpr int kMostOwnSources = 4;
        const auto all = tilesOf<T>(winograd.shape.target);
        byFilters = all <= kMostTiles;
        depth = byFilters ? kTransformedDepth : kPanelDepth;
        if (byFilters) {
            tiles = all;
            sharesSource = winograd.shape.threads > kMostOwnSources;
            while (width > kGroup && blocks(filters, width) < winograd.shape.threads) width /= 2;
        }
        panels = blocks(filters, width);
    }

    [[nodiscard]] std::int64_t widthOf(std::int64_t panel) const { return std::min(width, filters - panel * width); }

private:
    // As many pairs as fit in a thread's cache. Floats use more, since all weights are read once per pass, from a more
    // distant cache if there are many.
    static std::int64_t tilesAtOnce(const WinogradShape& shape) {
        constexpr std::int64_t kFewTiles = 24, kManyTiles = 48, kFewChannels = 128;
        const bool many = kElementsOfAWord<T> == 1 && shape.source.channels > kFewChannels;
        return many ? kManyTiles : kFewTiles;
    }
};

template <class T>
struct ForwardScratch {
    using Word = ProductWord<T>;

    Word* weights = nullptr;  // [panel][point][word][filter], by filters [thread][point][word of a part][filter]
    T* source = nullptr;      // [thread][point][tile][channel], one for all threads if shared
    float* target = nullptr;  // [thread][point][tile][filter of a panel]
    std::int64_t weightStride = 0, sourceStride = 0, targetStride = 0;  // of points
    std::int64_t bytes = 0;

    ForwardScratch(const WinogradConvolution& winograd, const ForwardDivision<T>& division, void* memory) {
        ScratchPieces pieces(memory);
        const auto channels = winograd.shape.source.channels;
        const auto threads = winograd.shape.threads;
        weightStride =
            pointStride<Word>((division.byFilters ? division.depth : channels / kElementsOfAWord<T>)*division.width);
        sourceStride = pointStride<T>(division.tiles * channels);
        targetStride = pointStride<float>(division.tiles * division.width);
        weights = pieces.take<Word>((division.byFilters ? threads : division.panels) * kPoints<T> * weightStride);
        source = pieces.take<T>((division.sharesSource ? 1 : threads) * kPoints<T> * sourceStride);
        target = pieces.take<float>(threads * kPoints<T> * targetStride);
        bytes = pieces.bytes();
    }

    [[nodiscard]] Word* panel(std::int64_t index) const { return weights + index * kPoints<T> * weightStride; }
    [[nodiscard]] T* sourceOf(int thread) const { return source + thread * kPoints<T> * sourceStride; }
    [[nodiscard]] float* targetOf(int thread) const { return target + thread * kPoints<T> * targetStride; }
};

// Transformed weights of a panel, from some word on.
template <class Word>
struct PanelWeights {
    const Word* words = nullptr;
    std::int64_t width = 0;
    std::int64_t first = 0, count = 0;  // of the words of all channels
};

// One thread's part of a forward convolution.
template <class T>
struct ForwardPiece {
    using Word = ProductWord<T>;

    const WinogradConvolution& winograd;
    const ForwardScratch<T>& scratch;
    const float* bias = nullptr;
    T* points = nullptr;
    float* products = nullptr;

    // Tiles from `first` on, and groups of channels from firstGroup to endGroup.
    void transformSource(const T* x, std::int64_t first, std::int64_t count, std::int64_t firstGroup,
                         std::int64_t endGroup) const {
        const auto& image = winograd.shape.source;
        std::array<WinogradPixels<T>, kMostTiles> patches;
        for (std::int64_t t = 0; t < count; ++t)
            patches[static_cast<std::size_t>(t)] = patchOf(winograd.shape, x, first + t);
        for (auto group = firstGroup; group < endGroup; ++group)
            for (std::int64_t t = 0; t < count; ++t)
                kernels().winograd<T>().sourcePoints(points + t * image.channels + group * kGroup, scratch.sourceStride,
                                                     groupOf(patches[static_cast<std::size_t>(t)], image, group));
    }

    // Of all points and `count` tiles, added to the products of the words before. next(point): memory to prefetch
    // meanwhile.
    template <class Next>
    void multiply(const PanelWeights<Word>& weights, std::int64_t count, Next next) const {
        constexpr auto kElements = kElementsOfAWord<T>;
        PanelProduct<T> product;
        product.m = count;
        product.n = product.leadingB = product.leadingC = weights.width;
        product.k = weights.count * kElements;
        product.rowStride = winograd.shape.source.channels;
        product.accumulate = weights.first > 0;
        for (std::int64_t point = 0; point < kPoints<T>; ++point) {
            product.a = points + point * scratch.sourceStride + weights.first * kElements;
            product.b = weights.words + point * scratch.weightStride;
            product.c = products + point * scratch.targetStride;
            const auto ahead = next(point);
            product.ahead = ahead.data();
            product.aheadBytes = static_cast<std::int64_t>(ahead.size_bytes());
            kernels().products<T>().multiply(product);
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

template <class T>
constexpr std::int64_t kWordsOfAGroup = kGroup / kElementsOfAWord<T>;  // along k

// The weights of one group of input channels and one of output channels: blocks of kBlockWords<T> words per tap.
template <class T>
constexpr std::int64_t kBlockWords = kWordsOfAGroup<T>* kGroup;
template <class T>
const ProductWord<T>* blockAt(const WinogradConvolution& winograd, const ProductWord<T>* blocks, std::int64_t from,
                              std::int64_t to) {
    const auto sources = winograd.shape.source.channels / kGroup, targets = winograd.shape.target.channels / kGroup;
    return blocks + (winograd.rotated ? from * targets + to : to * sources + from) * kTaps * kBlockWords<T>;
}

// Of one such block, to points of words of [..., width].
template <class T>
void transformBlock(const WinogradConvolution& winograd, const ProductWord<T>* block, ProductWord<T>* points,
                    std::int64_t pointStride, std::int64_t width) {
    for (std::int64_t word = 0; word < kWordsOfAGroup<T>; ++word)
        kernels().winograd<T>().weightWords(points + word * width, pointStride, block + word * kGroup, kBlockWords<T>,
                                            winograd.rotated);
}

template <class T>
void runByTiles(const WinogradConvolution& winograd, const ForwardDivision<T>& division, const T* source,
                const ProductWord<T>* weights, const float* bias, T* target, void* memory) {
    const ForwardScratch<T> scratch(winograd, division, memory);
    const auto channels = winograd.shape.source.channels, targets = winograd.shape.target.channels / kGroup;
    const auto words = channels / kElementsOfAWord<T>;
    const auto tiles = tilesOf<T>(winograd.shape.target);
    NearFirst pieces(blocks(tiles, division.tiles), winograd.shape.threads);
#pragma omp parallel num_threads(winograd.shape.threads)
    {
#pragma omp for schedule(static)
        for (std::int64_t pair = 0; pair < channels / kGroup * targets; ++pair) {
            const auto from = pair / targets, to = pair % targets, panel = to * kGroup / division.width;
            const auto width = division.widthOf(panel);
            transformBlock<T>(winograd, blockAt<T>(winograd, weights, from, to),
                              scratch.panel(panel) + from * kWordsOfAGroup<T> * width + to * kGroup % division.width,
                              scratch.weightStride, width);
        }
        const auto thread = omp_get_thread_num();
        const ForwardPiece<T> piece{winograd, scratch, bias, scratch.sourceOf(thread), scratch.targetOf(thread)};
        for (auto index = pieces.next(thread); index >= 0; index = pieces.next(thread)) {
            const auto first = index * division.tiles;
            const auto count = std::min(division.tiles, tiles - first);
            piece.transformSource(source, first, count, 0, channels / kGroup);
            for (std::int64_t panel = 0; panel < division.panels; ++panel) {
                const auto width = division.widthOf(panel);
                for (std::int64_t word = 0; word < words; word += division.depth)
                    piece.multiply(
                        {scratch.panel(panel) + word * width, width, word, std::min(division.depth, words - word)},
                        count, [](std::int64_t) { return std::span<const std::byte>(); });
                piece.transformTarget(target, first, count, panel * division.width, width);
            }
        }
    }
}

// One thread's filters, when these are divided. Their weights are transformed and multiplied part by part.
template <class T>
struct FilterPiece {
    using Word = ProductWord<T>;
    struct Part {
        std::int64_t from = 0, sources = 0, to = 0, targets = 0;  // groups of channels and of filters
    };

    const ForwardPiece<T>& piece;
    const ForwardDivision<T>& division;
    const Word* weights = nullptr;
    Word* points = nullptr;  // of a part

    [[nodiscard]] std::int64_t sources() const { return piece.winograd.shape.source.channels / kGroup; }
    [[nodiscard]] std::int64_t sourcesAtOnce() const { return division.depth / kWordsOfAGroup<T>; }
    [[nodiscard]] std::int64_t partsOfPanel() const { return blocks(sources(), sourcesAtOnce()); }
    // Parts of a panel are consecutive.
    [[nodiscard]] Part partAt(std::int64_t index) const {
        const auto panel = index / partsOfPanel(), from = index % partsOfPanel() * sourcesAtOnce();
        return {from, std::min(sourcesAtOnce(), sources() - from), panel * division.width / kGroup,
                division.widthOf(panel) / kGroup};
    }

    void transform(const Part& part) const {
        const auto width = part.targets * kGroup;
        for (std::int64_t t = 0; t < part.targets; ++t)
            for (std::int64_t s = 0; s < part.sources; ++s)
                transformBlock<T>(piece.winograd, blockAt<T>(piece.winograd, weights, part.from + s, part.to + t),
                                  points + s * kWordsOfAGroup<T> * width + t * kGroup, piece.scratch.weightStride,
                                  width);
    }

    // What to prefetch of the weights of `part` during the products of a point. Forward, the weights of one group of
    // filters are contiguous; each is for some of the points.
    [[nodiscard]] std::span<const std::byte> ahead(const Part& part, std::int64_t point) const {
        if (piece.winograd.rotated) return {};
        const auto each = blocks(kPoints<T>, part.targets), ofGroup = point % each;
        const auto words = part.sources * kTaps * kBlockWords<T>, share = blocks(words, each);
        const auto first = std::min(words, ofGroup * share);
        const auto* group = blockAt<T>(piece.winograd, weights, part.from, part.to + point / each);
        return std::as_bytes(std::span(group + first, static_cast<std::size_t>(std::min(share, words - first))));
    }

    void run(T* target, std::int64_t firstPanel, std::int64_t endPanel) const {
        const auto end = endPanel * partsOfPanel();
        for (auto index = firstPanel * partsOfPanel(); index < end; ++index) {
            const auto part = partAt(index), following = partAt(std::min(index + 1, end - 1));
            const auto width = part.targets * kGroup;
            transform(part);
            piece.multiply({points, width, part.from * kWordsOfAGroup<T>, part.sources * kWordsOfAGroup<T>},
                           division.tiles, [&](std::int64_t point) { return ahead(following, point); });
            if (part.from + part.sources == sources())
                piece.transformTarget(target, 0, division.tiles, part.to * kGroup, width);
        }
    }
};

template <class T>
void runByFilters(const WinogradConvolution& winograd, const ForwardDivision<T>& division, const T* source,
                  const ProductWord<T>* weights, const float* bias, T* target, void* memory) {
    const ForwardScratch<T> scratch(winograd, division, memory);
    const auto groups = winograd.shape.source.channels / kGroup;
#pragma omp parallel num_threads(winograd.shape.threads)
    {
        const auto thread = omp_get_thread_num(), threads = omp_get_num_threads();
        const bool shares = division.sharesSource;
        const ForwardPiece<T> piece{winograd, scratch, bias, scratch.sourceOf(shares ? 0 : thread),
                                    scratch.targetOf(thread)};
        piece.transformSource(source, 0, division.tiles, shares ? groups * thread / threads : 0,
                              shares ? groups * (thread + 1) / threads : groups);
        if (shares) {
#pragma omp barrier
        }
        const FilterPiece<T> filters{piece, division, weights, scratch.panel(thread)};
        filters.run(target, division.panels * thread / threads, division.panels * (thread + 1) / threads);
    }
}

template <class T>
void runAs(const WinogradConvolution& winograd, const void* source, const void* weights, const float* bias,
           void* target, void* memory) {
    const ForwardDivision<T> division(winograd);
    const auto run = division.byFilters ? runByFilters<T> : runByTiles<T>;
    run(winograd, division, static_cast<const T*>(source), static_cast<const ProductWord<T>*>(weights), bias,
        static_cast<T*>(target), memory);
}

template <class T>
std::int64_t scratchBytesOf(const WinogradConvolution& winograd) {
    return ForwardScratch<T>(winograd, ForwardDivision<T>(winograd), nullptr).bytes;
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
    return shape.kind() == DataKind::f32 ? scratchBytesOf<float>(*this) : scratchBytesOf<BFloat16>(*this);
}

void WinogradConvolution::run(const void* source, const void* weights, const float* bias, void* target,
                              void* memory) const {
    const auto run = shape.kind() == DataKind::f32 ? runAs<float> : runAs<BFloat16>;
    run(*this, source, weights, bias, target, memory);
}

TrialMaker trialOf(const dnnl::engine& engine, const WinogradConvolution& convolution, bool coldWeights) {
    return [winograd = convolution, engine, coldWeights]() -> Trial {
        const auto y = trialImage(engine, winograd.shape.target);
        const auto weights = trialMemory(winograd.weightsDesc(), engine);
        std::vector<dnnl::memory> cold;
        if (winograd.adds) cold.push_back(y);
        if (coldWeights) cold.push_back(weights);
        return {[winograd, x = trialImage(engine, winograd.shape.source), weights, y,
                 scratch = trialElements(engine, winograd.scratchBytes(), DataKind::u8)] {
                    winograd.run(x.get_data_handle(), weights.get_data_handle(), nullptr, y.get_data_handle(),
                                 scratch.get_data_handle());
                },
                std::move(cold)};
    };
}

}  // namespace steelyard::compute::cpu
