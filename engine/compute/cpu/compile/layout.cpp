// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/layout.h"

namespace steelyard::compute::cpu {

std::optional<ChannelLayout> channelLayout(const Desc& desc) {
    const auto dims = dimsOf(desc);
    if (dims.size() < 2 || !isBlocked(desc)) return std::nullopt;
    ChannelLayout layout{dims[0], dims[1], 1, 1, dims[1]};
    for (std::size_t i = 2; i < dims.size(); ++i) layout.pixels *= dims[i];
    if (isPlain(desc)) return layout;
    if (dims.size() != 4) return std::nullopt;
    const auto strides = stridesOf(desc);
    const auto inner = innerBlocksOf(desc);
    if (inner.empty()) {
        layout.block = layout.channels;
    } else if (inner.size() == 1 && innerIndicesOf(desc)[0] == 1) {
        layout.block = inner[0];
    } else {
        return std::nullopt;
    }
    layout.blocks = (layout.channels + layout.block - 1) / layout.block;
    const bool matches = strides[3] == layout.block && strides[2] == dims[3] * layout.block &&
                         strides[0] == layout.blocks * layout.pixels * layout.block &&
                         (layout.blocks == 1 || strides[1] == layout.pixels * layout.block);
    const auto padded = paddedDimsOf(desc);
    const bool onlyChannelsPadded = padded[0] == dims[0] && padded[2] == dims[2] && padded[3] == dims[3];
    if (!matches || !onlyChannelsPadded) return std::nullopt;
    return layout;
}

bool hasChannelsTogether(const Desc& desc) {
    if (dimsOf(desc).size() == 2) return true;
    const auto layout = channelLayout(desc);
    return layout && layout->block == layout->channels && layout->blocks == 1;
}

Desc channelDesc(const Dims& dims, DataKind kind, std::int64_t block) {
    if (block == 1) return plainDesc(dims, kind);
    if (block == dims[1]) return Desc(dims, kind, Tag::nhwc);
    return Desc(dims, kind, block == 4 ? Tag::nChw4c : block == 8 ? Tag::nChw8c : Tag::nChw16c);
}

Desc withKind(const Desc& desc, DataKind kind) {
    const auto dims = dimsOf(desc);
    if (isPlain(desc)) return plainDesc(dims, kind);
    for (int tag = 1; tag < dnnl_format_tag_last; ++tag) {
        const Desc named(dims, kindOf(desc), static_cast<Tag>(tag), true);
        if (!isEmpty(named) && named == desc) return Desc(dims, kind, static_cast<Tag>(tag));
    }
    throw dnnl::error(dnnl_unimplemented, "a memory layout without a name");
}

bool isSameLayout(const Desc& a, const Desc& b) {
    return isBlocked(a) && isBlocked(b) && dimsOf(a) == dimsOf(b) && paddedDimsOf(a) == paddedDimsOf(b) &&
           stridesOf(a) == stridesOf(b) && innerBlocksOf(a) == innerBlocksOf(b) &&
           innerIndicesOf(a) == innerIndicesOf(b);
}

DataKind dataKind(model::DataType type) {
    switch (type) {
        case model::DataType::Float32:
            return DataKind::f32;
        case model::DataType::BFloat16:
            return DataKind::bf16;
        case model::DataType::Float16:
            return DataKind::f16;
        case model::DataType::Int32:
            return DataKind::s32;
        case model::DataType::UInt8:
            return DataKind::u8;
        case model::DataType::Int8:
            return DataKind::s8;
    }
    return DataKind::f32;
}

Desc plainDesc(const model::Shape& dims, model::DataType type) {
    return plainDesc(Dims(dims.begin(), dims.end()), dataKind(type));
}

std::int64_t paddedElements(const Desc& desc) {
    std::int64_t count = 1;
    for (auto extent : paddedDimsOf(desc)) count *= extent;
    return count;
}

}  // namespace steelyard::compute::cpu
