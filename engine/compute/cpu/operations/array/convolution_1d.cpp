// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/array/convolution_1d.h"

#include <omp.h>

#include <algorithm>

#include "engine/compute/cpu/compile/scratch_pieces.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPanel = 64;       // columns per block
constexpr std::int64_t kDepth = 128;      // packed rows per product; such a panel takes 32 KiB
constexpr std::int64_t kRowGroup = 12;    // a multiple of the microkernels' rows
constexpr double kSerialFlops = 1 << 20;  // less is done before another thread has started

// Division of the result among threads: by samples, groups and columns; if there are few, also by rows.
struct LineDivision {
    std::int64_t panels = 1, units = 1, rows = 1, down = 1;
    int threads = 1;

    explicit LineDivision(const Convolution1d& c) : panels(blocks(c.out, kPanel)) {
        constexpr std::int64_t kPiecesPerThread = 3;
        units = c.batch * c.groups * panels;
        const auto all = c.outChannels / c.groups;
        threads = c.flops() < kSerialFlops ? 1 : c.threads;
        const auto wanted = threads == 1 ? 1 : kPiecesPerThread * threads;
        const auto most = std::min(blocks(wanted, units), blocks(all, kRowGroup));
        rows = blocks(blocks(all, kRowGroup), most) * kRowGroup;
        down = blocks(all, rows);
    }
};

struct LineScratch {
    float *words = nullptr, *sums = nullptr;
    std::int64_t bytes = 0;

    LineScratch(const Convolution1d& c, int threads, int thread, void* memory) {
        ScratchPieces pieces(memory);
        const auto width = std::min(c.out, kPanel);
        const auto wordsOfThread = c.depth() * width;
        const auto sumsOfThread = std::min(c.outChannels / c.groups, kernels().f32Gemm.blockRows) * width;
        words = pieces.take<float>(threads * wordsOfThread);
        sums = pieces.take<float>(threads * sumsOfThread);
        bytes = pieces.bytes();
        if (memory == nullptr) return;
        words += thread * wordsOfThread;
        sums += thread * sumsOfThread;
    }
};

// A block of columns of one sample and group.
struct LineBlock {
    const Convolution1d& c;
    const float *x = nullptr, *weights = nullptr, *bias = nullptr;  // of the group
    float* y = nullptr;
    std::int64_t first = 0, width = 0;

    // words[tap inChannels + channel, column]
    void pack(float* words) const {
        const auto channels = c.inChannels / c.groups;
        for (std::int64_t t = 0; t < c.taps; ++t) {
            auto* to = words + t * channels * width;
            const auto start = first * c.stride + t * c.dilation - c.before;  // element of the first column
            const auto low = std::min(width, start >= 0 ? 0 : blocks(-start, c.stride));
            const auto high = std::clamp(start >= c.in ? 0 : (c.in - 1 - start) / c.stride + 1, low, width);
            if (low > 0 || high < width) {
                for (std::int64_t row = 0; row < channels; ++row) {
                    std::fill(to + row * width, to + row * width + low, 0.0F);
                    std::fill(to + row * width + high, to + (row + 1) * width, 0.0F);
                }
            }
            if (low < high)
                kernels().f32Gemm.copyRows(to + low, width, x + start + low * c.stride, c.in, c.stride, channels,
                                           high - low);
        }
    }

    // Rows [begin, end) of the group's filters.
    void multiply(std::int64_t begin, std::int64_t end, const float* words, float* sums) const {
        const auto depth = c.depth(), parts = blocks(depth, kDepth), part = blocks(depth, parts);
        const auto blockRows = kernels().f32Gemm.blockRows;
        for (auto row = begin; row < end; row += blockRows) {
            F32Gemm product;
            product.m = std::min(blockRows, end - row);
            product.n = product.leadingB = product.leadingC = width;
            product.rowStride = depth;
            product.c = sums;
            if (bias != nullptr)
                for (std::int64_t r = 0; r < product.m; ++r)
                    std::fill(sums + r * width, sums + (r + 1) * width, bias[row + r]);
            for (std::int64_t word = 0; word < depth; word += part) {
                product.k = std::min(part, depth - word);
                product.a = weights + row * depth + word;
                product.b = words + word * width;
                product.accumulate = word > 0 || bias != nullptr;
                kernels().f32Gemm.multiply(product);
            }
            finish(row, product.m, sums);
        }
    }

private:
    void finish(std::int64_t row, std::int64_t rows, float* sums) const {
        const bool relu = c.activation == model::ActivationKind::Relu;
        if (c.activation && !relu) kernels().activate(*c.activation, sums, rows * width);
        for (std::int64_t r = 0; r < rows; ++r) {
            auto* to = y + (row + r) * c.out + first;
            if (relu) {
                kernels().f32.relu(to, sums + r * width, width);
            } else {
                std::copy_n(sums + r * width, width, to);
            }
        }
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
    return LineScratch(*this, LineDivision(*this).threads, 0, nullptr).bytes;
}

void Convolution1d::run(const float* x, const float* weights, const float* bias, float* y, void* scratch) const {
    const LineDivision division(*this);
    const auto filters = outChannels / groups;
    const auto piece = [&](std::int64_t index, int thread) {
        const LineScratch own(*this, division.threads, thread, scratch);
        const auto unit = index / division.down, row = index % division.down * division.rows;
        const auto sampleAndGroup = unit / division.panels, group = sampleAndGroup % groups;
        const auto first = unit % division.panels * kPanel;
        const LineBlock block{*this,
                              x + sampleAndGroup * (inChannels / groups) * in,
                              weights + group * filters * depth(),
                              bias == nullptr ? nullptr : bias + group * filters,
                              y + sampleAndGroup * filters * out,
                              first,
                              std::min(kPanel, out - first)};
        block.pack(own.words);
        block.multiply(row, std::min(filters, row + division.rows), own.words, own.sums);
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
