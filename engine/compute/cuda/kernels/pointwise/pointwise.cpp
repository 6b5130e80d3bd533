// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/normalisation/channel_rows.h"
#include "engine/compute/cuda/kernels/normalisation/channel_sums.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"
#include "engine/compute/cuda/kernels/pointwise/maps.h"
#include "engine/core/random.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kBiasRows = 4;  // rows with outstanding loads per thread

struct Same {
    STEELYARD_HD_MEMBER float operator()(float x) const { return x; }
};
struct Times {
    float factor;
    STEELYARD_HD_MEMBER float operator()(float x) const { return factor * x; }
};
template <typename T, typename Which>
struct Activate {
    Which which;
    STEELYARD_HD_MEMBER float operator()(float x) const { return activated<T>(which.kind, x); }
};
template <typename T, typename Which>
struct TimesSlope {
    Which which;
    STEELYARD_HD_MEMBER float operator()(float from, float dy) const { return dy * slope<T>(which.kind, from); }
};

template <typename T>
struct Fill {
    T* y;
    T value;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) out.at[i] = value;
        store<N>(y + first, out);
    }
};

template <typename T, typename Which>
struct BiasActivate {
    ChannelAxes axes;
    const T* x;
    const float* bias;
    T* before;
    T* y;
    Which which;

    template <int N>
    STEELYARD_HD_MEMBER Pack<float, N> kept(std::int64_t channel) const {
        if (bias == nullptr) return {};
        return load<N>(bias + channel);
    }
    template <int N>
    STEELYARD_HD_MEMBER Pack<T, N> read(std::int64_t at) const {
        return load<N>(x + at);
    }
    // K: N, or 1 if all are of one channel.
    template <int N, int K>
    STEELYARD_HD_MEMBER void write(const Pack<float, K>& biases, Pack<T, N> values, std::int64_t at) const {
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) {
            const float sum = toFloat(values.at[i]) + biases.at[K == 1 ? 0 : i];
            values.at[i] = fromFloat<T>(sum);
            out.at[i] = fromFloat<T>(activated<T>(which.kind, sum));
        }
        if (before != nullptr) store<N>(before + at, values);
        store<N>(y + at, out);
    }
    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t at) const {
        const std::int64_t channel = split(divided(at, axes.inner), axes.channels).rest;
        write<N>(kept<1>(channel), read<N>(at), at);
    }
};

// Count: number of inputs if known at compile time, so that all loads are issued together; otherwise 0.
template <typename T, int Count>
struct AddAll {
    const T* inputs[kMostAddends];
    int count;
    bool relu;
    T* y;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        float sums[N];
        for (int i = 0; i < N; ++i) sums[i] = 0.0F;
        for (int k = 0; k < (Count > 0 ? Count : count); ++k) {
            const auto in = load<N>(inputs[k] + first);
            for (int i = 0; i < N; ++i) sums[i] += toFloat(in.at[i]);
        }
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) out.at[i] = fromFloat<T>(relu && !(sums[i] > 0.0F) ? 0.0F : sums[i]);
        store<N>(y + first, out);
    }
};

template <int Count, typename T>
Status addAll(Stream stream, const void* const* inputs, int count, bool relu, T* y, std::int64_t n) {
    AddAll<T, Count> work{{}, count, relu, y};
    bool aligned = areAligned(y);
    for (int k = 0; k < count; ++k) {
        work.inputs[k] = static_cast<const T*>(inputs[k]);
        aligned = aligned && areAligned(inputs[k]);
    }
    return packs<kPack<T>>(stream, n, aligned, work);
}

