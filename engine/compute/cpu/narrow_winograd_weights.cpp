// SPDX-License-Identifier: Apache-2.0
// The gradient of weights by Winograd's algorithm. Tiles are what is summed over; pairs of them lie in words. The work
// is divided into jobs, each of some rows of the four by four points, some channels and some filters, over a part of
// the tiles: as much as keeps its sums, and the tiles that it transforms at once, in one thread's cache.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/compute/cpu/narrow_winograd.h"
#include "engine/compute/cpu/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kRows = 4;                                    // of four points each
constexpr std::int64_t kRowPanel = 48;                               // rows of a transposed A, whole tiles of six
constexpr std::int64_t kMostColumns = 256;                           // channels or filters of a job
constexpr std::int64_t kSums = kRows * kMostColumns * kMostColumns;  // of a job, at most: 1 MiB
constexpr std::int64_t kTilesOfARow = 256;  // transformed at once, by a job of one row of points
constexpr std::int64_t kMostTiles = kTilesOfARow * kMostColumns / kGroup / kRows;
constexpr std::int64_t kBlockElements = kGroup * kGroup;

// Channels, or filters, in blocks of about the same size.
struct Blocks {
    std::int64_t columns = 0, count = 1, widest = 0;

    explicit Blocks(std::int64_t all) : columns(all), count((all + kMostColumns - 1) / kMostColumns) {
        widest = ((all + count - 1) / count + kGroup - 1) / kGroup * kGroup;
        count = (all + widest - 1) / widest;
    }
    [[nodiscard]] std::int64_t width(std::int64_t block) const { return std::min(widest, columns - block * widest); }
};

// How the work is divided.
struct Jobs {
    Blocks channels, filters;
    std::int64_t rows = 1;          // of points, of a job
    std::int64_t tilesAtOnce = 0;   // even
    std::int64_t parts = 1;         // of the tiles, where there are few jobs
    std::int64_t tilesOfAPart = 0;  // a multiple of tilesAtOnce

    explicit Jobs(const WinogradShape& shape) : channels(shape.source.channels), filters(shape.target.channels) {
        while (rows < kRows && 2 * rows * 4 * channels.widest * filters.widest <= kSums) rows *= 2;
        tilesAtOnce = kTilesOfARow * kMostColumns * 2 / (channels.widest + filters.widest) / rows / 2 * 2;
        const auto blocks = (shape.tiles() + tilesAtOnce - 1) / tilesAtOnce;
        const auto wanted = (2 * shape.threads + ofAPart() - 1) / ofAPart();
        parts = shape.threads == 1 ? 1 : std::min<std::int64_t>(wanted, blocks);
        const auto blocksOfAPart = (blocks + parts - 1) / parts;
        parts = (blocks + blocksOfAPart - 1) / blocksOfAPart;  // none without tiles
        tilesOfAPart = blocksOfAPart * tilesAtOnce;
    }
    [[nodiscard]] std::int64_t ofAPart() const { return kRows / rows * channels.count * filters.count; }
    [[nodiscard]] std::int64_t count() const { return parts * ofAPart(); }
};

struct Job {
    std::int64_t part = 0, row = 0, channels = 0, filters = 0;  // the first row; indices of blocks

    Job(const Jobs& jobs, std::int64_t index) {
        filters = index % jobs.filters.count;
        index /= jobs.filters.count;
        channels = index % jobs.channels.count;
        index /= jobs.channels.count;
        row = index % (kRows / jobs.rows) * jobs.rows;
        part = index / (kRows / jobs.rows);
    }
};

struct WeightsScratch {
    std::uint32_t* source = nullptr;  // of each thread, of each point: panels of kRowPanel, [tilesAtOnce / 2, width]
    std::uint32_t* target = nullptr;  // the same of the target's gradient, in panels of kPanel
    float* sums = nullptr;            // of each part, block of channels and of filters, and point: [channels, filters]
    float* bias = nullptr;            // of each part, [filters]
    std::int64_t sourceStride = 0, targetStride = 0, sumsStride = 0;  // of points
    std::int64_t bytes = 0;

