// SPDX-License-Identifier: Apache-2.0
// The gradient of weights by Winograd's algorithm. Sums run over tiles; for bfloat16, pairs of them form words. Work is
// divided into jobs, each for some rows of points, some channels and some filters, over part of the tiles, such that
// its sums and transformed tiles fit in one thread's cache.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/compute/cpu/winograd/winograd_convolution.h"
#include "engine/compute/cpu/winograd/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kRowPanel = 48;                     // rows of a transposed A, whole tiles of six
constexpr std::int64_t kMostColumns = 256;                 // channels or filters per job
constexpr std::int64_t kMostSums = std::int64_t{1} << 18;  // per job; 1 MiB
constexpr std::int64_t kBlockElements = kGroup * kGroup;

// Tiles transformed at once, by a job of one row of points with kMostColumns of both.
template <class T>
inline constexpr std::int64_t kTilesOfARow = kElementsOfAWord<T> == 2 ? 256 : 80;
template <class T>
inline constexpr std::int64_t kMostRowTiles = kTilesOfARow<T>* kMostColumns / kGroup / kRows<T>;

// Channels, or filters, in blocks of about equal size.
struct Blocks {
    std::int64_t columns = 0, count = 1, widest = 0;

    explicit Blocks(std::int64_t all) : columns(all), count(blocks(all, kMostColumns)) {
        widest = blocks(blocks(all, count), kGroup) * kGroup;
        count = blocks(all, widest);
    }
    [[nodiscard]] std::int64_t width(std::int64_t block) const { return std::min(widest, columns - block * widest); }
};

// Division of the work.
template <class T>
struct Jobs {
    Blocks channels, filters;
    std::int64_t rows = kRows<T>;   // of points, per job
    std::int64_t tilesAtOnce = 0;   // whole words
    std::int64_t parts = 1;         // of the tiles, if there are few jobs
    std::int64_t tilesOfAPart = 0;  // a multiple of tilesAtOnce

    explicit Jobs(const WinogradShape& shape) : channels(shape.source.channels), filters(shape.target.channels) {
        constexpr auto kElements = kElementsOfAWord<T>;
        while (rows > 1 && (kRows<T> % rows != 0 || rows * kRows<T> * channels.widest * filters.widest > kMostSums))
            --rows;
        tilesAtOnce = kTilesOfARow<T> * kMostColumns * 2 / (channels.widest + filters.widest) / rows;
        tilesAtOnce = tilesAtOnce / kElements * kElements;
        const auto lots = blocks(tilesOf<T>(shape.target), tilesAtOnce);
        const auto wanted = blocks(2 * shape.threads, ofAPart());
        parts = shape.threads == 1 ? 1 : std::min<std::int64_t>(wanted, lots);
        const auto lotsOfAPart = blocks(lots, parts);
        parts = blocks(lots, lotsOfAPart);  // none without tiles
        tilesOfAPart = lotsOfAPart * tilesAtOnce;
    }
    [[nodiscard]] std::int64_t ofAPart() const { return kRows<T> / rows * channels.count * filters.count; }
    [[nodiscard]] std::int64_t count() const { return parts * ofAPart(); }
};

struct Job {
    std::int64_t part = 0, row = 0, channels = 0, filters = 0;  // the first row; block indices

    template <class T>
    Job(const Jobs<T>& jobs, std::int64_t index) {
        filters = index % jobs.filters.count;
        index /= jobs.filters.count;
        channels = index % jobs.channels.count;
        index /= jobs.channels.count;
        row = index % (kRows<T> / jobs.rows) * jobs.rows;
        part = index / (kRows<T> / jobs.rows);
    }
};

template <class T>
struct WeightsScratch {
    using Word = ProductWord<T>;

    Word* source = nullptr;  // per thread and point: panels of kRowPanel, words of [tilesAtOnce, width]
    Word* target = nullptr;  // likewise for the target's gradient, in panels of kPanel
    float* sums = nullptr;   // per part, channel block, filter block and point: [channels, filters]
    float* bias = nullptr;   // per part, [filters]
    std::int64_t sourceStride = 0, targetStride = 0, sumsStride = 0;  // of points
    std::int64_t bytes = 0;

    WeightsScratch(const WinogradShape& shape, const Jobs<T>& jobs, void* memory) {
        ScratchPieces pieces(memory);
        const auto points = kRows<T> * jobs.rows, words = jobs.tilesAtOnce / kElementsOfAWord<T>;
        sourceStride = pointStride<Word>(words * jobs.channels.widest);
        targetStride = pointStride<Word>(words * jobs.filters.widest);
        sumsStride = pointStride<float>(jobs.channels.widest * jobs.filters.widest);
        source = pieces.take<Word>(shape.threads * points * sourceStride);
        target = pieces.take<Word>(shape.threads * points * targetStride);
        sums = pieces.take<float>(jobs.parts * jobs.channels.count * jobs.filters.count * kPoints<T> * sumsStride);
        bias = pieces.take<float>(jobs.parts * shape.target.channels);
        bytes = pieces.bytes();
    }
    [[nodiscard]] float* sumsOf(const Jobs<T>& jobs, std::int64_t part, std::int64_t channels,
                                std::int64_t filters) const {
        const auto block = (part * jobs.channels.count + channels) * jobs.filters.count + filters;
        return sums + block * kPoints<T> * sumsStride;
    }
};