template <typename T>
struct AddBack {
    const T* y;
    const T* dy;
    T* dx[kMostAddends];
    bool accumulate[kMostAddends];
    int count;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        auto flow = load<N>(dy + first);
        if (y != nullptr) {
            const auto outputs = load<N>(y + first);
            for (int i = 0; i < N; ++i)
                if (!(toFloat(outputs.at[i]) > 0.0F)) flow.at[i] = fromFloat<T>(0.0F);
        }
        for (int k = 0; k < count; ++k) {
            if (dx[k] == nullptr) continue;
            auto out = flow;
            if (accumulate[k]) {
                const auto before = load<N>(dx[k] + first);
                for (int i = 0; i < N; ++i) out.at[i] = fromFloat<T>(toFloat(before.at[i]) + toFloat(flow.at[i]));
            }
            store<N>(dx[k] + first, out);
        }
    }
};

template <typename T>
struct AddPeriod {
    const T* x;
    const float* parameter;
    T* y;
    std::int64_t period;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const std::int64_t at = split(first, period).rest;
        auto values = load<N>(x + first);
        const auto addends = load<N>(parameter + at);
        for (int i = 0; i < N; ++i) values.at[i] = fromFloat<T>(toFloat(values.at[i]) + addends.at[i]);
        store<N>(y + first, values);
    }
};

// Mask index of an element: row-major over [B, C, H, W], regardless of the layout.
STEELYARD_HD std::int64_t logicalIndex(const ImageLayout& layout, std::int64_t at) {
    if (!layout.channelsLast) return at;
    const auto [pixel, channel] = split(at, layout.channels);
    const auto [sample, inSample] = split(pixel, layout.pixels());
    return (sample * layout.channels + channel) * layout.pixels() + inSample;
}

template <typename T>
struct Drop {
    const StepControl* control;
    std::uint64_t node;
    std::uint32_t threshold;  // of 2^24: values below it are dropped
    float keep;
    ImageLayout layout;
    const T* x;
    T* y;
    bool accumulate;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const RandomStream mask(control->dropoutSeed, node);
        const auto in = load<N>(x + first);
        Pack<T, N> out;
        if (accumulate) out = load<N>(y + first);
        // Neighbouring channels of a pixel are a plane apart.
        const bool together = !layout.channelsLast || layout.channels % N == 0;
        const auto index0 = static_cast<std::uint32_t>(logicalIndex(layout, first));
        const auto apart = static_cast<std::uint32_t>(layout.channelsLast ? layout.pixels() : 1);
        for (int i = 0; i < N; ++i) {
            const auto index = together ? index0 + static_cast<std::uint32_t>(i) * apart
                                        : static_cast<std::uint32_t>(logicalIndex(layout, first + i));
            const bool kept = (mask.bits(index) >> 8) >= threshold;
            const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
            out.at[i] = fromFloat<T>(before + (kept ? toFloat(in.at[i]) * keep : 0.0F));
        }
        store<N>(y + first, out);
    }
};

}  // namespace

Status fill(Stream stream, ElementType type, void* y, std::int64_t n, float value) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return packs<kPack<T>>(stream, n, areAligned(y), Fill<T>{static_cast<T*>(y), fromFloat<T>(value)});
    });
}

Status convert(Stream stream, ElementType from, const void* x, ElementType to, void* y, std::int64_t n) {
    return withType(from, [&](auto source) {
        return withType(to, [&](auto target) {
            return mapOne<decltype(source), decltype(target)>(stream, x, y, n, Same{}, false);
        });
    });
}

Status accumulate(Stream stream, ElementType type, const void* x, void* y, std::int64_t n) {
    return withType(type,
                    [&](auto tag) { return mapOne<decltype(tag), decltype(tag)>(stream, x, y, n, Same{}, true); });
}

Status scale(Stream stream, ElementType type, const void* x, void* y, std::int64_t n, float factor, bool accumulate) {
    return withType(type, [&](auto tag) {
        return mapOne<decltype(tag), decltype(tag)>(stream, x, y, n, Times{factor}, accumulate);
    });
}

Status activationForward(Stream stream, ElementType type, Activation kind, const void* x, void* y, std::int64_t n) {
    return withType(type, [&](auto tag) {
        return withActivation(kind, [&](auto which) {
            using T = decltype(tag);
            return mapOne<T, T>(stream, x, y, n, Activate<T, decltype(which)>{which}, false);
        });
    });
}

