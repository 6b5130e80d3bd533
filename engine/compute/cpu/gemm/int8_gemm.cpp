// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/int8_gemm.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPaddedWords = 16;       // depths of packed panels are multiples
constexpr std::int64_t kSourceBytes = 192'000;  // of the rows that a thread reads for all of its panels
constexpr std::int64_t kFewestRows = 48;

std::int64_t panelWords(const Int8Gemm& gemm) {
    return blocks(blocks(gemm.features, kInt8Word), kPaddedWords) * kPaddedWords * kInt8Columns;
}

// Division of y among threads: by lines, and also by panels if there are few. A line is a row, or the outWidth rows of
// a line of an image.
struct Int8Division {
    std::int64_t lines = 0, panels = 0;  // per piece
    std::int64_t down = 0, across = 0;   // number of pieces; with windows, `down` per image
    std::int64_t images = 1;

    explicit Int8Division(const Int8Gemm& gemm) {
        constexpr std::int64_t kPiecesPerThread = 4;
        const auto wanted = gemm.threads == 1 ? 1 : kPiecesPerThread * gemm.threads;
        auto all = gemm.rows, fewest = kFewestRows, bytes = gemm.features;
        if (const auto& w = gemm.windows) {
            images = gemm.rows / (w->outHeight * w->outWidth);
            all = w->outHeight;
            fewest = std::min(all, blocks(kFewestRows, w->outWidth));
            bytes = w->strideHeight * w->lineBytes();
        }
        const auto most = std::max(fewest, kSourceBytes / bytes);
        lines = std::clamp(blocks(all, blocks(wanted, images)), fewest, most);
        down = blocks(all, lines);
        const auto panelsOfAll = blocks(gemm.units, kInt8Columns);
        across = std::min(panelsOfAll, blocks(wanted, images * down));
        panels = blocks(panelsOfAll, across);
        across = blocks(panelsOfAll, panels);
    }
};

// Copies the lines of an image that the windows from output line `first` on read, with their padding.
void copyLines(const Int8Windows& w, const std::byte* image, std::int64_t first, std::int64_t count,
               std::byte* target) {
    const auto line = w.lineBytes(), before = std::min(line, w.left * w.channels);
    const auto whole = w.width * w.channels, read = std::min(whole, line - before);
    for (std::int64_t i = 0; i < w.linesOf(count); ++i, target += line) {
        const auto y = first * w.strideHeight - w.top + i;
        if (y < 0 || y >= w.height) {
            std::memset(target, 0, static_cast<std::size_t>(line));
            continue;
        }
        std::memset(target, 0, static_cast<std::size_t>(before));
        std::memcpy(target + before, image + y * whole, static_cast<std::size_t>(read));
        std::memset(target + before + read, 0, static_cast<std::size_t>(line - before - read));
    }
}

}  // namespace

bool Int8Windows::isPadded() const {
    return top > 0 || left > 0 || linesOf(outHeight) > height || lineBytes() > width * channels;
}

bool Int8Gemm::runsHere() const {
    const auto line = windows ? windows->kernelWidth * windows->channels : features;
    return products->multiply != nullptr && line % kInt8Word == 0;
}

std::int64_t Int8Gemm::scratchBytes() const {
    if (!windows || !windows->isPadded()) return 0;
    return threads * windows->linesOf(Int8Division(*this).lines) * windows->lineBytes();
}

// The library has a format tag for it, since its kernels use the same layout.
Desc Int8Gemm::packedDesc() const {
    return {Dims{units, features}, DataKind::s8, Tag::AB16b64a4b};
}

void Int8Gemm::sumUnits(const void* weights, std::int32_t* start) const {
    const auto* bytes = static_cast<const std::int8_t*>(weights);
    for (std::int64_t unit = 0; unit < units; ++unit) {
        const auto* column = bytes + (unit / kInt8Columns * panelWords(*this) + unit % kInt8Columns) * kInt8Word;
        std::uint32_t sum = 0;  // wraps as the sums of a product do
        for (std::int64_t k = 0; k < features; ++k)
            sum += static_cast<std::uint32_t>(column[k / kInt8Word * kInt8Columns * kInt8Word + k % kInt8Word]);
        start[unit] = static_cast<std::int32_t>(sum * -128U);
    }
}