// One thread's part of a job.
template <class T>
struct WeightsPiece {
    using Word = ProductWord<T>;
    using Pixels = std::array<WinogradPixels<T>, static_cast<std::size_t>(kMostRowTiles<T>)>;
    static constexpr auto kElements = kElementsOfAWord<T>;

    const WinogradShape& shape;
    const Jobs<T>& jobs;
    const WeightsScratch<T>& scratch;
    Job job;
    Panels sources, targets;
    Word *source, *target;

    WeightsPiece(const WinogradShape& winograd, const Jobs<T>& all, const WeightsScratch<T>& pieces, std::int64_t index,
                 int thread)
        : shape(winograd),
          jobs(all),
          scratch(pieces),
          job(all, index),
          sources{all.tilesAtOnce / kElements, all.channels.width(job.channels), kRowPanel},
          targets{all.tilesAtOnce / kElements, all.filters.width(job.filters), kPanel},
          source(pieces.source + thread * kRows<T> * all.rows * pieces.sourceStride),
          target(pieces.target + thread * kRows<T> * all.rows * pieces.targetStride) {}

    void run(const T* x, const T* dy) const {
        const auto end = std::min(tilesOf<T>(shape.target), (job.part + 1) * jobs.tilesOfAPart);
        for (auto first = job.part * jobs.tilesOfAPart; first < end; first += jobs.tilesAtOnce) {
            const auto words = blocks(std::min(jobs.tilesAtOnce, end - first), kElements);
            transform(x, dy, first, words);
            multiply(words, first > job.part * jobs.tilesOfAPart);
        }
    }

private:
    // Points of the tiles of `words` words.
    void transform(const T* x, const T* dy, std::int64_t first, std::int64_t words) const {
        const auto& loops = kernels().winograd<T>();
        Pixels patches, tiles;
        for (std::int64_t t = 0; t < words * kElements; ++t) {
            patches[static_cast<std::size_t>(t)] = patchOf(shape, x, first + t);
            tiles[static_cast<std::size_t>(t)] = tileOf(shape, dy, first + t);
        }
        const auto channel = job.channels * jobs.channels.widest / kGroup;
        forWords(sources, words, [&](std::int64_t group, std::int64_t word, std::int64_t row) {
            const auto pixels = groupsOf(patches, word, shape.source, channel + group);
            loops.sourceWords(source + kRows<T> * row * scratch.sourceStride + sources.at(word, group),
                              scratch.sourceStride, pixels.data(), static_cast<int>(job.row + row));
        });
        const auto filter = job.filters * jobs.filters.widest / kGroup;
        auto* bias = job.channels == 0 ? scratch.bias + job.part * jobs.filters.columns : nullptr;
        forWords(targets, words, [&](std::int64_t group, std::int64_t word, std::int64_t row) {
            const auto pixels = groupsOf(tiles, word, shape.target, filter + group);
            loops.targetWords(target + kRows<T> * row * scratch.targetStride + targets.at(word, group),
                              scratch.targetStride, pixels.data(), static_cast<int>(job.row + row),
                              bias == nullptr ? nullptr : bias + (filter + group) * kGroup);
        });
    }

    // For the tiles of a word.
    static auto groupsOf(const Pixels& pixels, std::int64_t word, const WinogradImage& image, std::int64_t group) {
        std::array<WinogradPixels<T>, static_cast<std::size_t>(kElements)> groups;
        for (std::size_t i = 0; i < groups.size(); ++i)
            groups[i] = groupOf(pixels[static_cast<std::size_t>(word) * groups.size() + i], image, group);
        return groups;
    }

    // Calls with a group of channels, a word and a row of points; group by group, so that memory is read along rows.
    template <class Function>
    void forWords(const Panels& panels, std::int64_t words, Function&& function) const {
        for (std::int64_t group = 0; group < panels.columns / kGroup; ++group)
            for (std::int64_t word = 0; word < words; ++word)
                for (std::int64_t row = 0; row < jobs.rows; ++row) function(group, word, row);
    }

