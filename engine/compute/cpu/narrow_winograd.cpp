// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/narrow_winograd.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/layout.h"
#include "engine/compute/cpu/scratch_pieces.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kGroup = 16;                        // channels
constexpr std::int64_t kPoints = 16;                       // of a 4x4 patch
constexpr std::int64_t kTaps = 9;                          // of 3x3 weights
constexpr std::int64_t kPanel = 64;                        // columns of a product's B that lie together
constexpr std::int64_t kRowPanel = 48;                     // rows of a transposed A, whole tiles of six
constexpr std::int64_t kDepth = 512;                       // a panel of that depth takes 64 KiB
constexpr std::int64_t kBlockWords = kGroup * kGroup / 2;  // of 16x16 weights, in pairs
constexpr std::int64_t kBlockElements = kGroup * kGroup;
constexpr std::int64_t kLine = 64;  // bytes

struct Tile {
    std::int64_t sample = 0, row = 0, column = 0;  // the upper left pixel of two by two
};

std::int64_t half(std::int64_t count) {
    return (count + 1) / 2;
}

Tile tileAt(const WinogradImage& target, std::int64_t index) {
    const auto across = half(target.width), down = half(target.height);
    return {index / (across * down), index / across % down * 2, index % across * 2};
}

// Which of `count` rows from `first` on are in 0 .. extent.
unsigned inside(std::int64_t first, std::int64_t count, std::int64_t extent) {
    unsigned bits = 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (first + i >= 0 && first + i < extent) bits |= 1U << i;
    return bits;
}

// `size` by `size` pixels of a group of channels.
WinogradPixels pixelsAt(const WinogradImage& image, const BFloat16* data, std::int64_t sample, std::int64_t row,
                        std::int64_t column, std::int64_t size) {
    WinogradPixels pixels;
    pixels.corner = data + sample * image.sampleStride + row * image.rowStride + column * image.columnStride;
    pixels.rowStride = image.rowStride;
    pixels.columnStride = image.columnStride;
    pixels.rows = inside(row, size, image.height);
    pixels.columns = inside(column, size, image.width);
    return pixels;
}

// What a tile of the target is computed from.
WinogradPixels patchOf(const WinogradShape& shape, const BFloat16* source, std::int64_t index) {
    if (index >= shape.tiles()) return {source, 0, 0, 0, 0};
    const auto tile = tileAt(shape.target, index);
    return pixelsAt(shape.source, source, tile.sample, tile.row - shape.top, tile.column - shape.left, 4);
}

WinogradPixels tileOf(const WinogradShape& shape, const BFloat16* target, std::int64_t index) {
    if (index >= shape.tiles()) return {target, 0, 0, 0, 0};
    const auto tile = tileAt(shape.target, index);
    return pixelsAt(shape.target, target, tile.sample, tile.row, tile.column, 2);
}

WinogradPixels groupOf(WinogradPixels pixels, const WinogradImage& image, std::int64_t group) {
    pixels.corner += group * image.groupStride;
    return pixels;
}

// Where a group's columns lie among panels of a matrix with that many rows and columns.
struct Panels {
    std::int64_t rows = 0, columns = 0, widest = 0;

    [[nodiscard]] std::int64_t count() const { return (columns + widest - 1) / widest; }
    [[nodiscard]] std::int64_t width(std::int64_t panel) const { return std::min(widest, columns - panel * widest); }
    [[nodiscard]] std::int64_t begin(std::int64_t panel) const { return panel * widest * rows; }
    [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t group) const {
        const auto panel = group * kGroup / widest;
        return begin(panel) + row * width(panel) + group * kGroup % widest;
    }
};

// From point to point, in elements of that size: a cache line more than `elements`, without which all points of a tile
// would want the same few lines of the cache.
template <class T>
std::int64_t pointStride(std::int64_t elements) {
    return elements + kLine / static_cast<std::int64_t>(sizeof(T));
}

struct ForwardScratch {
    std::uint32_t* weights = nullptr;  // panel after panel, each of all points: [kPoints, channels / 2, width]
    BFloat16* source = nullptr;        // of each thread, of each point: [tilesAtOnce, channels]
    float* target = nullptr;           // of each thread, of each point: [tilesAtOnce, kPanel]
    std::int64_t sourceStride = 0, targetStride = 0;  // of points
    std::int64_t bytes = 0;

