// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/execute/host_values.h"

#include <cstring>

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda {
namespace {

// Calls visit(row-major position, channels-last position) for every element.
template <class Visit>
void forEachPosition(const model::Shape& dims, bool channelsLast, std::size_t count, const Visit& visit) {
    if (!channelsLast || dims.size() != 4) {
        for (std::size_t i = 0; i < count; ++i) visit(i, i);
        return;
    }
    const auto channels = static_cast<std::size_t>(dims[1]), pixels = static_cast<std::size_t>(dims[2] * dims[3]);
    std::size_t plain = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(dims[0]); ++b)
        for (std::size_t c = 0; c < channels; ++c)
            for (std::size_t p = 0; p < pixels; ++p) visit(plain++, (b * pixels + p) * channels + c);
}

template <class Function>
void withElements(kernels::ElementType type, const Function& function) {
    static_cast<void>(kernels::withType(type, [&](auto tag) {
        function(tag);
        return kernels::kOk;
    }));
}

}  // namespace

std::vector<std::byte> toDeviceBytes(std::span<const float> values, const model::Shape& dims,
                                     const HostLayout& layout) {
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(kernels::bytesOf(layout.type)));
    withElements(layout.type, [&](auto tag) {
        using T = decltype(tag);
        forEachPosition(dims, layout.channelsLast, values.size(), [&](std::size_t plain, std::size_t at) {
            const auto element = kernels::fromFloat<T>(values[plain]);
            std::memcpy(bytes.data() + at * sizeof(T), &element, sizeof(T));
        });
    });
    return bytes;
}

void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<float> values) {
    withElements(layout.type, [&](auto tag) {
        using T = decltype(tag);
        forEachPosition(dims, layout.channelsLast, values.size(), [&](std::size_t plain, std::size_t at) {
            T element;
            std::memcpy(&element, bytes.data() + at * sizeof(T), sizeof(T));
            values[plain] = kernels::toFloat(element);
        });
    });
}

std::vector<std::byte> toDeviceBytes(std::span<const std::int32_t> values, const model::Shape& dims,
                                     const HostLayout& layout) {
    std::vector<std::byte> bytes(values.size_bytes());
    forEachPosition(dims, layout.channelsLast, values.size(), [&](std::size_t plain, std::size_t at) {
        std::memcpy(bytes.data() + at * sizeof(std::int32_t), &values[plain], sizeof(std::int32_t));
    });
    return bytes;
}

void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<std::int32_t> values) {
    forEachPosition(dims, layout.channelsLast, values.size(), [&](std::size_t plain, std::size_t at) {
        std::memcpy(&values[plain], bytes.data() + at * sizeof(std::int32_t), sizeof(std::int32_t));
    });
}

}  // namespace steelyard::compute::cuda
