// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/weight_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace steelyard::model {
namespace {

constexpr std::size_t kSmall = 32, kLarge = 256;

std::uint8_t byteAt(const std::byte* bytes, std::size_t index) {
    return std::to_integer<std::uint8_t>(bytes[index]);
}

std::uint16_t bits16At(const std::byte* bytes, std::size_t index) {
    return static_cast<std::uint16_t>(byteAt(bytes, index) | byteAt(bytes, index + 1) << 8);
}

float halfAt(const std::byte* bytes, std::size_t index) {
    return fromHalf(bits16At(bytes, index));
}

void put16(std::byte* bytes, std::uint16_t bits) {
    bytes[0] = static_cast<std::byte>(bits & 0xFF);
    bytes[1] = static_cast<std::byte>(bits >> 8);
}

// Byte j of 16 holds weights j (low nibble) and j + 16 (high nibble) of a block of 32.
template <class Value>
void eachNibble(const std::byte* nibbles, float* values, Value&& value) {
    for (std::size_t j = 0; j < kSmall / 2; ++j) {
        const auto both = byteAt(nibbles, j);
        values[j] = value(both & 15, j);
        values[j + kSmall / 2] = value(both >> 4, j + kSmall / 2);
    }
}

// The fifth bits of a block of 32: bit j belongs to weight j.
std::uint32_t fifthBits(const std::byte* bytes) {
    return static_cast<std::uint32_t>(bits16At(bytes, 0)) | static_cast<std::uint32_t>(bits16At(bytes, 2)) << 16;
}

void readQ4_0(const std::byte* block, float* values) {
    const float scale = halfAt(block, 0);
    eachNibble(block + 2, values, [&](int q, std::size_t) { return static_cast<float>(q - 8) * scale; });
}

void readQ4_1(const std::byte* block, float* values) {
    const float scale = halfAt(block, 0), least = halfAt(block, 2);
    eachNibble(block + 4, values, [&](int q, std::size_t) { return static_cast<float>(q) * scale + least; });
}

void readQ5_0(const std::byte* block, float* values) {
    const float scale = halfAt(block, 0);
    const auto fifth = fifthBits(block + 2);
    eachNibble(block + 6, values, [&](int q, std::size_t j) {
        return static_cast<float>((q | static_cast<int>(fifth >> j & 1) << 4) - 16) * scale;
    });
}

void readQ5_1(const std::byte* block, float* values) {
    const float scale = halfAt(block, 0), least = halfAt(block, 2);
    const auto fifth = fifthBits(block + 4);
    eachNibble(block + 8, values, [&](int q, std::size_t j) {
        return static_cast<float>(q | static_cast<int>(fifth >> j & 1) << 4) * scale + least;
    });
}

void readQ8_0(const std::byte* block, float* values) {
    const float scale = halfAt(block, 0);
    for (std::size_t j = 0; j < kSmall; ++j)
        values[j] = static_cast<float>(static_cast<std::int8_t>(byteAt(block, 2 + j))) * scale;
}

void readLevels(const std::byte* nibbles, float scale, float* values) {
    constexpr std::array<std::int8_t, 16> kLevels{-127, -104, -83, -65, -49, -35, -22, -10,
                                                  1,    13,   25,  38,  53,  69,  89,  113};
    eachNibble(nibbles, values,
               [&](int q, std::size_t) { return static_cast<float>(kLevels[static_cast<std::size_t>(q)]) * scale; });
}

void readIq4Nl(const std::byte* block, float* values) {
    readLevels(block + 2, halfAt(block, 0), values);
}

// A half, 8 factors of 6 bits (4 bytes with the lower four bits after 2 bytes with the upper two), then nibbles.
void readIq4Xs(const std::byte* block, float* values) {
    for (int sub = 0; sub < 8; ++sub)
        readLevels(block + 8 + 16 * sub, halfAt(block, 0) * static_cast<float>(factorOfIq4Xs(block, sub)),
                   values + static_cast<std::size_t>(sub) * kSmall);
}

void readQ2K(const std::byte* block, float* values) {
    const float scale = halfAt(block, kScaleOfQ2K), leastScale = halfAt(block, kMinimumScaleOfQ2K);
    const auto [factors, minima] = scalesOfQ2K(block);
    for (std::size_t i = 0; i < kLarge; ++i)
        values[i] = scale * static_cast<float>(factors[i / 16]) *
                        static_cast<float>(levelOfQ2K(block, static_cast<std::int64_t>(i))) -
                    leastScale * static_cast<float>(minima[i / 16]);
}

void readQ3K(const std::byte* block, float* values) {
    const float scale = halfAt(block, kScaleOfQ3K);
    const auto factors = scalesOfQ3K(block).factors;
    for (std::size_t i = 0; i < kLarge; ++i)
        values[i] = scale * static_cast<float>(factors[i / 16]) *
                    static_cast<float>(levelOfQ3K(block, static_cast<std::int64_t>(i)));
}

// OCP Microscaling Formats 1.0: E2M1 elements with a power-of-two scale (E8M0).
void readMxfp4(const std::byte* block, float* values) {
    constexpr std::array<float, 8> kMagnitudes{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    const float scale = std::ldexp(1.0F, static_cast<int>(byteAt(block, 0)) - 127);
    eachNibble(block + 1, values, [&](int q, std::size_t) {
        const float magnitude = kMagnitudes[static_cast<std::size_t>(q & 7)] * scale;
        return (q & 8) != 0 ? -magnitude : magnitude;
    });
}

// 32 bytes hold 64 weights: the first sub-block in the low nibbles, the second in the high ones. q5_k has 32 more
// bytes:
// bit s of byte j is the fifth bit of weight j of sub-block s.
void readNested(const std::byte* block, const std::byte* fifth, const std::byte* nibbles, float* values) {
    const float scale = halfAt(block, 0), leastScale = halfAt(block, 2);
    std::array<std::uint8_t, 12> packed{};
    std::memcpy(packed.data(), block + 4, packed.size());
    for (int sub = 0; sub < 8; ++sub) {
        const auto [factor, minimum] = nestedScale(packed.data(), sub);
        const float step = scale * static_cast<float>(factor), least = leastScale * static_cast<float>(minimum);
        const auto* bytes = nibbles + static_cast<std::size_t>(sub / 2) * kSmall;
        for (std::size_t j = 0; j < kSmall; ++j) {
            int q = sub % 2 == 0 ? byteAt(bytes, j) & 15 : byteAt(bytes, j) >> 4;
            if (fifth != nullptr) q |= (byteAt(fifth, j) >> sub & 1) << 4;
            values[static_cast<std::size_t>(sub) * kSmall + j] = step * static_cast<float>(q) - least;
        }
    }
}

// 128 bytes of low nibbles, 64 of upper bit pairs, 16 scales of 16 weights each, and their scale. Half h of the weights
// uses 64 of the former and 32 of the latter: weight 32 g + j has its low nibble in byte j + 32 (g mod 2), and its
// upper bits at 2 g in byte j.
void readQ6K(const std::byte* block, float* values) {
    const float scale = halfAt(block, 208);
    for (std::size_t i = 0; i < kLarge; ++i) {
        const auto half = i / 128, group = i % 128 / 32, j = i % 32;
        const int both = byteAt(block, half * 64 + group % 2 * 32 + j);
        const int low = group < 2 ? both & 15 : both >> 4;
        const int high = byteAt(block, 128 + half * 32 + j) >> (2 * group) & 3;
        const auto step = scale * static_cast<float>(static_cast<std::int8_t>(byteAt(block, 192 + i / 16)));
        values[i] = step * static_cast<float>((low | high << 4) - 32);
    }
}

// A weight is scale q + minimum with q from 0 to 255; `half`: of 16 weights of sub-block `sub`.
struct ScaleAndMinimum {
    float scale = 0, minimum = 0;
};

ScaleAndMinimum scaleAndMinimum(TensorType type, const std::byte* block, int sub, int half) {
    switch (type) {
        case TensorType::Q4_0:
            return {halfAt(block, 0), -8 * halfAt(block, 0)};
        case TensorType::Q4_1:
        case TensorType::Q5_1:
            return {halfAt(block, 0), halfAt(block, 2)};
        case TensorType::Q5_0:
            return {halfAt(block, 0), -16 * halfAt(block, 0)};
        case TensorType::Iq4Nl:
            return {halfAt(block, 0), -127 * halfAt(block, 0)};
        case TensorType::Iq4Xs: {
            const float scale = halfAt(block, 0) * static_cast<float>(factorOfIq4Xs(block, sub));
            return {scale, -127 * scale};
        }
        case TensorType::Mxfp4: {
            const float scale = std::ldexp(0.5F, static_cast<int>(byteAt(block, 0)) - 127);
            return {scale, -12 * scale};
        }
        case TensorType::Q2K: {
            const auto [factors, minima] = scalesOfQ2K(block);
            const auto index = static_cast<std::size_t>(2 * sub + half);
            return {halfAt(block, kScaleOfQ2K) * static_cast<float>(factors[index]),
                    -halfAt(block, kMinimumScaleOfQ2K) * static_cast<float>(minima[index])};
        }
        default: {  // q4_k, q5_k
            std::array<std::uint8_t, 12> scales{};
            std::memcpy(scales.data(), block + 4, scales.size());
            const auto [factor, minimum] = nestedScale(scales.data(), sub);
            return {halfAt(block, 0) * static_cast<float>(factor), -halfAt(block, 2) * static_cast<float>(minimum)};
        }
    }
}

using ReadBlock = void (*)(const std::byte* block, float* values);

ReadBlock readerOf(TensorType type) {
    switch (type) {
        case TensorType::F32:
            return [](const std::byte* block, float* value) { std::memcpy(value, block, sizeof(float)); };
        case TensorType::F16:
            return [](const std::byte* block, float* value) { *value = halfAt(block, 0); };
        case TensorType::Bf16:
            return [](const std::byte* block, float* value) { *value = fromBfloat16(bits16At(block, 0)); };
        case TensorType::Q8_0:
            return readQ8_0;
        case TensorType::Q4_0:
            return readQ4_0;
        case TensorType::Q4_1:
            return readQ4_1;
        case TensorType::Q5_0:
            return readQ5_0;
        case TensorType::Q5_1:
            return readQ5_1;
        case TensorType::Q4K:
            return [](const std::byte* block, float* values) { readNested(block, nullptr, block + 16, values); };
        case TensorType::Q5K:
            return [](const std::byte* block, float* values) { readNested(block, block + 16, block + 48, values); };
        case TensorType::Q6K:
            return readQ6K;
        case TensorType::Q2K:
            return readQ2K;
        case TensorType::Q3K:
            return readQ3K;
        case TensorType::Iq4Nl:
            return readIq4Nl;
        case TensorType::Iq4Xs:
            return readIq4Xs;
        case TensorType::Mxfp4:
            return readMxfp4;
        case TensorType::Nf4:
        case TensorType::Nf4Double:
        case TensorType::Int4Groups:
        case TensorType::Mlx4:
        case TensorType::Int8:
        case TensorType::Fp8:
            break;
    }
    return nullptr;
}

float largest(std::span<const float> values) {
    float found = 0;
    for (const auto value : values)
        if (std::abs(value) > std::abs(found)) found = value;
    return found;
}

int nearest(float value, int lowest, int highest) {
    return std::clamp(static_cast<int>(std::lround(value)), lowest, highest);
}

float inverse(float value) {
    return value == 0 ? 0 : 1 / value;
}

void writeQ8_0(std::span<const float> values, std::byte* block) {
    const auto bits = toHalf(std::abs(largest(values)) / 127);
    const float factor = inverse(fromHalf(bits));
    put16(block, bits);
    for (std::size_t j = 0; j < kSmall; ++j)
        block[2 + j] = static_cast<std::byte>(nearest(values[j] * factor, -127, 127) & 0xFF);
}

// The weight with the largest magnitude maps to -8, the only level without a counterpart.
void writeQ4_0(std::span<const float> values, std::byte* block) {
    const auto bits = toHalf(largest(values) / -8);
    const float factor = inverse(fromHalf(bits));
    put16(block, bits);
    const auto level = [&](std::size_t j) { return nearest(values[j] * factor, -8, 7) + 8; };
    for (std::size_t j = 0; j < kSmall / 2; ++j)
        block[2 + j] = static_cast<std::byte>(level(j) | level(j + kSmall / 2) << 4);
}

void writeQ4K(std::span<const float> values, std::byte* block) {
    std::array<float, 8> steps{}, minima{};  // a weight is step q - minimum, both non-negative
    for (std::size_t sub = 0; sub < 8; ++sub) {
        const auto part = values.subspan(sub * kSmall, kSmall);
        const auto [low, high] = std::ranges::minmax(part);
        minima[sub] = std::max(0.0F, -low);
        steps[sub] = std::max(0.0F, high + minima[sub]) / 15;
    }
    const auto scaleBits = toHalf(*std::ranges::max_element(steps) / 63);
    const auto leastBits = toHalf(*std::ranges::max_element(minima) / 63);
    const float scale = fromHalf(scaleBits), leastScale = fromHalf(leastBits);
    put16(block, scaleBits);
    put16(block + 2, leastBits);
    std::array<int, 8> factors{}, offsets{};
    for (std::size_t sub = 0; sub < 8; ++sub) {
        factors[sub] = nearest(steps[sub] * inverse(scale), 0, 63);
        offsets[sub] = nearest(minima[sub] * inverse(leastScale), 0, 63);
    }
    for (std::size_t sub = 0; sub < 4; ++sub) {
        block[4 + sub] = static_cast<std::byte>(factors[sub] | (factors[sub + 4] >> 4) << 6);
        block[8 + sub] = static_cast<std::byte>(offsets[sub] | (offsets[sub + 4] >> 4) << 6);
        block[12 + sub] = static_cast<std::byte>((factors[sub + 4] & 15) | (offsets[sub + 4] & 15) << 4);
    }
    const auto level = [&](std::size_t sub, std::size_t j) {
        const float step = scale * static_cast<float>(factors[sub]);
        const float least = leastScale * static_cast<float>(offsets[sub]);
        return nearest((values[sub * kSmall + j] + least) * inverse(step), 0, 15);
    };
    for (std::size_t pair = 0; pair < 4; ++pair)
        for (std::size_t j = 0; j < kSmall; ++j)
            block[16 + pair * kSmall + j] = static_cast<std::byte>(level(2 * pair, j) | level(2 * pair + 1, j) << 4);
}

void writeQ6K(std::span<const float> values, std::byte* block) {
    std::array<float, 16> steps{};
    for (std::size_t sub = 0; sub < 16; ++sub) steps[sub] = largest(values.subspan(sub * 16, 16)) / -32;
    const auto bits = toHalf(largest(steps) / -128);
    const float scale = fromHalf(bits);
    std::array<int, 16> factors{};
    for (std::size_t sub = 0; sub < 16; ++sub) factors[sub] = nearest(steps[sub] * inverse(scale), -128, 127);
    std::fill(block, block + 210, std::byte{0});
    for (std::size_t i = 0; i < kLarge; ++i) {
        const float step = scale * static_cast<float>(factors[i / 16]);
        const int q = nearest(values[i] * inverse(step), -32, 31) + 32;
        const auto half = i / 128, group = i % 128 / 32, j = i % 32;
        block[half * 64 + group % 2 * 32 + j] |= static_cast<std::byte>((q & 15) << (group < 2 ? 0 : 4));
        block[128 + half * 32 + j] |= static_cast<std::byte>(q >> 4 << (2 * group));
    }
    for (std::size_t sub = 0; sub < 16; ++sub) block[192 + sub] = static_cast<std::byte>(factors[sub] & 0xFF);
    put16(block + 208, bits);
}

using WriteBlock = void (*)(std::span<const float> values, std::byte* block);

WriteBlock writerOf(TensorType type) {
    if (type == TensorType::F32)
        return
            [](std::span<const float> values, std::byte* block) { std::memcpy(block, values.data(), sizeof(float)); };
    if (type == TensorType::F16)
        return [](std::span<const float> values, std::byte* block) { put16(block, toHalf(values[0])); };
    if (type == TensorType::Bf16)
        return [](std::span<const float> values, std::byte* block) { put16(block, toBfloat16(values[0])); };
    if (type == TensorType::Q8_0) return writeQ8_0;
    if (type == TensorType::Q4_0) return writeQ4_0;
    if (type == TensorType::Q4K) return writeQ4K;
    if (type == TensorType::Q6K) return writeQ6K;
    return nullptr;
}

}  // namespace

SixBitLevels sixBitLevels(TensorType type, const std::byte* block) {
    SixBitLevels result;
    if (type == TensorType::Q3K) {
        result.scale = block + kScaleOfQ3K;
        const auto factors = scalesOfQ3K(block).factors;
        for (std::size_t i = 0; i < 16; ++i) result.factors[i] = static_cast<std::int8_t>(factors[i]);
        for (std::size_t i = 0; i < kLarge; ++i)
            result.levels[i] = static_cast<std::uint8_t>(levelOfQ3K(block, static_cast<std::int64_t>(i)) + 32);
        return result;
    }
    result.scale = block + 208;
    for (std::size_t i = 0; i < 16; ++i) result.factors[i] = static_cast<std::int8_t>(byteAt(block, 192 + i));
    for (std::size_t i = 0; i < kLarge; ++i) {
        const auto half = i / 128, group = i % 128 / 32, j = i % 32;
        const int both = byteAt(block, half * 64 + group % 2 * 32 + j);
        const int high = byteAt(block, 128 + half * 32 + j) >> (2 * group) & 3;
        result.levels[i] = static_cast<std::uint8_t>((group < 2 ? both & 15 : both >> 4) | high << 4);
    }
    return result;
}

void byteLevels(TensorType type, const std::byte* block, std::span<ByteLevels> parts) {
    std::array<float, kLarge> values{};
    dequantise(type, block, std::span(values).first(parts.size() * kSmall));
    for (std::size_t sub = 0; sub < parts.size(); ++sub)
        for (std::size_t half = 0; half < 2; ++half) {
            auto& part = parts[sub];
            const auto [scale, minimum] = scaleAndMinimum(type, block, static_cast<int>(sub), static_cast<int>(half));
            part.scales[half] = scale;
            part.minima[half] = minimum;
            for (std::size_t j = 16 * half; j < 16 * half + 16; ++j) {
                const auto level = scale == 0 ? 0 : std::lround((values[sub * kSmall + j] - minimum) / scale);
                part.q[j] = static_cast<std::uint8_t>(std::clamp(level, 0L, 255L));
            }
        }
}

float fromBfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t toBfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

bool hasBlocks(TensorType type) {
    return readerOf(type) != nullptr;
}

std::string namesOfBlocks() {
    std::string names;
    for (int type = 0; type <= static_cast<int>(TensorType::Fp8); ++type)
        if (hasBlocks(static_cast<TensorType>(type)))
            names += (names.empty() ? "" : ", ") + std::string(formatOf(static_cast<TensorType>(type)).name);
    return names;
}

NestedScale nestedScale(const std::uint8_t* scales, int index) {
    const auto bits = [](int value) { return static_cast<std::uint8_t>(value); };
    if (index < 4) return {bits(scales[index] & 63), bits(scales[index + 4] & 63)};
    const auto rest = scales[index + 4];
    return {bits((rest & 15) | scales[index - 4] >> 6 << 4), bits(rest >> 4 | scales[index] >> 6 << 4)};
}

// 16 bytes with a factor (low nibble) and a minimum each, then 64 bytes of two-bit levels: half h of the weights uses
// 32 of them, byte j for weights j + 32 g at bits 2 g.
SixteenScales scalesOfQ2K(const std::byte* block) {
    SixteenScales scales;
    for (std::size_t i = 0; i < 16; ++i) {
        scales.factors[i] = byteAt(block, i) & 15;
        scales.minima[i] = byteAt(block, i) >> 4;
    }
    return scales;
}

int levelOfQ2K(const std::byte* block, std::int64_t index) {
    const auto half = index / 128, group = index % 128 / 32, j = index % 32;
    return byteAt(block + 16, static_cast<std::size_t>(half * 32 + j)) >> (2 * group) & 3;
}

// 32 bytes of third bits (bit 4 h + g of byte j), 64 bytes of two-bit levels as in q2_k, and 12 bytes of factors: 8
// with the lower four bits of two each, 4 with the upper two bits of four each.
SixteenScales scalesOfQ3K(const std::byte* block) {
    const auto* packed = block + 96;
    SixteenScales scales;
    for (std::size_t i = 0; i < 16; ++i) {
        const int low = i < 8 ? byteAt(packed, i) & 15 : byteAt(packed, i - 8) >> 4;
        const int high = byteAt(packed, 8 + i % 4) >> (2 * (i / 4)) & 3;
        scales.factors[i] = (low | high << 4) - 32;
    }
    return scales;
}

int levelOfQ3K(const std::byte* block, std::int64_t index) {
    const auto half = index / 128, group = index % 128 / 32, j = index % 32;
    const int low = byteAt(block + 32, static_cast<std::size_t>(half * 32 + j)) >> (2 * group) & 3;
    const int third = byteAt(block, static_cast<std::size_t>(j)) >> (4 * half + group) & 1;
    return (low | third << 2) - 4;
}

int factorOfIq4Xs(const std::byte* block, int index) {
    const int low = byteAt(block + 4, static_cast<std::size_t>(index / 2)) >> (4 * (index % 2)) & 15;
    return (low | (bits16At(block, 2) >> (2 * index) & 3) << 4) - 32;
}

void dequantise(TensorType type, const std::byte* blocks, std::span<float> values) {
    const auto& format = formatOf(type);
    const auto read = readerOf(type);
    const auto weights = static_cast<std::size_t>(format.blockWeights);
    for (std::size_t first = 0; first < values.size(); first += weights) {
        read(blocks, values.data() + first);
        blocks += format.blockBytes;
    }
}

bool canQuantise(TensorType type) {
    return writerOf(type) != nullptr;
}

void quantise(TensorType type, std::span<const float> values, std::byte* blocks) {
    const auto& format = formatOf(type);
    const auto write = writerOf(type);
    const auto weights = static_cast<std::size_t>(format.blockWeights);
    for (std::size_t first = 0; first < values.size(); first += weights) {
        write(values.subspan(first, weights), blocks);
        blocks += format.blockBytes;
    }
}

}  // namespace steelyard::model
