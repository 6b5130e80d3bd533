// SPDX-License-Identifier: Apache-2.0
// Kernels of int8 inference compared with plain loops over all indices, with shapes that do not fill tiles and packs.
#include "engine/compute/cuda/kernels/eight_bit/eight_bit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/engine/compute/cuda_kernels/typed_values.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr StoredAs kByteTypes[] = {StoredAs::Signed, StoredAs::Unsigned};
constexpr StoredAs kStoredTypes[] = {StoredAs::Float, StoredAs::Signed, StoredAs::Unsigned};

// A tensor of one of the stored types, from small integers; vectors are aligned to 16 bytes.
class StoredTensor {
public:
    StoredTensor(StoredAs type, std::int64_t count) : m_type(type), m_count(static_cast<std::size_t>(count)) {
        m_floats.resize(m_count + 1, 99);
        m_bytes.resize(m_count + 1, 99);
    }
    static StoredTensor random(StoredAs type, std::int64_t count, std::uint64_t seed) {
        StoredTensor result(type, count);
        const RandomStream noise(seed, 0x8b);
        for (std::size_t i = 0; i < result.m_count; ++i) {
            const auto n =
                static_cast<int>(noise.below(static_cast<std::uint32_t>(i), type == StoredAs::Signed ? 255 : 256));
            if (type == StoredAs::Float)
                result.m_floats[i] = static_cast<float>(n - 128) / 16;
            else
                result.m_bytes[i] = static_cast<std::uint8_t>(type == StoredAs::Signed ? n - 127 : n);
        }
        return result;
    }
    [[nodiscard]] void* data() {
        return m_type == StoredAs::Float ? static_cast<void*>(m_floats.data()) : m_bytes.data();
    }
    [[nodiscard]] float at(std::int64_t i) const {
        const auto k = static_cast<std::size_t>(i);
        if (m_type == StoredAs::Float) return m_floats[k];
        return m_type == StoredAs::Signed ? static_cast<float>(static_cast<std::int8_t>(m_bytes[k]))
                                          : static_cast<float>(m_bytes[k]);
    }
    // Nothing was written behind the last element.
    [[nodiscard]] bool ends() const { return m_floats[m_count] == 99 && m_bytes[m_count] == 99; }
    [[nodiscard]] StoredAs type() const { return m_type; }

private:
    StoredAs m_type;
    std::size_t m_count;
    std::vector<float> m_floats;
    std::vector<std::uint8_t> m_bytes;
};

float onGrid(StoredAs type, float value, float inverse) {
    if (type == StoredAs::Float) return value;
    return std::clamp(std::nearbyintf(value * inverse), type == StoredAs::Signed ? -127.0F : 0.0F,
                      type == StoredAs::Signed ? 127.0F : 255.0F);
}
float activatedBy(Activation kind, float x) {
    if (kind == Activation::None) return x;
    if (kind == Activation::Relu) return std::max(x, 0.0F);
    if (kind == Activation::Relu6) return std::clamp(x, 0.0F, 6.0F);
    return x / (1 + std::exp(-x));  // Swish
}
// Bytes may differ by one where float32 rounding differs at a tie, which is rare.
class Agreement {
public:
    void compare(StoredAs type, float found, float expected, const std::string& where) {
        ++m_count;
        if (type == StoredAs::Float)
            EXPECT_NEAR(found, expected, 1e-5 * std::max(1.0F, std::abs(expected))) << where;
        else
            EXPECT_LE(std::abs(found - expected), 1) << where;
        if (type != StoredAs::Float && found != expected) ++m_off;
    }
    ~Agreement() { EXPECT_LE(m_off, 1 + m_count / 100) << "of " << m_count; }

private:
    std::int64_t m_count = 0, m_off = 0;
};

struct ByteCase {
    ByteWindows w;
    std::int64_t units;
};

std::string nameOfBytes(const ByteCase& c) {
    return std::to_string(c.w.batch) + "x" + std::to_string(c.w.height) + "x" + std::to_string(c.w.width) + "x" +
           std::to_string(c.w.channels) + " in " + std::to_string(c.w.groups) + " to " + std::to_string(c.units) +
           " by " + std::to_string(c.w.kernelHeight) + "x" + std::to_string(c.w.kernelWidth);
}

struct ByteEpilogue {
    StoredAs type = StoredAs::Float;
    std::optional<StoredAs> shortcut;
    Activation activation = Activation::None;
};
constexpr ByteEpilogue kEpilogues[] = {{},
                                       {StoredAs::Unsigned, {}, Activation::Relu},
                                       {StoredAs::Signed, StoredAs::Signed},
                                       {StoredAs::Unsigned, StoredAs::Unsigned, Activation::Relu6},
                                       {StoredAs::Float, StoredAs::Float, Activation::Swish}};