    void multiply(std::int64_t words, bool accumulate) const {
        PanelProduct<T> product;
        product.rowStride = kElements;
        product.k = kElements * words;
        product.leadingC = targets.columns;
        product.accumulate = accumulate;
        auto* sums =
            scratch.sumsOf(jobs, job.part, job.channels, job.filters) + kRows<T> * job.row * scratch.sumsStride;
        for (std::int64_t point = 0; point < kRows<T> * jobs.rows; ++point)
            for (std::int64_t from = 0; from < sources.count(); ++from)
                for (std::int64_t to = 0; to < targets.count(); ++to) {
                    product.m = sources.width(from);
                    product.wordStride = kElements * product.m;
                    product.a = reinterpret_cast<const T*>(source + point * scratch.sourceStride + sources.begin(from));
                    product.n = product.leadingB = targets.width(to);
                    product.b = target + point * scratch.targetStride + targets.begin(to);
                    product.c = sums + point * scratch.sumsStride + from * kRowPanel * targets.columns + to * kPanel;
                    kernels().products<T>().multiply(product);
                }
    }
};

// The weights from one channel to all filters.
template <class T>
void finishChannel(const Jobs<T>& jobs, const WeightsScratch<T>& scratch, std::int64_t channel, float* gradient) {
    const auto channels = channel / jobs.channels.widest, row = channel % jobs.channels.widest;
    for (std::int64_t filter = 0; filter < jobs.filters.columns; filter += kGroup) {
        const auto filters = filter / jobs.filters.widest;
        const auto place = row * jobs.filters.width(filters) + filter % jobs.filters.widest;
        auto* sums = scratch.sumsOf(jobs, 0, channels, filters) + place;
        for (std::int64_t part = 1; part < jobs.parts; ++part) {
            const auto* more = scratch.sumsOf(jobs, part, channels, filters) + place;
            for (std::int64_t point = 0; point < kPoints<T>; ++point)
                kernels().rowsF32.addTo(sums + point * scratch.sumsStride, more + point * scratch.sumsStride, kGroup);
        }
        const auto block = filter / kGroup * (jobs.channels.columns / kGroup) + channel / kGroup;
        kernels().winograd<T>().weightGradient(gradient + block * kTaps * kBlockElements + channel % kGroup * kGroup,
                                               kBlockElements, sums, scratch.sumsStride);
    }
}

template <class T>
void runAs(const WinogradShape& shape, const T* source, const T* targetGradient, float* gradient, float* bias,
           void* memory) {
    const Jobs<T> jobs(shape);
    const WeightsScratch<T> scratch(shape, jobs, memory);
    const auto filters = shape.target.channels;
    std::fill_n(scratch.bias, jobs.parts * filters, 0.0F);
#pragma omp parallel num_threads(shape.threads)
    {
#pragma omp for schedule(dynamic)
        for (std::int64_t index = 0; index < jobs.count(); ++index)
            WeightsPiece<T>(shape, jobs, scratch, index, omp_get_thread_num()).run(source, targetGradient);
#pragma omp for schedule(static)
        for (std::int64_t channel = 0; channel < shape.source.channels; ++channel)
            finishChannel(jobs, scratch, channel, gradient);
    }
    if (bias == nullptr) return;
    std::copy_n(scratch.bias, filters, bias);
    for (std::int64_t part = 1; part < jobs.parts; ++part)
        kernels().rowsF32.addTo(bias, scratch.bias + part * filters, filters);
}

template <class T>
std::int64_t scratchBytesAs(const WinogradShape& shape) {
    return WeightsScratch<T>(shape, Jobs<T>(shape), nullptr).bytes;
}

}  // namespace

Desc WinogradWeights::weightsDesc() const {
    return Desc({shape.target.channels, shape.source.channels, 3, 3}, DataKind::f32, Tag::OIhw16i16o);
}

std::int64_t WinogradWeights::scratchBytes() const {
    return shape.kind() == DataKind::f32 ? scratchBytesAs<float>(shape) : scratchBytesAs<BFloat16>(shape);
}

void WinogradWeights::run(const void* source, const void* targetGradient, float* gradient, float* bias,
                          void* memory) const {
    if (shape.kind() == DataKind::f32) {
        runAs(shape, static_cast<const float*>(source), static_cast<const float*>(targetGradient), gradient, bias,
              memory);
    } else {
        runAs(shape, static_cast<const BFloat16*>(source), static_cast<const BFloat16*>(targetGradient), gradient, bias,
              memory);
    }
}

TrialMaker trialOf(const dnnl::engine& engine, const WinogradWeights& convolution, bool /*coldWeights*/) {
    return [winograd = convolution, engine]() -> Trial {
        return [winograd, x = trialImage(engine, winograd.shape.source), dy = trialImage(engine, winograd.shape.target),
                gradient = trialMemory(winograd.weightsDesc(), engine),
                scratch = trialElements(engine, winograd.scratchBytes(), DataKind::u8)] {
            winograd.run(x.get_data_handle(), dy.get_data_handle(), static_cast<float*>(gradient.get_data_handle()),
                         nullptr, scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
