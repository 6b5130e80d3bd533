// SPDX-License-Identifier: Apache-2.0
// JPEG images: bounded decoding, and resizing. Pure functions of the bytes; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

struct RgbImage {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::vector<std::uint8_t> pixels;  // height x width x 3
};

struct JpegLimits {
    std::int64_t side = 16'384;
    std::int64_t pixels = std::int64_t{64} << 20;
    int scans = 100;  // of a progressive image; each costs time for the whole image
};

// Greyscale and CMYK (Adobe's convention) are converted to RGB. CorruptData with the offset for damaged or truncated
// images; Unsupported for arithmetic coding.
[[nodiscard]] Result<RgbImage> decodeJpeg(ByteView bytes, const std::string& file, const JpegLimits& limits = {});

// Bilinear with half-pixel centres, without antialiasing; output [3, height, width] in [0, 1].
void resizeBilinear(const RgbImage& image, std::int64_t height, std::int64_t width, std::span<float> planes);

}  // namespace steelyard::data