// The sums of a convolution as loops, with one channel per group if depthwise.
std::vector<std::int32_t> sumsOf(const ByteCase& c, const StoredTensor& x, const std::vector<int>& weights) {
    const auto& w = c.w;
    std::vector<std::int32_t> sums;
    for (std::int64_t b = 0; b < w.batch; ++b)
        for (std::int64_t y = 0; y < w.outHeight; ++y)
            for (std::int64_t z = 0; z < w.outWidth; ++z)
                for (std::int64_t u = 0; u < c.units; ++u) {
                    std::int32_t sum = 0;
                    const auto group = u / (c.units / w.groups);
                    for (std::int64_t r = 0; r < w.kernelHeight; ++r)
                        for (std::int64_t s = 0; s < w.kernelWidth; ++s)
                            for (std::int64_t k = 0; k < w.channels; ++k) {
                                const auto row = y * w.strideHeight + r - w.top,
                                           column = z * w.strideWidth + s - w.left;
                                if (row < 0 || row >= w.height || column < 0 || column >= w.width) continue;
                                const auto pixel = (b * w.height + row) * w.width + column;
                                const auto weight = ((u * w.kernelHeight + r) * w.kernelWidth + s) * w.channels + k;
                                sum += static_cast<int>(x.at(pixel * w.pitch + group * w.channels + k)) *
                                       weights[static_cast<std::size_t>(weight)];
                            }
                    sums.push_back(sum);
                }
    return sums;
}

std::vector<int> randomWeights(std::int64_t count) {
    std::vector<int> weights(static_cast<std::size_t>(count));
    const RandomStream noise(3, 0x8c);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<int>(noise.below(static_cast<std::uint32_t>(i), 255)) - 127;
    return weights;
}

// Calls run(results) and compares what it stored.
template <typename Run>
void expectResults(const ByteCase& c, const ByteEpilogue& e, const std::vector<std::int32_t>& sums, const Run& run) {
    const auto count = static_cast<std::int64_t>(sums.size());
    const auto factors = normals(c.units, 4, 1e-4F), offsets = normals(c.units, 5);
    auto shortcut = StoredTensor::random(e.shortcut.value_or(StoredAs::Float), count, 6);
    StoredTensor y(e.type, count);
    ByteResults r;
    r.factors = factors.data();
    r.offsets = offsets.data();
    if (e.shortcut) r.shortcut = shortcut.data();
    r.shortcutType = shortcut.type();
    r.shortcutFactor = 0.03125F;
    r.activation = e.activation;
    r.y = y.data();
    r.type = e.type;
    r.inverse = 20;
    ASSERT_EQ(run(r), kOk);
    ASSERT_TRUE(y.ends());
    Agreement agreement;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto u = static_cast<std::size_t>(i % c.units);
        float value = factors[u] * static_cast<float>(sums[static_cast<std::size_t>(i)]) + offsets[u];
        if (e.shortcut) value += shortcut.at(i) * r.shortcutFactor;
        agreement.compare(e.type, y.at(i), onGrid(e.type, activatedBy(e.activation, value), r.inverse),
                          nameOfBytes(c) + " at " + std::to_string(i));
    }
}

ByteWindows denseWindows(std::int64_t rows, std::int64_t features) {
    return {.batch = rows, .channels = features, .pitch = features};
}
ByteWindows imageWindows(std::int64_t batch, std::int64_t height, std::int64_t width, std::int64_t channels,
                         std::int64_t groups, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    ByteWindows w{.batch = batch, .height = height, .width = width, .channels = channels, .groups = groups};
    w.pitch = channels * groups;
    w.kernelHeight = kernel;
    w.kernelWidth = kernel + (kernel > 1 ? 1 : 0);
    w.strideHeight = stride;
    w.strideWidth = stride == 2 ? 1 : stride;
    w.top = padding;
    w.left = padding;
    w.outHeight = (height + 2 * padding - w.kernelHeight) / w.strideHeight + 1;
    w.outWidth = (width + 2 * padding - w.kernelWidth) / w.strideWidth + 1;
    return w;
}

class ByteProducts : public ::testing::TestWithParam<ByteTile> {};