    WeightsScratch(const WinogradShape& shape, const Jobs& jobs, void* memory) {
        ScratchPieces pieces(memory);
        const auto points = 4 * jobs.rows;
        sourceStride = pointStride<std::uint32_t>(jobs.tilesAtOnce / 2 * jobs.channels.widest);
        targetStride = pointStride<std::uint32_t>(jobs.tilesAtOnce / 2 * jobs.filters.widest);
        sumsStride = pointStride<float>(jobs.channels.widest * jobs.filters.widest);
        source = pieces.take<std::uint32_t>(shape.threads * points * sourceStride);
        target = pieces.take<std::uint32_t>(shape.threads * points * targetStride);
        sums = pieces.take<float>(jobs.parts * jobs.channels.count * jobs.filters.count * kPoints * sumsStride);
        bias = pieces.take<float>(jobs.parts * shape.target.channels);
        bytes = pieces.bytes();
    }
    [[nodiscard]] float* sumsOf(const Jobs& jobs, std::int64_t part, std::int64_t channels,
                                std::int64_t filters) const {
        const auto block = (part * jobs.channels.count + channels) * jobs.filters.count + filters;
        return sums + block * kPoints * sumsStride;
    }
};

WinogradPixels groupOf(const std::array<WinogradPixels, kMostTiles>& pixels, std::int64_t index,
                       const WinogradImage& image, std::int64_t group) {
    return winograd::groupOf(pixels[static_cast<std::size_t>(index)], image, group);
}

// One thread's work on one job.
struct WeightsPiece {
    const WinogradShape& shape;
    const Jobs& jobs;
    const WeightsScratch& scratch;
    Job job;
    Panels sources, targets;
    std::uint32_t *source, *target;

    WeightsPiece(const WinogradShape& own, const Jobs& all, const WeightsScratch& pieces, std::int64_t index,
                 int thread)
        : shape(own),
          jobs(all),
          scratch(pieces),
          job(all, index),
          sources{all.tilesAtOnce / 2, all.channels.width(job.channels), kRowPanel},
          targets{all.tilesAtOnce / 2, all.filters.width(job.filters), kPanel},
          source(pieces.source + thread * 4 * all.rows * pieces.sourceStride),
          target(pieces.target + thread * 4 * all.rows * pieces.targetStride) {}

    void run(const BFloat16* x, const BFloat16* dy) const {
        const auto end = std::min(shape.tiles(), (job.part + 1) * jobs.tilesOfAPart);
        for (auto first = job.part * jobs.tilesOfAPart; first < end; first += jobs.tilesAtOnce) {
            const auto pairs = half(std::min(jobs.tilesAtOnce, end - first));
            transform(x, dy, first, 2 * pairs);
            multiply(pairs, first > job.part * jobs.tilesOfAPart);
        }
    }

private:
    // The points of so many tiles.
    void transform(const BFloat16* x, const BFloat16* dy, std::int64_t first, std::int64_t count) const {
        const auto& loops = kernels().narrowWinograd;
        std::array<WinogradPixels, kMostTiles> patches, tiles;
        for (std::int64_t t = 0; t < count; ++t) {
            patches[static_cast<std::size_t>(t)] = patchOf(shape, x, first + t);
            tiles[static_cast<std::size_t>(t)] = tileOf(shape, dy, first + t);
        }
        const auto channel = job.channels * jobs.channels.widest / kGroup;
        forPairs(sources, count, [&](std::int64_t group, std::int64_t t, std::int64_t row) {
            loops.sourcePairs(source + 4 * row * scratch.sourceStride + sources.at(t / 2, group), scratch.sourceStride,
                              groupOf(patches, t, shape.source, channel + group),
                              groupOf(patches, t + 1, shape.source, channel + group), static_cast<int>(job.row + row));
        });
        const auto filter = job.filters * jobs.filters.widest / kGroup;
        auto* bias = job.channels == 0 ? scratch.bias + job.part * jobs.filters.columns : nullptr;
        forPairs(targets, count, [&](std::int64_t group, std::int64_t t, std::int64_t row) {
            loops.targetPairs(target + 4 * row * scratch.targetStride + targets.at(t / 2, group), scratch.targetStride,
                              groupOf(tiles, t, shape.target, filter + group),
                              groupOf(tiles, t + 1, shape.target, filter + group), static_cast<int>(job.row + row),
                              bias == nullptr ? nullptr : bias + (filter + group) * kGroup);
        });
    }

    // Calls with a group of channels, a tile and a row of points; group after group, so that memory is read along its
    // rows.
    template <class Function>
    void forPairs(const Panels& panels, std::int64_t count, Function&& function) const {
        for (std::int64_t group = 0; group < panels.columns / kGroup; ++group)
            for (std::int64_t t = 0; t < count; t += 2)
                for (std::int64_t row = 0; row < jobs.rows; ++row) function(group, t, row);
    }

