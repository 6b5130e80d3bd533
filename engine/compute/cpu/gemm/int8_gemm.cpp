// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/int8_gemm.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/compute/cpu/kernels/parallel.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kPaddedWords = 16;  // depths of packed panels are multiples

std::int64_t panelWords(const Int8Gemm& gemm) {
    return blocks(blocks(gemm.features, kWordBytes), kPaddedWords) * kPaddedWords * kPanelColumns;
}

WindowRows rowsOf(const Int8Gemm& gemm) {
    return {gemm.rows, gemm.features, gemm.units, gemm.windows, gemm.threads};
}

// Calls run(part, rows before it) for parts of a product of at most kRowsOfPart rows: lines, or rows of a line.
constexpr std::int64_t kRowsOfPart = 64;
template <class Run>
void forEachPart(const WindowProduct& product, const Run& run) {
    const auto rowsOfPart = std::min(product.rowsOfLine, kRowsOfPart);
    const auto linesOfPart = product.rowsOfLine <= kRowsOfPart ? kRowsOfPart / product.rowsOfLine : 1;
    const auto lines = product.rows / product.rowsOfLine;
    for (std::int64_t line = 0; line < lines; line += linesOfPart)
        for (std::int64_t row = 0; row < product.rowsOfLine; row += rowsOfPart) {
            auto part = product;
            part.x += line * product.nextStride + row * product.rowStride;
            part.rowsOfLine = std::min(rowsOfPart, product.rowsOfLine - row);
            part.rows = std::min(linesOfPart, lines - line) * part.rowsOfLine;
            run(part, line * product.rowsOfLine + row);
        }
}

}  // namespace

bool Int8Gemm::runsHere() const {
    return products->multiply != nullptr && rowsOf(*this).lineBytes() % kWordBytes == 0;
}

std::int64_t Int8Gemm::scratchBytes() const {
    return rowsOf(*this).scratchBytes();
}

// The library has a format tag for it, since its kernels use the same layout.
Desc Int8Gemm::packedDesc() const {
    return {Dims{units, features}, DataKind::s8, Tag::AB16b64a4b};
}

void Int8Gemm::sumUnits(const void* weights, std::int32_t* start) const {
    const auto* bytes = static_cast<const std::int8_t*>(weights);
    for (std::int64_t unit = 0; unit < units; ++unit) {
        const auto* column = bytes + (unit / kPanelColumns * panelWords(*this) + unit % kPanelColumns) * kWordBytes;
        std::uint32_t sum = 0;  // wraps as the sums of a product do
        for (std::int64_t k = 0; k < features; ++k)
            sum += static_cast<std::uint32_t>(column[k / kWordBytes * kPanelColumns * kWordBytes + k % kWordBytes]);
        start[unit] = static_cast<std::int32_t>(sum * -128U);
    }
}

// Float sums of 64 rows stay in the cache until they are bytes.
void Int8Gemm::activateBytes(const Int8Product& product) const {
    alignas(64) std::array<float, kRowsOfPart * kPanelColumns> sums;
    auto floats = product;
    floats.type = StoredAs::Float;
    floats.low = -std::numeric_limits<float>::infinity();
    floats.high = std::numeric_limits<float>::infinity();
    floats.y = reinterpret_cast<std::byte*>(sums.data());
    floats.targetStride = product.columns;
    forEachPart(floats, [&](const WindowProduct& rowsOfPart, std::int64_t before) {
        auto part = floats;
        static_cast<WindowProduct&>(part) = rowsOfPart;
        products->multiply(part);
        kernels().activate(*activation, sums.data(), part.rows * part.columns);
        auto* bytes = product.y + before * units;
        for (std::int64_t r = 0; r < part.rows; ++r)
            products->store(bytes + r * units, target, sums.data() + r * part.columns, resultFactor, false,
                            part.columns);
    });
}

void Int8Gemm::run(const void* x, const void* weights, const float* factors, const float* offsets,
                   const std::int32_t* start, void* y, void* scratch) const {
    Int8Product whole;
    whole.isSigned = source == StoredAs::Signed;
    whole.shortcutType = shortcut.value_or(StoredAs::Float);
    whole.shortcutFactor = shortcutFactor;
    whole.low = std::max(low, target == StoredAs::Unsigned ? 0.0F : target == StoredAs::Signed ? -127.0F : low);
    whole.high = std::min(high, target == StoredAs::Unsigned ? 255.0F : target == StoredAs::Signed ? 127.0F : high);
    whole.type = target;
    const auto multiply = [&](const WindowProduct& piece, std::int64_t row, std::int64_t unit) {
        auto product = whole;
        static_cast<WindowProduct&>(product) = piece;
        product.start = needsStart() ? start + unit : nullptr;
        product.factors = factors + unit;
        product.offsets = offsets + unit;
        product.y = static_cast<std::byte*>(y) + (row * units + unit) * bytesOf(target);
        if (activation && target != StoredAs::Float) return activateBytes(product);
        product.shortcut = shortcut ? product.y : nullptr;
        products->multiply(product);
        if (!activation) return;
        for (std::int64_t r = 0; r < product.rows; ++r)
            kernels().activate(*activation, reinterpret_cast<float*>(product.y) + r * units, product.columns);
    };
    rowsOf(*this).divide(x, weights, panelWords(*this), scratch, multiply);
}

TrialMaker Int8Gemm::trial(const dnnl::engine& engine) const {
    return [gemm = *this, engine]() -> Trial {
        const auto memory = [&](std::int64_t count, DataKind kind) {
            return trialMemory(plainDesc(Dims{count}, kind), engine);
        };
        const auto bytes = gemm.rows * gemm.units * bytesOf(gemm.target);
        return [gemm, x = memory(rowsOf(gemm).sourceBytes(), DataKind::u8),
                scratch = memory(gemm.scratchBytes(), DataKind::u8), w = trialMemory(gemm.packedDesc(), engine),
                factors = memory(gemm.units, DataKind::f32), offsets = memory(gemm.units, DataKind::f32),
                start = memory(gemm.units, DataKind::s32), y = memory(bytes, DataKind::u8)] {
            gemm.run(x.get_data_handle(), w.get_data_handle(), static_cast<const float*>(factors.get_data_handle()),
                     static_cast<const float*>(offsets.get_data_handle()),
                     static_cast<const std::int32_t*>(start.get_data_handle()), y.get_data_handle(),
                     scratch.get_data_handle());
        };
    };
}

}  // namespace steelyard::compute::cpu