TEST_P(ByteProducts, EqualPlainSums) {
    auto padded = imageWindows(1, 5, 6, 3, 1, 3, 1, 1);
    padded.pitch = 4;
    const ByteCase cases[] = {{denseWindows(1, 16), 8},
                              {denseWindows(3, 5), 1},
                              {denseWindows(17, 70), 9},
                              {denseWindows(130, 64), 136},
                              {denseWindows(5, 200), 130},
                              {denseWindows(2, 131), 3},
                              {imageWindows(2, 5, 7, 16, 1, 3, 1, 1), 24},
                              {imageWindows(1, 9, 8, 48, 1, 3, 2, 1), 5},
                              {imageWindows(2, 7, 6, 12, 1, 2, 1, 0), 16},
                              {imageWindows(1, 6, 6, 3, 1, 5, 2, 2), 7},
                              {padded, 10},
                              {imageWindows(1, 5, 5, 16, 3, 3, 1, 1), 24},
                              {imageWindows(2, 4, 4, 5, 2, 3, 1, 1), 6},
                              {imageWindows(2, 3, 3, 80, 1, 1, 1, 0), 40}};
    for (const auto& c : cases) {
        const auto pitch = weightPitch(c.w.depth());
        const auto weights = randomWeights(c.units * c.w.depth());
        std::vector<std::int8_t> stored(static_cast<std::size_t>(c.units * pitch), 0);
        for (std::int64_t u = 0; u < c.units; ++u)
            for (std::int64_t k = 0; k < c.w.depth(); ++k)
                stored[static_cast<std::size_t>(u * pitch + k)] =
                    static_cast<std::int8_t>(weights[static_cast<std::size_t>(u * c.w.depth() + k)]);
        for (const auto source : kByteTypes) {
            auto x = StoredTensor::random(source, c.w.batch * c.w.height * c.w.width * c.w.pitch, 2);
            const auto sums = sumsOf(c, x, weights);
            for (const auto& e : kEpilogues)
                expectResults(c, e, sums, [&](const ByteResults& r) {
                    return byteProduct({}, GetParam(), c.w, source, x.data(), stored.data(), c.units, r);
                });
        }
    }
}
std::string nameOfTile(const ::testing::TestParamInfo<ByteTile>& tile) {
    return tile.param == ByteTile::Large ? "Large" : tile.param == ByteTile::Small ? "Small" : "FewRows";
}
INSTANTIATE_TEST_SUITE_P(Tiles, ByteProducts, ::testing::Values(ByteTile::Large, ByteTile::Small, ByteTile::FewRows),
                         nameOfTile);

// The largest magnitudes do not saturate.
TEST(ByteProduct, AddsExtremeBytes) {
    const auto w = denseWindows(2, 640);
    std::vector<std::uint8_t> x(static_cast<std::size_t>(w.batch * w.pitch), 255);
    std::vector<std::int8_t> weights(static_cast<std::size_t>(8 * weightPitch(w.depth())), -127);
    const std::vector<float> factors(8, 1), offsets(8, 0);
    std::vector<float> y(16);
    ByteResults r;
    r.factors = factors.data();
    r.offsets = offsets.data();
    r.y = y.data();
    ASSERT_EQ(byteProduct({}, ByteTile::Small, w, StoredAs::Unsigned, x.data(), weights.data(), 8, r), kOk);
    EXPECT_EQ(y, std::vector<float>(16, 640.0F * 255 * -127));
}

TEST(ByteProduct, RefusesWhatItCannotDo) {
    const std::vector<float> factors(16, 1);
    std::vector<float> y(16);
    ByteResults r;
    r.factors = factors.data();
    r.offsets = factors.data();
    r.y = y.data();
    std::vector<std::int8_t> bytes(1024, 1);
    const auto status = [&](const ByteWindows& w, StoredAs source) {
        return byteProduct({}, ByteTile::Small, w, source, bytes.data(), bytes.data(), 8, r);
    };
    EXPECT_EQ(status(denseWindows(1, 16), StoredAs::Float), kInvalidValue);
    EXPECT_EQ(status({.batch = 1, .channels = 4, .groups = 3, .pitch = 12}, StoredAs::Signed), kInvalidValue);
    EXPECT_EQ(status({.batch = 1, .channels = 16, .pitch = 8}, StoredAs::Signed), kInvalidValue);
    EXPECT_EQ(status(denseWindows(1, 16), StoredAs::Signed), kOk);
}

