// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/array/convolution_1d.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kTapColumns = 64;        // columns of a product
constexpr std::int64_t kColumns = 256;          // columns packed at once: longer pieces of rows are read faster
constexpr std::int64_t kCachedWords = 1 << 17;  // packed words that stay in a core's cache
constexpr std::int64_t kTapRows = 128;          // packed rows per product; their panel takes 32 KiB
constexpr std::int64_t kRowGroup = 12;          // a multiple of the microkernels' rows
constexpr double kSerialFlops = 1 << 20;        // less is done before another thread has started

// Division of the result among threads: by samples, groups and columns; if there are few, also by rows.
struct Conv1dDivision {
    std::int64_t columns = kColumns, pieces = 1, units = 1, rows = 1, down = 1;
    int threads = 1;

    explicit Conv1dDivision(const Convolution1d& c) : threads(c.flops() < kSerialFlops ? 1 : c.threads) {
        constexpr std::int64_t kPiecesPerThread = 3;
        const auto wanted = threads == 1 ? 1 : kPiecesPerThread * threads;
        const auto unitsOf = [&] { return c.batch * c.groups * blocks(c.out, columns); };
        while (columns > kTapColumns && (columns * c.depth() > kCachedWords || unitsOf() < wanted)) columns /= 2;
        columns = std::min(columns, c.out);
        pieces = blocks(c.out, columns);
        units = unitsOf();
        const auto all = c.outChannels / c.groups;
        const auto most = std::min(blocks(wanted, units), blocks(all, kRowGroup));
        rows = blocks(blocks(all, kRowGroup), most) * kRowGroup;
        down = blocks(all, rows);
    }
    // Distance of packed rows: not a power of two, whose rows would share few sets of the cache.
    [[nodiscard]] static std::int64_t leading(std::int64_t width) { return width > kTapColumns ? width + 16 : width; }
};

// A multiple of a cache line.
std::int64_t wordsOfThread(const Convolution1d& c, const Conv1dDivision& division) {
    return blocks(c.depth() * Conv1dDivision::leading(division.columns), 16) * 16;
}

// Columns of one sample and group.
struct Conv1dBlock {
    const Convolution1d& c;
    const float *x = nullptr, *weights = nullptr, *bias = nullptr;  // of the group
    float* y = nullptr;
    std::int64_t first = 0, width = 0, leading = 0;

    // words[tap inChannels + channel, column]
    void pack(float* words) const {
        const auto channels = c.inChannels / c.groups;
        for (std::int64_t t = 0; t < c.taps; ++t) {
            auto* to = words + t * channels * leading;
            const auto start = first * c.stride + t * c.dilation - c.before;  // element of the first column
            const auto low = std::min(width, start >= 0 ? 0 : blocks(-start, c.stride));
            const auto high = std::clamp(start >= c.in ? 0 : (c.in - 1 - start) / c.stride + 1, low, width);
            if (low > 0 || high < width) {
                for (std::int64_t row = 0; row < channels; ++row) {
                    std::fill(to + row * leading, to + row * leading + low, 0.0F);
                    std::fill(to + row * leading + high, to + row * leading + width, 0.0F);
                }
            }
            if (low < high)
                kernels().f32Gemm.copyRows(to + low, leading, x + start + low * c.stride, c.in, c.stride, channels,
                                           high - low);
        }
    }

    // Rows [begin, end) of the group's filters.
    void multiply(std::int64_t begin, std::int64_t end, const float* words) const {
        const auto blockRows = kernels().f32Gemm.blockRows;
        for (std::int64_t panel = 0; panel < width; panel += kTapColumns)
            for (auto row = begin; row < end; row += blockRows)
                multiplyPanel({row, std::min(blockRows, end - row), panel, std::min(kTapColumns, width - panel)},
                              words);
    }

private:
    struct Place {
        std::int64_t row = 0, rows = 0, column = 0, columns = 0;
    };

    void multiplyPanel(const Place& place, const float* words) const {
        const auto depth = c.depth(), parts = blocks(depth, kTapRows), part = blocks(depth, parts);
        auto* target = y + place.row * c.out + first + place.column;
        F32Gemm product;
        product.m = place.rows;
        product.n = place.columns;
        product.leadingB = leading;
        product.leadingC = c.out;
        product.rowStride = depth;
        product.c = target;
        product.rowStart = bias == nullptr ? nullptr : bias + place.row;
        product.target = target;
        product.targetElement = sizeof(float);
        product.targetStride = c.out * product.targetElement;
        for (std::int64_t word = 0; word < depth; word += part) {
            product.k = std::min(part, depth - word);
            product.a = weights + place.row * depth + word;
            product.b = words + word * leading + place.column;
            kernels().f32Gemm.multiply(product);
            product.accumulate = true;
            product.rowStart = nullptr;
            product.target = nullptr;
        }
        if (!c.activation) return;
        for (std::int64_t r = 0; r < place.rows; ++r)
            kernels().activate(*c.activation, target + r * c.out, place.columns);
    }
};

}  // namespace

bool Convolution1d::runsHere() {
    return kernels().f32Gemm.multiply != nullptr;
}

Desc Convolution1d::weightsDesc() const {
    const auto channels = inChannels / groups;
    return {Dims{outChannels, channels, taps}, DataKind::f32, Dims{channels * taps, 1, channels}};
}

std::int64_t Convolution1d::scratchBytes() const {
    const Conv1dDivision division(*this);
    return division.threads * wordsOfThread(*this, division) * static_cast<std::int64_t>(sizeof(float));
}

void Convolution1d::run(const float* x, const float* weights, const float* bias, float* y, void* scratch) const {
    const Conv1dDivision division(*this);
    const auto filters = outChannels / groups;
    const auto piece = [&](std::int64_t index, int thread) {
        auto* words = static_cast<float*>(scratch) + thread * wordsOfThread(*this, division);
        const auto unit = index / division.down, row = index % division.down * division.rows;
        const auto sampleAndGroup = unit / division.pieces, group = sampleAndGroup % groups;
        const auto first = unit % division.pieces * division.columns;
        const auto width = std::min(division.columns, out - first);
        const Conv1dBlock block{*this,
                                x + sampleAndGroup * (inChannels / groups) * in,
                                weights + group * filters * depth(),
                                bias == nullptr ? nullptr : bias + group * filters,
                                y + sampleAndGroup * filters * out,
                                first,
                                width,
                                Conv1dDivision::leading(width)};
        block.pack(words);
        block.multiply(row, std::min(filters, row + division.rows), words);
    };
    const auto pieces = division.units * division.down;
    if (division.threads == 1) {
        for (std::int64_t index = 0; index < pieces; ++index) piece(index, 0);
        return;
    }
#pragma omp parallel for num_threads(division.threads) schedule(dynamic)
    for (std::int64_t index = 0; index < pieces; ++index) piece(index, omp_get_thread_num());
}

TrialMaker Convolution1d::trial(const dnnl::engine& engine) const {
    return [c = *this, engine]() -> Trial {
        const auto memory = [&](std::int64_t bytes) {
            return trialMemory(plainDesc(Dims{bytes}, DataKind::u8), engine);
        };
        return [c, x = memory(c.batch * c.inChannels * c.in * 4), w = memory(c.outChannels * c.depth() * 4),
                bias = memory(c.outChannels * 4), y = memory(c.batch * c.outChannels * c.out * 4),
                scratch = memory(c.scratchBytes())] {
            const auto floats = [](const dnnl::memory& of) { return static_cast<float*>(of.get_data_handle()); };
            c.run(floats(x), floats(w), floats(bias), floats(y), scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
