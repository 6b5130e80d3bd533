// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/window_gemm.h"

#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

DataKind kindOf(const WindowGemm& gemm) {
    return gemm.windows.elementBytes == kWordBytes ? DataKind::f32 : DataKind::bf16;
}

std::int64_t lengthOf(const WindowGemm& gemm) {  // words along k
    return gemm.windows.features() * gemm.windows.elementBytes / kWordBytes;
}

// Windows of one pixel, of all pixels in order, are contiguous rows.
bool isContiguous(const ImageWindows& w) {
    return w.kernelHeight == 1 && w.kernelWidth == 1 && w.strideHeight == 1 && w.strideWidth == 1 && !w.isPadded() &&
           w.outHeight == w.height && w.outWidth == w.width;
}

WindowRows rowsOf(const WindowGemm& gemm) {
    WindowRows rows{gemm.rows, lengthOf(gemm) * kWordBytes, gemm.units, {}, gemm.threads, gemm.products.columns};
    if (!isContiguous(gemm.windows)) rows.windows = gemm.windows;
    return rows;
}

}  // namespace

bool WindowGemm::runsHere() const {
    if (scales && kindOf(*this) != DataKind::f32) return false;
    return products.multiply != nullptr && windows.channels * windows.elementBytes % kWordBytes == 0;
}

std::int64_t WindowGemm::scratchBytes() const {
    return rowsOf(*this).scratchBytes();
}

// Both tags of bfloat16 are the same layout for multiples of 32 channels; only the first one has optimised conversions
// in version 2 of the library.
Desc WindowGemm::packedDesc() const {
    constexpr std::int64_t kBlock = 32, kWide = 32;
    const Dims dims{units, windows.channels, windows.kernelHeight, windows.kernelWidth};
    if (kindOf(*this) == DataKind::f32)
        return {dims, DataKind::f32, products.columns == kWide ? Tag::Acdb32a : Tag::Acdb16a};
    return {dims, DataKind::bf16, windows.channels % kBlock == 0 ? Tag::OhwI16i64o2i : Tag::OhwI64o2i};
}

void WindowGemm::run(const void* x, const void* weights, const float* factors, const float* bias, void* y,
                     void* scratch) const {
    FloatWindowProduct whole;
    const auto limits = limitsOf(activation);
    const auto [low, high] = limits.value_or(Limits{});
    whole.low = low;
    whole.high = high;
    if (activation && !limits) {
        whole.activate = kernels().activate;
        whole.activation = *activation;
    }
    const auto multiply = [&](const WindowProduct& piece, std::int64_t row, std::int64_t unit) {
        auto product = whole;
        static_cast<WindowProduct&>(product) = piece;
        product.factors = scales ? factors + unit : nullptr;
        product.bias = bias == nullptr ? nullptr : bias + unit;
        product.y = static_cast<std::byte*>(y) + (row * units + unit) * windows.elementBytes;
        product.shortcut = adds ? product.y : nullptr;
        products.multiply(product);
    };
    rowsOf(*this).divide(x, weights, lengthOf(*this) * products.columns, scratch, multiply);
}

TrialMaker WindowGemm::trial(const dnnl::engine& engine, bool coldWeights) const {
    return [gemm = *this, engine, coldWeights]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto y = memory(gemm.rows * gemm.units, kindOf(gemm));
        const auto w = trialMemory(gemm.packedDesc(), engine);
        std::vector<dnnl::memory> cold;
        if (gemm.adds) cold.push_back(y);
        if (coldWeights) cold.push_back(w);
        return {[gemm, x = memory(rowsOf(gemm).sourceBytes(), DataKind::u8), w,
                 bias = memory(gemm.units, DataKind::f32), y, scratch = memory(gemm.scratchBytes(), DataKind::u8)] {
                    const auto* perUnit = static_cast<const float*>(bias.get_data_handle());
                    gemm.run(x.get_data_handle(), w.get_data_handle(), perUnit, perUnit, y.get_data_handle(),
                             scratch.get_data_handle());
                },
                std::move(cold)};
    };
}

}  // namespace steelyard::compute::cpu
