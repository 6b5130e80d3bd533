// SPDX-License-Identifier: Apache-2.0
// Memory layouts. Activations of images [B, C, H, W] are stored in blocks of channels: a block of 1 is row-major
// (NCHW), of C is channels-last (NHWC), of 8 or 16 is preferred by oneDNN's convolutions. All else is row-major.
// Weights may have any layout; outside of oneDNN only element-wise operations access them.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/onednn.h"
#include "engine/model/layer.h"

namespace steelyard::compute::cpu {

// Element (b, c, p) with p = h W + w is at ((b blocks + c / block) pixels + p) block + c % block.
struct ChannelLayout {
    std::int64_t batch = 1, channels = 1, pixels = 1;
    std::int64_t block = 1;   // channels per block
    std::int64_t blocks = 1;  // ceil(channels / block); the last one is zero-padded

    [[nodiscard]] std::int64_t size() const { return batch * blocks * pixels * block; }
};

// Unset if the descriptor has none of these layouts. Rank 2 and 3 count as channel block 1: row-major.
[[nodiscard]] std::optional<ChannelLayout> channelLayout(const Desc& desc);

// Whether the channels of each pixel are contiguous, as for channels-last and for vectors.
[[nodiscard]] bool hasChannelsTogether(const Desc& desc);

// The image layout with this channel block.
[[nodiscard]] Desc channelDesc(const Dims& dims, DataKind kind, std::int64_t block);
// The same layout with another element type. Throws dnnl::error for an unnamed layout.
[[nodiscard]] Desc withKind(const Desc& desc, DataKind kind);

// Whether the layouts are equal, regardless of type.
[[nodiscard]] bool isSameLayout(const Desc& a, const Desc& b);

[[nodiscard]] DataKind dataKind(model::DataType type);
[[nodiscard]] Desc plainDesc(const model::Shape& dims, model::DataType type);
[[nodiscard]] std::int64_t paddedElements(const Desc& desc);

}  // namespace steelyard::compute::cpu