Status activationBackward(Stream stream, ElementType type, Activation kind, const void* from, const void* dy, void* dx,
                          std::int64_t n, bool accumulate) {
    return withType(type, [&](auto tag) {
        return withActivation(kind, [&](auto which) {
            using T = decltype(tag);
            return mapTwo<T>(stream, from, dy, dx, n, TimesSlope<T, decltype(which)>{which}, accumulate);
        });
    });
}

Status biasActivationForward(Stream stream, ElementType type, Activation kind, const ChannelAxes& axes, const void* x,
                             const float* bias, void* before, void* y) {
    return withType(type, [&](auto tag) {
        return withActivation(kind, [&](auto which) {
            using T = decltype(tag);
            return overChannels<kPack<T>, kBiasRows>(
                stream, axes, areAligned(x, before, y), areAligned(bias),
                BiasActivate<T, decltype(which)>{axes, static_cast<const T*>(x), bias, static_cast<T*>(before),
                                                 static_cast<T*>(y), which});
        });
    });
}

std::int64_t biasBackwardWorkspace(const ChannelAxes& axes) {
    return channelSumsWorkspace<float>(axes);
}

Status biasActivationBackward(Stream stream, ElementType type, Activation kind, const ChannelAxes& axes,
                              const void* from, const void* dy, void* dx, float* dBias, bool accumulateBias,
                              void* workspace) {
    Status status = kOk;
    if (kind != Activation::None || dx != dy)
        status = activationBackward(stream, type, kind, kind == Activation::None ? dy : from, dy, dx, axes.elements(),
                                    false);
    if (status != kOk || dBias == nullptr) return status;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return channelSums<float, kPack<T>>(stream, axes, areAligned(dx), TakeValue<T>{static_cast<const T*>(dx)},
                                            StoreSum{dBias, accumulateBias}, workspace);
    });
}

Status add(Stream stream, ElementType type, const void* const* inputs, int count, bool relu, void* y, std::int64_t n) {
    if (count < 1 || count > kMostAddends) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        auto* to = static_cast<T*>(y);
        return count == 2 ? addAll<2>(stream, inputs, count, relu, to, n)
                          : addAll<0>(stream, inputs, count, relu, to, n);
    });
}

Status addBackward(Stream stream, ElementType type, const void* y, bool relu, const void* dy, void* const* dx,
                   const bool* accumulate, int count, std::int64_t n) {
    if (count < 1 || count > kMostAddends) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        AddBack<T> work{relu ? static_cast<const T*>(y) : nullptr, static_cast<const T*>(dy), {}, {}, count};
        bool aligned = areAligned(y, dy);
        for (int k = 0; k < count; ++k) {
            work.dx[k] = static_cast<T*>(dx[k]);
            work.accumulate[k] = accumulate[k];
            aligned = aligned && areAligned(dx[k]);
        }
        return packs<kPack<T>>(stream, n, aligned, work);
    });
}

Status addRow(Stream stream, ElementType type, const void* x, const float* parameter, void* y, std::int64_t rows,
              std::int64_t period) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return packs<kPack<T>>(stream, rows * period, period % kPack<T> == 0 && areAligned(x, y, parameter),
                               AddPeriod<T>{static_cast<const T*>(x), parameter, static_cast<T*>(y), period});
    });
}

Status dropout(Stream stream, ElementType type, const DropoutMask& mask, const void* x, void* y, bool accumulate) {
    if (!(mask.rate >= 0 && mask.rate < 1)) return kInvalidValue;
    const auto threshold = static_cast<std::uint32_t>(std::ceil(mask.rate * 0x1p24));
    const auto keep = static_cast<float>(1 / (1 - mask.rate));
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return packs<kPack<T>>(stream, mask.layout.elements(), areAligned(x, y),
                               Drop<T>{mask.control, mask.node, threshold, keep, mask.layout, static_cast<const T*>(x),
                                       static_cast<T*>(y), accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