TEST(ByteDepthwise, EqualsPlainSums) {
    const ByteCase cases[] = {{imageWindows(2, 5, 6, 1, 8, 3, 1, 1), 8},
                              {imageWindows(1, 7, 7, 1, 5, 3, 2, 1), 5},
                              {imageWindows(2, 4, 5, 1, 4, 2, 1, 0), 12},
                              {imageWindows(1, 5, 5, 1, 12, 5, 1, 2), 12}};
    for (const auto& c : cases) {
        const auto window = c.w.kernelHeight * c.w.kernelWidth;
        const auto weights = randomWeights(c.units * window);
        std::vector<std::int8_t> stored(weights.size());
        for (std::int64_t u = 0; u < c.units; ++u)
            for (std::int64_t k = 0; k < window; ++k)
                stored[static_cast<std::size_t>(k * c.units + u)] =
                    static_cast<std::int8_t>(weights[static_cast<std::size_t>(u * window + k)]);
        for (const auto source : kByteTypes) {
            auto x = StoredTensor::random(source, c.w.batch * c.w.height * c.w.width * c.w.pitch, 2);
            const auto sums = sumsOf(c, x, weights);
            for (const auto& e : kEpilogues)
                expectResults(c, e, sums, [&](const ByteResults& r) {
                    return byteDepthwise({}, c.w, source, x.data(), stored.data(), c.units, r);
                });
        }
    }
}

TEST(ByteValues, AreTheNearestWithZerosBehind) {
    const std::int64_t rows = 3, length = 5, pitch = 8;
    auto x = normals(rows * length, 9, 100);
    x[0] = 0.25F, x[1] = 0.75F, x[2] = -1e9F, x[3] = 1e9F, x[4] = std::numeric_limits<float>::quiet_NaN();
    for (const auto type : kByteTypes) {
        StoredTensor y(type, rows * pitch);
        ASSERT_EQ(toBytes({}, x.data(), rows, length, y.data(), pitch, type, 2), kOk);
        ASSERT_TRUE(y.ends());
        for (std::int64_t i = 0; i < rows * pitch; ++i) {
            const auto row = i / pitch, at = i % pitch;
            const float from = at < length ? x[static_cast<std::size_t>(row * length + at)] : 0.0F;
            ASSERT_EQ(y.at(i), std::isnan(from) ? 0.0F : onGrid(type, from, 2)) << i;
        }
        EXPECT_EQ(y.at(0), 0) << "ties go to even";
        EXPECT_EQ(y.at(1), 2);
    }
    std::vector<std::uint8_t> y(64);
    EXPECT_EQ(toBytes({}, x.data(), 1, 5, y.data(), 5, StoredAs::Signed, 1), kInvalidValue);
    EXPECT_EQ(toBytes({}, x.data(), 1, 5, y.data(), 8, StoredAs::Float, 1), kInvalidValue);
}

TEST(ByteValues, AreAddedInEveryType) {
    for (const auto type : kStoredTypes)
        for (const std::int64_t n : {1, 4, 30, 66})
            for (const bool scaled : {false, true}) {
                StoredTensor terms[] = {StoredTensor::random(StoredAs::Signed, n, 1),
                                        StoredTensor::random(StoredAs::Float, n, 2),
                                        StoredTensor::random(StoredAs::Unsigned, n, 3)};
                const std::int64_t channels = n % 6 == 0 ? 6 : 1;
                const auto scales = normals(channels, 4), offsets = normals(channels, 5);
                StoredTensor y(type, n);
                ByteTerms t;
                for (const auto& term : terms) {
                    t.types[t.count] = term.type();
                    t.factors[t.count] = 0.25F * static_cast<float>(t.count + 1);
                    ++t.count;
                }
                for (int k = 0; k < t.count; ++k) t.x[k] = terms[k].data();
                t.activation = Activation::Relu6;
                if (scaled) t.scales = scales.data(), t.offsets = offsets.data(), t.channels = channels;
                ASSERT_EQ(addBytes({}, t, y.data(), type, 10, n), kOk);
                ASSERT_TRUE(y.ends());
                Agreement agreement;
                for (std::int64_t i = 0; i < n; ++i) {
                    const auto c = static_cast<std::size_t>(i % channels);
                    float sum = t.factors[0] * terms[0].at(i);
                    if (scaled) sum = sum * scales[c] + offsets[c];
                    for (int k = 1; k < t.count; ++k) sum += t.factors[k] * terms[k].at(i);
                    agreement.compare(type, y.at(i), onGrid(type, activatedBy(t.activation, sum), 10),
                                      std::to_string(i));
                }
            }
    ByteTerms none;
    EXPECT_EQ(addBytes({}, none, nullptr, StoredAs::Float, 1, 0), kInvalidValue);
}

