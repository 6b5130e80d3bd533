// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/window_rows.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/kernels/near_first.h"
#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

// Division of y among threads: by lines, and by panels. A line is a row, or the outWidth rows of a line of an image. A
// piece has lines of one image, or several whole images. Each piece reads its rows and its panels from a more distant
// cache, unless all weights stay in that of the thread: chosen is the division that reads least.
struct RowDivision {
    std::int64_t lines = 0, images = 1, panels = 0;  // per piece
    std::int64_t down = 0, groups = 0, across = 0;   // number of pieces: of an image, of the images, of the panels
    std::int64_t allImages = 1;

    explicit RowDivision(const WindowRows& x) {
        constexpr std::int64_t kFewestRows = 48;
        constexpr std::int64_t kCachedWeights = 512'000;                      // bytes
        constexpr std::int64_t kRowBytes = 192'000, kMostRowBytes = 800'000;  // of the rows of a piece
        auto allLines = x.rows, fewest = kFewestRows, lineBytes = x.rowBytes, weightBytes = x.units * x.lineBytes();
        if (const auto& w = x.windows) {
            allImages = x.rows / w->rowsOfImage();
            allLines = w->outHeight;
            fewest = std::min(allLines, blocks(kFewestRows, w->outWidth));
            lineBytes = w->strideHeight * w->lineBytes();
            weightBytes *= w->kernelHeight;
        }
        const bool stay = weightBytes <= kCachedWeights;
        const std::int64_t wanted = x.threads == 1 ? 1 : (stay ? 4 : 2) * x.threads;
        const auto sourceBytes = allImages * allLines * lineBytes;
        const auto fewestPieces = blocks(sourceBytes, stay ? kRowBytes : kMostRowBytes);
        const auto panelsOfAll = blocks(x.units, x.panelColumns);
        std::int64_t pieces = 0, least = 0;
        for (std::int64_t a = 1; a <= std::min(panelsOfAll, wanted); ++a) {
            const auto ofRows = std::max(fewestPieces, blocks(wanted, a));
            const auto read = a * sourceBytes + (stay ? 0 : ofRows * weightBytes);
            if (across > 0 && read >= least) continue;
            least = read;
            across = a;
            pieces = ofRows;
        }
        lines = allLines;
        if (pieces > allImages) lines = std::max(fewest, blocks(allLines, blocks(pieces, allImages)));
        down = blocks(allLines, lines);
        if (down == 1) images = blocks(allImages, pieces);
        groups = blocks(allImages, images);
        across = std::max(across, std::min(panelsOfAll, blocks(wanted, groups * down)));
        panels = blocks(panelsOfAll, across);
        across = blocks(panelsOfAll, panels);
        if (images == 1) balance(allLines, x.threads);
    }
    [[nodiscard]] std::int64_t pieces() const { return down * groups * across; }

private:
    // Changes the lines per piece, by a factor of two at most, if some threads had clearly more of them than others.
    void balance(std::int64_t allLines, std::int64_t threads) {
        constexpr std::int64_t kWorthIt = 32;  // of the lines of a thread
        const auto most = [&](std::int64_t count) {
            return blocks(count * groups * across, threads) * blocks(allLines, count);
        };
        const auto before = down;
        if (most(before) * threads == allLines * groups * across) return;
        for (auto count = blocks(before, 2); count <= std::min(allLines, 2 * before); ++count)
            if (most(count) * kWorthIt < most(down) * (kWorthIt - 1)) down = count;
        lines = blocks(allLines, down);
        down = blocks(allLines, lines);
    }
};

// Copies the lines of an image that the windows from output line `first` on read, with their padding.
void copyLines(const ImageWindows& w, const std::byte* image, std::int64_t first, std::int64_t count,
               std::byte* target) {
    const auto line = w.lineBytes(), before = std::min(line, w.left * w.pixelBytes());
    const auto whole = w.width * w.pixelBytes(), read = std::min(whole, line - before);
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

// Copies the pixels of strided windows of one pixel, so that they are contiguous rows.
void copyPixels(const ImageWindows& w, const std::byte* image, std::int64_t first, std::int64_t count,
                std::byte* target) {
    const auto pixel = w.pixelBytes();
    for (auto line = first; line < first + count; ++line)
        for (std::int64_t column = 0; column < w.outWidth; ++column, target += pixel)
            std::memcpy(target, image + (line * w.strideHeight * w.width + column * w.strideWidth) * pixel,
                        static_cast<std::size_t>(pixel));
}

// Bytes of scratch memory for some lines of windows of an image; 0: they are read in place.
std::int64_t copiedBytes(const ImageWindows& w, std::int64_t outLines) {
    constexpr std::int64_t kNarrow = 12;
    if (w.isPadded()) return w.linesOf(outLines) * w.lineBytes();
    return w.areStridedPixels() && w.outWidth <= kNarrow ? outLines * w.outWidth * w.pixelBytes() : 0;
}

std::int64_t copiedBytes(const WindowRows& x, const RowDivision& division) {  // of a thread
    return x.windows ? division.images * copiedBytes(*x.windows, division.lines) : 0;
}

}  // namespace

