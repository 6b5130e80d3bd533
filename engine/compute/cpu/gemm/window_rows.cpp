// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/window_rows.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kSourceBytes = 192'000;  // of the rows that a thread reads for all of its panels
constexpr std::int64_t kImagesBytes = 512'000;  // likewise, of whole images
constexpr std::int64_t kFewestRows = 48;

// Division of y among threads: by lines, and also by panels if there are few. A line is a row, or the outWidth rows of
// a line of an image. A piece has lines of one image, or whole small images, for which a panel is read once.
struct RowDivision {
    std::int64_t lines = 0, images = 1, panels = 0;  // per piece
    std::int64_t down = 0, groups = 0, across = 0;   // number of pieces: of an image, of the images, of the panels
    std::int64_t allImages = 1;

    explicit RowDivision(const WindowRows& x) {
        constexpr std::int64_t kShares = 4;
        const auto wanted = x.threads == 1 ? 1 : kShares * x.threads;
        auto all = x.rows, fewest = kFewestRows, bytes = x.rowBytes;
        if (const auto& w = x.windows) {
            allImages = x.rows / w->rowsOfImage();
            all = w->outHeight;
            fewest = std::min(all, blocks(kFewestRows, w->outWidth));
            bytes = w->strideHeight * w->lineBytes();
        }
        const auto most = std::max(fewest, kSourceBytes / bytes);
        lines = std::clamp(blocks(all, blocks(wanted, allImages)), fewest, most);
        down = blocks(all, lines);
        if (down == 1) images = std::clamp<std::int64_t>(kImagesBytes / (all * bytes), 1, blocks(allImages, x.threads));
        groups = blocks(allImages, images);
        const auto panelsOfAll = blocks(x.units, kPanelColumns);
        across = std::min(panelsOfAll, blocks(wanted, groups * down));
        panels = blocks(panelsOfAll, across);
        across = blocks(panelsOfAll, panels);
    }
    [[nodiscard]] std::int64_t pieces() const { return down * groups * across; }
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
    if (!windows || !windows->isPadded()) return 0;
    const RowDivision division(*this);
    return threads * division.images * windows->linesOf(division.lines) * windows->lineBytes();
}

void WindowRows::divide(
    const void* x, void* scratch,
    const std::function<void(const WindowProduct& product, std::int64_t row, std::int64_t unit)>& multiply) const {
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
        const auto images = std::min(division.images, division.allImages - firstImage);
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
                imageStride = w.linesOf(outLines) * w.lineBytes();
                for (std::int64_t image = 0; image < images; ++image)
                    copyLines(w, piece.x + image * w.imageBytes(), line, outLines, own + image * imageStride);
                piece.x = own;
                piece.lineStride = w.lineBytes();
            } else {
                piece.x += line * w.strideHeight * piece.lineStride;
            }
            piece.nextStride = w.strideHeight * piece.lineStride;
        } else {
            piece.x = static_cast<const std::byte*>(x) + row * rowBytes;
            piece.rows = piece.rowsOfLine = std::min(division.lines, rows - row);
        }
        const auto last = std::min(units, (firstPanel + division.panels) * kPanelColumns);
        for (auto unit = firstPanel * kPanelColumns; unit < last; unit += kPanelColumns) {
            auto product = piece;
            product.columns = std::min(kPanelColumns, units - unit);
            for (std::int64_t image = 0; image < images; ++image, product.x += imageStride)
                multiply(product, row + image * (windows ? windows->rowsOfImage() : 0), unit);
        }
    };
    const auto ofThread = scratchBytes() / threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::int64_t index = 0; index < division.pieces(); ++index)
        multiplyPiece(index,
                      ofThread == 0 ? nullptr : static_cast<std::byte*>(scratch) + omp_get_thread_num() * ofThread);
}

}  // namespace steelyard::compute::cpu