TEST(ByteValues, AreSummedOverPixels) {
    for (const auto type : kByteTypes)
        for (const std::int64_t channels : {1, 3, 8, 33})
            for (const std::int64_t pixels : {1, 9, 49}) {
                auto x = StoredTensor::random(type, 2 * pixels * channels, 7);
                std::vector<float> y(static_cast<std::size_t>(2 * channels));
                ASSERT_EQ(sumOfPixels({}, type, x.data(), y.data(), 2, pixels, channels, 0.125F), kOk);
                for (std::int64_t b = 0; b < 2; ++b)
                    for (std::int64_t c = 0; c < channels; ++c) {
                        float sum = 0;
                        for (std::int64_t p = 0; p < pixels; ++p) sum += x.at((b * pixels + p) * channels + c);
                        ASSERT_EQ(y[static_cast<std::size_t>(b * channels + c)], sum * 0.125F) << channels;
                    }
            }
}

TEST(ByteFactors, FoldTheNormalisation) {
    const std::int64_t units = 7;
    const auto steps = normals(units, 1), bias = normals(units, 2), scale = normals(units, 3),
               offset = normals(units, 4), mean = normals(units, 5);
    const std::vector<float> variance(static_cast<std::size_t>(units), 0.25F);
    for (const bool normalised : {false, true})
        for (const bool biased : {false, true}) {
            std::vector<float> factors(static_cast<std::size_t>(units)), offsets(factors.size());
            BatchNormParameters norm;
            if (normalised) norm = {scale.data(), offset.data(), 0.11F};
            ASSERT_EQ(byteFactors({}, steps.data(), 0.5F, biased ? bias.data() : nullptr, norm, mean.data(),
                                  variance.data(), factors.data(), offsets.data(), units),
                      kOk);
            for (std::size_t u = 0; u < factors.size(); ++u) {
                const float added = biased ? bias[u] : 0, s = normalised ? scale[u] / std::sqrt(0.36F) : 1;
                EXPECT_FLOAT_EQ(factors[u], steps[u] * 0.5F * s);
                EXPECT_NEAR(offsets[u], normalised ? offset[u] + (added - mean[u]) * s : added, 1e-5);
            }
        }
}

TEST(BytePools, KeepTheGrid) {
    for (const auto type : kByteTypes)
        for (const std::int64_t channels : {3, 16, 32})
            for (const bool countPadding : {false, true}) {
                PoolWindow w;
                w.in = {2, channels, 7, 6, true};
                w.out = {2, channels, 4, 3, true};
                w.kernelHeight = 3, w.kernelWidth = 2, w.strideHeight = 2, w.strideWidth = 2;
                w.paddingTop = 1;
                w.countPadding = countPadding;
                auto x = StoredTensor::random(type, w.in.elements(), 8);
                for (const bool largest : {false, true}) {
                    StoredTensor y(type, w.out.elements());
                    ASSERT_EQ(poolBytes({}, type, largest, w, x.data(), y.data()), kOk);
                    ASSERT_TRUE(y.ends());
                    for (std::int64_t i = 0; i < w.out.elements(); ++i) {
                        const auto c = i % channels, column = i / channels % 3, row = i / channels / 3 % 4,
                                   image = i / channels / 12;
                        double sum = 0, most = -1e9;
                        int count = 0;
                        for (std::int64_t r = row * 2 - 1; r < row * 2 + 2; ++r)
                            for (std::int64_t s = column * 2; s < column * 2 + 2; ++s) {
                                if (r < 0 || r >= 7) continue;
                                const double value = x.at(((image * 7 + r) * 6 + s) * channels + c);
                                sum += value;
                                most = std::max(most, value);
                                ++count;
                            }
                        ASSERT_EQ(y.at(i), largest ? most : std::nearbyint(sum / (countPadding ? 6 : count))) << i;
                    }
                }
            }
}

TEST(ByteRows, AreMovedAndTransposed) {
    for (const std::int64_t length : {3, 16, 32}) {
        auto x = StoredTensor::random(StoredAs::Unsigned, 5 * length, 1);
        StoredTensor y(StoredAs::Unsigned, 5 * 2 * length), z(StoredAs::Unsigned, 5 * length);
        ASSERT_EQ(copyRowsOfBytes({}, x.data(), length, y.data(), 2 * length, 5, length), kOk);
        ASSERT_EQ(transposeBytes({}, x.data(), z.data(), 1, 5, length), kOk);
        for (std::int64_t r = 0; r < 5; ++r)
            for (std::int64_t i = 0; i < length; ++i) {
                ASSERT_EQ(y.at(r * 2 * length + i), x.at(r * length + i));
                ASSERT_EQ(z.at(i * 5 + r), x.at(r * length + i));
            }
    }
}

}  // namespace
}  // namespace steelyard::compute::cuda::kernels