    void multiply(std::int64_t pairs, bool accumulate) const {
        NarrowProduct product;
        product.rowStride = 2;
        product.k = 2 * pairs;
        product.leadingC = targets.columns;
        product.accumulate = accumulate;
        auto* sums = scratch.sumsOf(jobs, job.part, job.channels, job.filters) + 4 * job.row * scratch.sumsStride;
        for (std::int64_t point = 0; point < 4 * jobs.rows; ++point)
            for (std::int64_t from = 0; from < sources.count(); ++from)
                for (std::int64_t to = 0; to < targets.count(); ++to) {
                    product.m = sources.width(from);
                    product.pairStride = 2 * product.m;
                    product.a =
                        reinterpret_cast<const BFloat16*>(source + point * scratch.sourceStride + sources.begin(from));
                    product.n = product.leadingB = targets.width(to);
                    product.b = target + point * scratch.targetStride + targets.begin(to);
                    product.c = sums + point * scratch.sumsStride + from * kRowPanel * targets.columns + to * kPanel;
                    kernels().narrowProducts.multiply(product);
                }
    }
};

// The weights of one channel to all filters.
void finishChannel(const Jobs& jobs, const WeightsScratch& scratch, std::int64_t channel, float* gradient) {
    const auto channels = channel / jobs.channels.widest, row = channel % jobs.channels.widest;
    for (std::int64_t filter = 0; filter < jobs.filters.columns; filter += kGroup) {
        const auto filters = filter / jobs.filters.widest;
        const auto place = row * jobs.filters.width(filters) + filter % jobs.filters.widest;
        auto* sums = scratch.sumsOf(jobs, 0, channels, filters) + place;
        for (std::int64_t part = 1; part < jobs.parts; ++part) {
            const auto* more = scratch.sumsOf(jobs, part, channels, filters) + place;
            for (std::int64_t point = 0; point < kPoints; ++point)
                kernels().rowsF32.addTo(sums + point * scratch.sumsStride, more + point * scratch.sumsStride, kGroup);
        }
        const auto block = filter / kGroup * (jobs.channels.columns / kGroup) + channel / kGroup;
        kernels().narrowWinograd.weightGradient(gradient + block * kTaps * kBlockElements + channel % kGroup * kGroup,
                                                kBlockElements, sums, scratch.sumsStride);
    }
}

}  // namespace

Desc NarrowWinogradWeights::gradientDesc() const {
    return Desc({shape.target.channels, shape.source.channels, 3, 3}, DataKind::f32, Tag::OIhw16i16o);
}

std::int64_t NarrowWinogradWeights::scratchBytes() const {
    return WeightsScratch(shape, Jobs(shape), nullptr).bytes;
}

void NarrowWinogradWeights::run(const BFloat16* source, const BFloat16* targetGradient, float* gradient, float* bias,
                                void* memory) const {
    const Jobs jobs(shape);
    const WeightsScratch scratch(shape, jobs, memory);
    const auto filters = shape.target.channels;
    std::fill_n(scratch.bias, jobs.parts * filters, 0.0F);
#pragma omp parallel num_threads(shape.threads)
    {
#pragma omp for schedule(dynamic)
        for (std::int64_t index = 0; index < jobs.count(); ++index)
            WeightsPiece(shape, jobs, scratch, index, omp_get_thread_num()).run(source, targetGradient);
#pragma omp for schedule(static)
        for (std::int64_t channel = 0; channel < shape.source.channels; ++channel)
            finishChannel(jobs, scratch, channel, gradient);
    }
    if (bias == nullptr) return;
    std::copy_n(scratch.bias, filters, bias);
    for (std::int64_t part = 1; part < jobs.parts; ++part)
        kernels().rowsF32.addTo(bias, scratch.bias + part * filters, filters);
}

TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinogradWeights& convolution) {
    return [own = convolution, engine]() -> Trial {
        return [own, x = trialImage(engine, own.shape.source), dy = trialImage(engine, own.shape.target),
                gradient = trialMemory(own.gradientDesc(), engine),
                scratch = trialElements(engine, own.scratchBytes(), DataKind::u8)] {
            own.run(static_cast<const BFloat16*>(x.get_data_handle()),
                    static_cast<const BFloat16*>(dy.get_data_handle()), static_cast<float*>(gradient.get_data_handle()),
                    nullptr, scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
