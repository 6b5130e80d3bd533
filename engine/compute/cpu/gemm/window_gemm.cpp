// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/window_gemm.h"

#include <limits>

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPair = kWordBytes / static_cast<std::int64_t>(sizeof(BFloat16));

// Windows of one pixel, of all pixels in order, are contiguous rows.
bool isContiguous(const ImageWindows& w) {
    return w.kernelHeight == 1 && w.kernelWidth == 1 && w.strideHeight == 1 && w.strideWidth == 1 && !w.isPadded() &&
           w.outHeight == w.height && w.outWidth == w.width;
}

WindowRows rowsOf(const WindowGemm& gemm) {
    WindowRows rows{gemm.rows, gemm.windows.features() * gemm.windows.elementBytes, gemm.units, {}, gemm.threads};
    if (!isContiguous(gemm.windows)) rows.windows = gemm.windows;
    return rows;
}

}  // namespace

bool WindowGemm::runsHere() const {
    return products->multiplyWindows != nullptr && windows.channels % kPair == 0;
}

std::int64_t WindowGemm::scratchBytes() const {
    return rowsOf(*this).scratchBytes();
}

// Both tags are the same layout for multiples of 32 channels; only the first one has optimised conversions in version 2
// of the library.
Desc WindowGemm::packedDesc() const {
    constexpr std::int64_t kBlock = 32;
    return {Dims{units, windows.channels, windows.kernelHeight, windows.kernelWidth}, DataKind::bf16,
            windows.channels % kBlock == 0 ? Tag::OhwI16i64o2i : Tag::OhwI64o2i};
}

void WindowGemm::run(const void* x, const void* weights, const float* bias, void* y, void* scratch) const {
    constexpr auto kInfinity = std::numeric_limits<float>::infinity();
    Bf16WindowProduct whole;
    whole.low = -kInfinity;
    whole.high = kInfinity;
    if (activation == ActivationKind::Relu || activation == ActivationKind::Relu6) {
        whole.low = 0;
        if (activation == ActivationKind::Relu6) whole.high = 6;
    } else if (activation) {
        whole.activate = kernels().activate;
        whole.activation = *activation;
    }
    const auto multiply = [&](const WindowProduct& piece, std::int64_t row, std::int64_t unit) {
        auto product = whole;
        static_cast<WindowProduct&>(product) = piece;
        product.bias = bias == nullptr ? nullptr : bias + unit;
        product.y = static_cast<std::byte*>(y) + (row * units + unit) * static_cast<std::int64_t>(sizeof(BFloat16));
        product.shortcut = adds ? product.y : nullptr;
        products->multiplyWindows(product);
    };
    rowsOf(*this).divide(x, weights, windows.features() / kPair * kPanelColumns, scratch, multiply);
}

TrialMaker WindowGemm::trial(const dnnl::engine& engine, bool coldWeights) const {
    return [gemm = *this, engine, coldWeights]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto y = memory(gemm.rows * gemm.units, DataKind::bf16);
        const auto w = trialMemory(gemm.packedDesc(), engine);
        std::vector<dnnl::memory> cold;
        if (gemm.adds) cold.push_back(y);
        if (coldWeights) cold.push_back(w);
        return {[gemm, x = memory(rowsOf(gemm).sourceBytes(), DataKind::u8), w,
                 bias = memory(gemm.units, DataKind::f32), y, scratch = memory(gemm.scratchBytes(), DataKind::u8)] {
                    gemm.run(x.get_data_handle(), w.get_data_handle(),
                             static_cast<const float*>(bias.get_data_handle()), y.get_data_handle(),
                             scratch.get_data_handle());
                },
                std::move(cold)};
    };
}

}  // namespace steelyard::compute::cpu