bool ImageWindows::isPadded() const {
    return top > 0 || left > 0 || linesOf(outHeight) > height || lineBytes() > width * pixelBytes();
}

std::int64_t WindowRows::sourceBytes() const {
    return windows ? rows / windows->rowsOfImage() * windows->imageBytes() : rows * rowBytes;
}

std::int64_t WindowRows::lineBytes() const {
    return windows ? windows->kernelWidth * windows->pixelBytes() : rowBytes;
}

std::int64_t WindowRows::scratchBytes() const {
    return threads * copiedBytes(*this, RowDivision(*this));
}

void WindowRows::divide(const void* x, const void* weights, std::int64_t panelWords, void* scratch,
                        const Multiply& multiply) const {
    const RowDivision division(*this);
    WindowProduct whole;
    whole.rowStride = windows ? windows->strideWidth * windows->pixelBytes() : rowBytes;
    whole.words = lineBytes() / kWordBytes;
    whole.lines = windows ? windows->kernelHeight : 1;
    whole.targetStride = units;
    const auto multiplyPiece = [&](std::int64_t index, std::byte* own) {
        const auto firstPanel = index % division.across * division.panels, rest = index / division.across;
        const auto line = rest % division.down * division.lines;
        const auto firstImage = rest / division.down * division.images;
        auto images = std::min(division.images, division.allImages - firstImage);
        auto piece = whole;
        std::int64_t row = line, imageStride = 0;
        if (windows) {
            const auto& w = *windows;
            row = (firstImage * w.outHeight + line) * w.outWidth;
            const auto outLines = std::min(division.lines, w.outHeight - line);
            piece.rows = outLines * w.outWidth;
            piece.rowsOfLine = w.outWidth;
            piece.x = static_cast<const std::byte*>(x) + firstImage * w.imageBytes();
            piece.lineStride = w.width * w.pixelBytes();
            imageStride = w.imageBytes();
            if (own != nullptr) {
                const auto copy = w.isPadded() ? copyLines : copyPixels;
                imageStride = copiedBytes(w, outLines);
                for (std::int64_t image = 0; image < images; ++image)
                    copy(w, piece.x + image * w.imageBytes(), line, outLines, own + image * imageStride);
                piece.x = own;
                piece.lineStride = w.lineBytes();
            } else {
                piece.x += line * w.strideHeight * piece.lineStride;
            }
            piece.nextStride = w.strideHeight * piece.lineStride;
            if (own != nullptr && !w.isPadded()) {  // whole images follow each other
                piece.rowStride = w.pixelBytes();
                piece.rows = piece.rowsOfLine = images * piece.rows;
                images = 1;
            }
        } else {
            piece.x = static_cast<const std::byte*>(x) + row * rowBytes;
            piece.rows = piece.rowsOfLine = std::min(division.lines, rows - row);
        }
        const auto last = std::min(units, (firstPanel + division.panels) * panelColumns);
        for (auto unit = firstPanel * panelColumns; unit < last; unit += panelColumns) {
            auto product = piece;
            product.columns = std::min(panelColumns, units - unit);
            product.panel = static_cast<const std::uint32_t*>(weights) + unit / panelColumns * panelWords;
            product.following = unit + panelColumns < last ? product.panel + panelWords : nullptr;
            for (std::int64_t image = 0; image < images; ++image, product.x += imageStride)
                multiply(product, row + image * (windows ? windows->rowsOfImage() : 0), unit);
        }
    };
    const auto ofThread = copiedBytes(*this, division);
    NearFirst pieces(division.pieces(), threads);
#pragma omp parallel num_threads(threads)
    {
        const auto thread = omp_get_thread_num();
        auto* own = ofThread == 0 ? nullptr : static_cast<std::byte*>(scratch) + thread * ofThread;
        for (auto index = pieces.next(thread); index >= 0; index = pieces.next(thread)) multiplyPiece(index, own);
    }
}

}  // namespace steelyard::compute::cpu
