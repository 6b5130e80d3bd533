// SPDX-License-Identifier: Apache-2.0
// How elements lie in memory. Activations of images [B, C, H, W] lie in blocks of channels: a block of 1 is row-major
// (NCHW), of C is channels-last (NHWC), of 8 or 16 what oneDNN's convolutions prefer. Everything else is row-major.
// Weights may lie in any way; only element-wise work touches them outside of oneDNN.
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
    std::int64_t blocks = 1;  // ceil(channels / block); the last one is padded with zeros

    [[nodiscard]] std::int64_t size() const { return batch * blocks * pixels * block; }
};

// Nothing when the descriptor is not one of these layouts. Two and three dimensions count as one channel block of 1:
// row-major.
[[nodiscard]] std::optional<ChannelLayout> channelLayout(const Desc& desc);

// Whether all channels of a pixel lie one after the other; those of a vector do.
[[nodiscard]] bool hasChannelsTogether(const Desc& desc);

// The image layout with this many channels in a block.
[[nodiscard]] Desc channelDesc(const Dims& dims, DataKind kind, std::int64_t block);
// The same layout with elements of another type. Throws dnnl::error when the layout has no name.
[[nodiscard]] Desc withKind(const Desc& desc, DataKind kind);

// Whether the elements lie at the same places, whatever their types.
[[nodiscard]] bool isSameLayout(const Desc& a, const Desc& b);

[[nodiscard]] DataKind dataKind(model::DataType type);
[[nodiscard]] Desc plainDesc(const model::Shape& dims, model::DataType type);
[[nodiscard]] std::int64_t paddedElements(const Desc& desc);

}  // namespace steelyard::compute::cpu
