// SPDX-License-Identifier: Apache-2.0
// The gradient of weights by Winograd's algorithm. Tiles are what is summed over: pairs of them lie in words, a number
// of tiles at a time is transformed by all threads, then multiplied panel by panel.
#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/narrow_winograd.h"
#include "engine/compute/cpu/winograd_tiles.h"

namespace steelyard::compute::cpu {
namespace {

using namespace winograd;

constexpr std::int64_t kRowPanel = 48;  // rows of a transposed A, whole tiles of six
constexpr std::int64_t kBlockElements = kGroup * kGroup;

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