    ForwardScratch(const NarrowWinograd& own, void* memory) {
        ScratchPieces pieces(memory);
        const auto channels = own.shape.source.channels, filters = own.shape.target.channels;
        sourceStride = pointStride<BFloat16>(own.tilesAtOnce * channels);
        targetStride = pointStride<float>(own.tilesAtOnce * kPanel);
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
        for (std::int64_t t = 0; t < count; ++t) {
            const auto patch = patchOf(own.shape, x, first + t);
            for (std::int64_t group = 0; group < image.channels / kGroup; ++group)
                kernels().narrowWinograd.sourcePoints(points + t * image.channels + group * kGroup,
                                                      scratch.sourceStride, groupOf(patch, image, group));
        }
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

struct WeightsScratch {
    std::uint32_t* source = nullptr;  // pairs of tiles, of each point: panels of kRowPanel, [tilesAtOnce / 2, width]
    std::uint32_t* target = nullptr;  // the same of the target's gradient, in panels of kPanel
    float* sums = nullptr;            // of each point: [channels, filters]
    float* bias = nullptr;            // of each thread, [filters]
    std::int64_t sourceStride = 0, targetStride = 0, sumsStride = 0;  // of points
    std::int64_t bytes = 0;

    WeightsScratch(const NarrowWinogradWeights& own, void* memory) {
        ScratchPieces pieces(memory);
        const auto channels = own.shape.source.channels, filters = own.shape.target.channels;
        sourceStride = pointStride<std::uint32_t>(own.tilesAtOnce / 2 * channels);
        targetStride = pointStride<std::uint32_t>(own.tilesAtOnce / 2 * filters);
        sumsStride = pointStride<float>(channels * filters);
        source = pieces.take<std::uint32_t>(kPoints * sourceStride);
        target = pieces.take<std::uint32_t>(kPoints * targetStride);
        sums = pieces.take<float>(kPoints * sumsStride);
        bias = pieces.take<float>(own.shape.threads * filters);
        bytes = pieces.bytes();
    }
};

// The points of two tiles.
void transformPair(const WinogradShape& shape, const BFloat16* x, const BFloat16* dy, std::int64_t first,
                   std::int64_t pair, const Panels& sources, const Panels& targets, const WeightsScratch& scratch,
                   float* bias) {
    const auto& loops = kernels().narrowWinograd;
    const auto index = first + 2 * pair;
    const auto even = patchOf(shape, x, index), odd = patchOf(shape, x, index + 1);
    for (std::int64_t group = 0; group < sources.columns / kGroup; ++group)
        loops.sourcePairs(scratch.source + sources.at(pair, group), scratch.sourceStride,
                          groupOf(even, shape.source, group), groupOf(odd, shape.source, group));
    const auto evenTile = tileOf(shape, dy, index), oddTile = tileOf(shape, dy, index + 1);
    for (std::int64_t group = 0; group < targets.columns / kGroup; ++group)
        loops.targetPairs(scratch.target + targets.at(pair, group), scratch.targetStride,
                          groupOf(evenTile, shape.target, group), groupOf(oddTile, shape.target, group),
                          bias + group * kGroup);
}

// One panel of the channels with one of the filters, at one point.
void multiplyPanels(const Panels& sources, const Panels& targets, std::int64_t job, std::int64_t pairs, bool accumulate,
                    const WeightsScratch& scratch) {
    const auto to = job % targets.count(), from = job / targets.count() % sources.count();
    const auto point = job / targets.count() / sources.count();
    NarrowProduct product;
    product.m = sources.width(from);
    product.n = product.leadingB = targets.width(to);
    product.k = 2 * pairs;
    product.a = reinterpret_cast<const BFloat16*>(scratch.source + point * scratch.sourceStride + sources.begin(from));
    product.rowStride = 2;
    product.pairStride = 2 * product.m;
    product.b = scratch.target + point * scratch.targetStride + targets.begin(to);
    product.c = scratch.sums + point * scratch.sumsStride + from * kRowPanel * targets.columns + to * kPanel;
    product.leadingC = targets.columns;
    product.accumulate = accumulate;
    kernels().narrowProducts.multiply(product);
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
        for (std::int64_t first = 0; first < tiles; first += tilesAtOnce) {
            const auto count = std::min(tilesAtOnce, tiles - first);
            piece.transformSource(source, first, count);
            for (std::int64_t panel = 0; panel < panels.count(); ++panel) {
                piece.multiply(panels, panel, count);
                piece.transformTarget(target, first, count, panel * kPanel, panels.width(panel));
            }
        }
    }
}

Desc NarrowWinogradWeights::gradientDesc() const {
    return Desc({shape.target.channels, shape.source.channels, 3, 3}, DataKind::f32, Tag::OIhw16i16o);
}

std::int64_t NarrowWinogradWeights::scratchBytes() const {
    return WeightsScratch(*this, nullptr).bytes;
}

void NarrowWinogradWeights::run(const BFloat16* source, const BFloat16* targetGradient, float* gradient, float* bias,
                                void* memory) const {
    const WeightsScratch scratch(*this, memory);
    const auto channels = shape.source.channels, filters = shape.target.channels;
    const Panels sources{tilesAtOnce / 2, channels, kRowPanel}, targets{tilesAtOnce / 2, filters, kPanel};
    std::fill_n(scratch.bias, shape.threads * filters, 0.0F);
#pragma omp parallel num_threads(shape.threads)
    {
        // In fixed shares, so that sums are the same every time.
        auto* sums = scratch.bias + omp_get_thread_num() * filters;
        for (std::int64_t first = 0; first < shape.tiles(); first += tilesAtOnce) {
            const auto pairs = half(std::min(tilesAtOnce, shape.tiles() - first));
#pragma omp for schedule(static)
            for (std::int64_t pair = 0; pair < pairs; ++pair)
                transformPair(shape, source, targetGradient, first, pair, sources, targets, scratch, sums);
#pragma omp for schedule(dynamic)
            for (std::int64_t job = 0; job < kPoints * sources.count() * targets.count(); ++job)
                multiplyPanels(sources, targets, job, pairs, first > 0, scratch);
        }
#pragma omp for schedule(static)
        for (std::int64_t channel = 0; channel < channels; ++channel)
            for (std::int64_t group = 0; group < filters / kGroup; ++group) {
                const auto block = group * (channels / kGroup) + channel / kGroup;
                kernels().narrowWinograd.weightGradient(
                    gradient + block * kTaps * kBlockElements + channel % kGroup * kGroup, kBlockElements,
                    scratch.sums + channel * filters + group * kGroup, scratch.sumsStride);
            }
    }
    if (bias == nullptr) return;
    std::fill_n(bias, filters, 0.0F);
    for (int thread = 0; thread < shape.threads; ++thread)
        for (std::int64_t f = 0; f < filters; ++f) bias[f] += scratch.bias[thread * filters + f];
}

namespace {

std::int64_t elementsOf(const WinogradImage& image) {
    return image.batch * image.sampleStride;
}

dnnl::memory trialElements(const dnnl::engine& engine, std::int64_t count, DataKind kind) {
    return trialMemory(plainDesc(Dims{count}, kind), engine);
}

}  // namespace

TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinograd& convolution) {
    return [own = convolution, engine]() -> Trial {
        return [own, x = trialElements(engine, elementsOf(own.shape.source), DataKind::bf16),
                weights = trialMemory(own.weightsDesc(), engine),
                y = trialElements(engine, elementsOf(own.shape.target), DataKind::bf16),
                scratch = trialElements(engine, own.scratchBytes(), DataKind::u8)] {
            own.run(static_cast<const BFloat16*>(x.get_data_handle()), weights.get_data_handle(), nullptr,
                    static_cast<BFloat16*>(y.get_data_handle()), scratch.get_data_handle());
        };
    };
}

TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinogradWeights& convolution) {
    return [own = convolution, engine]() -> Trial {
        return [own, x = trialElements(engine, elementsOf(own.shape.source), DataKind::bf16),
                dy = trialElements(engine, elementsOf(own.shape.target), DataKind::bf16),
                gradient = trialMemory(own.gradientDesc(), engine),
                scratch = trialElements(engine, own.scratchBytes(), DataKind::u8)] {
            own.run(static_cast<const BFloat16*>(x.get_data_handle()),
                    static_cast<const BFloat16*>(dy.get_data_handle()), static_cast<float*>(gradient.get_data_handle()),
                    nullptr, scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