void Int8Gemm::run(const void* x, const void* weights, const float* factors, const float* offsets,
                   const std::int32_t* start, void* y, void* scratch) const {
    const Int8Division division(*this);
    Int8Product whole;
    whole.rowStride = features;
    whole.words = features / kInt8Word;
    if (windows) {
        whole.rowStride = windows->strideWidth * windows->channels;
        whole.words = windows->kernelWidth * windows->channels / kInt8Word;
        whole.lines = windows->kernelHeight;
    }
    whole.isSigned = source == StoredAs::Signed;
    whole.shortcutType = shortcut.value_or(StoredAs::Float);
    whole.shortcutFactor = shortcutFactor;
    whole.low = std::max(low, target == StoredAs::Unsigned ? 0.0F : target == StoredAs::Signed ? -127.0F : low);
    whole.high = std::min(high, target == StoredAs::Unsigned ? 255.0F : target == StoredAs::Signed ? 127.0F : high);
    whole.type = target;
    whole.targetStride = units;
    const auto multiplyPiece = [&](std::int64_t index, std::byte* own) {
        const auto firstPanel = index % division.across * division.panels, rest = index / division.across;
        const auto line = rest % division.down * division.lines;
        auto piece = whole;
        std::int64_t row = line;
        if (windows) {
            const auto& w = *windows;
            const auto image = rest / division.down;
            row = (image * w.outHeight + line) * w.outWidth;
            const auto outLines = std::min(division.lines, w.outHeight - line);
            piece.rows = outLines * w.outWidth;
            piece.rowsOfLine = w.outWidth;
            piece.x = static_cast<const std::byte*>(x) + image * w.height * w.width * w.channels;
            piece.lineStride = w.width * w.channels;
            if (own != nullptr) {
                copyLines(w, piece.x, line, outLines, own);
                piece.x = own;
                piece.lineStride = w.lineBytes();
            } else {
                piece.x += line * w.strideHeight * piece.lineStride;
            }
            piece.nextStride = w.strideHeight * piece.lineStride;
        } else {
            piece.x = static_cast<const std::byte*>(x) + row * features;
            piece.rows = piece.rowsOfLine = std::min(division.lines, rows - row);
        }
        const auto last = std::min(units, (firstPanel + division.panels) * kInt8Columns);
        for (auto unit = firstPanel * kInt8Columns; unit < last; unit += kInt8Columns) {
            piece.columns = std::min(kInt8Columns, units - unit);
            piece.panel = static_cast<const std::uint32_t*>(weights) + unit / kInt8Columns * panelWords(*this);
            piece.start = needsStart() ? start + unit : nullptr;
            piece.factors = factors + unit;
            piece.offsets = offsets + unit;
            piece.y = static_cast<std::byte*>(y) + (row * units + unit) * bytesOf(target);
            piece.shortcut = shortcut ? piece.y : nullptr;
            products->multiply(piece);
            if (!activation) continue;
            for (std::int64_t r = 0; r < piece.rows; ++r)
                kernels().activate(*activation, reinterpret_cast<float*>(piece.y) + r * units, piece.columns);
        }
    };
    const auto ofThread = scratchBytes() / threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::int64_t index = 0; index < division.images * division.down * division.across; ++index)
        multiplyPiece(index,
                      ofThread == 0 ? nullptr : static_cast<std::byte*>(scratch) + omp_get_thread_num() * ofThread);
}

TrialMaker Int8Gemm::trial(const dnnl::engine& engine) const {
    return [gemm = *this, engine]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto bytes = gemm.rows * gemm.units * bytesOf(gemm.target);
        const auto elements = gemm.windows ? gemm.rows / (gemm.windows->outHeight * gemm.windows->outWidth) *
                                                 gemm.windows->height * gemm.windows->width * gemm.windows->channels
                                           : gemm.rows * gemm.features;
        return [gemm, x = memory(elements, DataKind::u8), scratch = memory(gemm.scratchBytes(), DataKind::u8),
                w = trialMemory(gemm.packedDesc(), engine), factors = memory(gemm.units, DataKind::f32),
                offsets = memory(gemm.units, DataKind::f32), start = memory(gemm.units, DataKind::s32),
                y = memory(bytes, DataKind::u8)] {
            gemm.run(x.get_data_handle(), w.get_data_handle(), static_cast<const float*>(factors.get_data_handle()),
                     static_cast<const float*>(offsets.get_data_handle()),
                     static_cast<const std::int32_t*>(start.get_data_handle()), y.get_data_handle(),
                     scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
