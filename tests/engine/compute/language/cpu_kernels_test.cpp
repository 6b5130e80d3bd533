// SPDX-License-Identifier: Apache-2.0
// The kernels of language models in every supported instruction set: products with repacked weights compared with exact
// products of the dequantised blocks and 8-bit activations, and row operations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/language/weight_panels.h"
#include "engine/core/random.h"
#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute::cpu {
namespace {

using model::TensorType;

struct Set {
    const char* name;
    CpuIsa isa;
};
class LanguageKernelsTest : public testing::TestWithParam<Set> {
protected:
    void SetUp() override {
        if (!runsHere(GetParam().isa)) GTEST_SKIP() << "needs " << GetParam().name;
        auto table = std::make_unique<Kernels>(cpu::kernels());
        fillKernels(GetParam().isa, *table);
        m_kernels = table->language;
    }
    LanguageKernels m_kernels;
};

std::vector<float> drawn(std::size_t count, std::uint32_t stream, float deviation = 1) {
    std::vector<float> values(count);
    fillNormal(values, RandomStream(33, stream), deviation);
    return values;
}

// Rows of blocks: quantised if supported, else random bytes with finite scales.
std::vector<std::byte> blocksOf(TensorType type, std::int64_t rows, std::int64_t columns) {
    const auto& format = model::formatOf(type);
    const auto count = rows * columns / format.blockWeights;
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * format.blockBytes));
    if (model::canQuantise(type)) {
        model::quantise(type, drawn(static_cast<std::size_t>(rows * columns), 1, 0.1F), bytes.data());
        return bytes;
    }
    const RandomStream random(33, 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(random.below(static_cast<std::uint32_t>(i), 256));
    for (std::int64_t b = 0; b < count; ++b) {
        auto* block = bytes.data() + b * format.blockBytes;
        const auto scale = toHalf(0.01F * static_cast<float>(1 + b % 7));
        const auto minimum = toHalf(0.02F * static_cast<float>(b % 5));
        for (int half = 0; half < 2; ++half) {
            if (type == TensorType::Mxfp4) break;
            const auto bits = half == 0 ? scale : minimum;
            if (half == 1 && (type == TensorType::Q5_0 || type == TensorType::Q3K || type == TensorType::Iq4Nl ||
                              type == TensorType::Iq4Xs))
                break;
            auto* target = block + 2 * half;
            if (type == TensorType::Q2K) target += model::kScaleOfQ2K;
            if (type == TensorType::Q3K) target += model::kScaleOfQ3K;
            target[0] = static_cast<std::byte>(bits & 0xFF);
            target[1] = static_cast<std::byte>(bits >> 8);
        }
        if (type == TensorType::Mxfp4) block[0] = static_cast<std::byte>(120 + b % 5);
    }
    return bytes;
}

TEST_P(LanguageKernelsTest, ProductsEqualThoseOfTheBlocks) {
    constexpr std::int64_t kRows = 280, kMostColumns = 512,
                           kMostTokens = 17;  // two panels of each stride, and two more
    const auto x = drawn(static_cast<std::size_t>(kMostTokens * kMostColumns), 3);
    std::vector<std::int8_t> q(x.size());
    std::vector<float> steps(x.size() / 32), sums(x.size() / 32), halfSums(x.size() / 16);
    std::vector<std::int32_t> compensations(x.size() / 16);
    const QuantisedRows rows{q.data(), steps.data(), sums.data(), halfSums.data(), compensations.data()};
    m_kernels.quantise(rows, x.data(), static_cast<std::int64_t>(x.size()));
    for (const auto type :
         {TensorType::F32, TensorType::F16, TensorType::Bf16, TensorType::Q8_0, TensorType::Q4_0, TensorType::Q4_1,
          TensorType::Q5_0, TensorType::Q5_1, TensorType::Q2K, TensorType::Q3K, TensorType::Q4K, TensorType::Q5K,
          TensorType::Q6K, TensorType::Iq4Nl, TensorType::Iq4Xs, TensorType::Mxfp4})
        for (const std::int64_t columns : {kMostColumns, std::int64_t{288}}) {
            if (columns % model::formatOf(type).blockWeights != 0) continue;
            const auto blocks = blocksOf(type, kRows, columns);
            const model::StoredMatrix matrix{
                .type = type, .rows = kRows, .columns = columns, .count = 1, .data = blocks.data()};
            auto panels = panelsOf(matrix);
            std::vector<std::byte> repacked(static_cast<std::size_t>(panels.bytes()), std::byte{0xA5});
            panels.parts = {repacked.data()};
            writePanels(matrix, panels, 0, 0, 1);
            writePanels(matrix, panels, 0, 1, panels.panels);
            std::vector<float> weights(static_cast<std::size_t>(columns));
            for (const std::int64_t tokens : {1, 2, 3, 8, 15, 17}) {
                std::vector<float> y(static_cast<std::size_t>(tokens * panels.paddedRows()), -1);
                WeightProduct product{.format = panels.format,
                                      .panels = repacked.data(),
                                      .panelBytes = panels.panelBytes,
                                      .count = panels.panels,
                                      .columns = columns,
                                      .rows = rows,
                                      .x = x.data(),
                                      .stride = columns,
                                      .tokens = tokens,
                                      .y = y.data(),
                                      .leading = panels.paddedRows()};
                m_kernels.product(product);
                auto thrice = y;
                product.y = thrice.data();
                product.accumulates = true;
                for (const auto pattern : {ReadPattern::Sequential, ReadPattern::MultiStrided}) {
                    product.pattern = pattern;
                    m_kernels.product(product);
                }
                // The steps of one token in two pieces.
                for (const auto pattern : {ReadPattern::Sequential, ReadPattern::MultiStrided}) {
                    if (tokens > 1) break;
                    std::vector<float> whole(y.size(), -1), pieces(y.size(), -1);
                    product.pattern = pattern;
                    product.accumulates = false;
                    product.y = whole.data();
                    m_kernels.product(product);
                    product.y = pieces.data();
                    product.lastStep = productSteps(panels.panels) - 1;
                    m_kernels.product(product);
                    product.firstStep = product.lastStep++;
                    m_kernels.product(product);
                    product.firstStep = 0;
                    product.lastStep = -1;
                    ASSERT_EQ(pieces, whole) << model::formatOf(type).name;
                }
                for (std::int64_t r = 0; r < panels.paddedRows(); ++r) {
                    if (r < kRows) model::dequantise(type, matrix.row(r), weights);
                    for (std::int64_t t = 0; t < tokens; ++t) {
                        double sum = 0, size = 0;
                        for (std::int64_t c = 0; r < kRows && c < columns; ++c) {
                            const auto at = static_cast<std::size_t>(t * columns + c);
                            const auto value = panels.takesBytes()
                                                   ? static_cast<double>(q[at]) * static_cast<double>(steps[at / 32])
                                                   : static_cast<double>(x[at]);
                            const auto part = value * static_cast<double>(weights[static_cast<std::size_t>(c)]);
                            sum += part;
                            size += std::abs(part);
                        }
                        const bool rounded = GetParam().isa == CpuIsa::avx512_bf16 && type == TensorType::Bf16;
                        const auto place = static_cast<std::size_t>(t * panels.paddedRows() + r);
                        ASSERT_NEAR(y[place], sum, (rounded ? 0x1p-9 : 2e-5) * size)
                            << model::formatOf(type).name << ", row " << r << ", token " << t << " of " << tokens;
                        ASSERT_NEAR(thrice[place], 3 * y[place], 1e-5 * size)
                            << model::formatOf(type).name << ", row " << r << ", token " << t << " of " << tokens;
                    }
                }
            }
        }
}

TEST_P(LanguageKernelsTest, ProductsOfAnyNumberOfRowsAndColumns) {
    for (const auto type : {TensorType::F32, TensorType::F16, TensorType::Bf16})
        for (const auto& [rows, columns] :
             {std::pair<std::int64_t, std::int64_t>{16, 1}, {64, 7}, {448, 530}, {112, 2100}})
            for (const std::int64_t tokens : {1, 2, 4, 7, 8, 25}) {
                const auto blocks = blocksOf(type, rows, columns);
                const model::StoredMatrix matrix{
                    .type = type, .rows = rows, .columns = columns, .count = 1, .data = blocks.data()};
                auto panels = panelsOf(matrix);
                std::vector<std::byte> repacked(static_cast<std::size_t>(panels.bytes()));
                panels.parts = {repacked.data()};
                writePanels(matrix, panels, 0, 0, rows / 16);
                // The gap between rows must not be read.
                std::vector<float> x(static_cast<std::size_t>(tokens * (columns + 3)), NAN);
                const auto values = drawn(static_cast<std::size_t>(tokens * columns), 8);
                for (std::int64_t t = 0; t < tokens; ++t)
                    std::copy_n(values.data() + t * columns, columns, x.data() + t * (columns + 3));
                std::vector<float> y(static_cast<std::size_t>(rows * tokens)),
                    weights(static_cast<std::size_t>(columns));
                m_kernels.product({.format = panels.format,
                                   .panels = repacked.data(),
                                   .panelBytes = panels.panelBytes,
                                   .count = rows / 16,
                                   .columns = columns,
                                   .rows = {},
                                   .x = x.data(),
                                   .stride = columns + 3,
                                   .tokens = tokens,
                                   .y = y.data(),
                                   .leading = rows});
                for (std::int64_t r = 0; r < rows; ++r) {
                    model::dequantise(type, matrix.row(r), weights);
                    for (std::int64_t t = 0; t < tokens; ++t) {
                        double sum = 0, size = 0;
                        for (std::int64_t c = 0; c < columns; ++c) {
                            const auto product = static_cast<double>(weights[static_cast<std::size_t>(c)]) *
                                                 static_cast<double>(values[static_cast<std::size_t>(t * columns + c)]);
                            sum += product;
                            size += std::abs(product);
                        }
                        ASSERT_NEAR(y[static_cast<std::size_t>(t * rows + r)], sum,
                                    (type == TensorType::Bf16 ? 0x1p-8 : 2e-5) * size)
                            << rows << " rows, " << columns << " columns, " << tokens << " tokens";
                    }
                }
            }
}

// Rows of values, weighted by scores; what is prefetched next may be anywhere.
TEST_P(LanguageKernelsTest, WeightedSumsOfAnyNumberOfRows) {
    struct Format {
        RowFormat format;
        TensorType type;
    };
    std::vector<std::byte> next(16384);
    for (const auto& [format, type] : {Format{RowFormat::Float, TensorType::F32},
                                       {RowFormat::Half, TensorType::F16},
                                       {RowFormat::Blocks, TensorType::Q8_0}})
        for (const std::int64_t elements : {16, 32, 80, 96, 128, 256})
            for (const std::int64_t rows : {1, 16, 45, 129, 300})
                for (const std::int64_t tokens : {1, 2, 3, 8, 15}) {
                    if (elements % model::formatOf(type).blockWeights != 0) continue;
                    const auto stored = blocksOf(type, rows, elements);
                    const model::StoredMatrix matrix{
                        .type = type, .rows = rows, .columns = elements, .count = 1, .data = stored.data()};
                    // The gaps between the scores of tokens must not be read, nor those between results written.
                    std::vector<float> x(static_cast<std::size_t>(tokens * (rows + 3)), NAN),
                        y(static_cast<std::size_t>(tokens * (elements + 5)), -7);
                    const auto scores = drawn(static_cast<std::size_t>(tokens * rows), 9);
                    for (std::int64_t t = 0; t < tokens; ++t)
                        std::copy_n(scores.data() + t * rows, rows, x.data() + t * (rows + 3));
                    WeightedSum sum{.format = format,
                                    .rows = stored.data(),
                                    .count = rows,
                                    .elements = elements,
                                    .next = tokens % 2 == 0 ? next.data() : nullptr,
                                    .x = x.data(),
                                    .stride = rows + 3,
                                    .tokens = tokens,
                                    .y = y.data(),
                                    .leading = elements + 5};
                    m_kernels.weightedSum(sum);
                    auto twice = y;
                    sum.y = twice.data();
                    sum.accumulates = true;
                    sum.pattern = ReadPattern::Sequential;
                    m_kernels.weightedSum(sum);
                    std::vector<double> sums(y.size()), sizes(y.size());
                    std::vector<float> row(static_cast<std::size_t>(elements));
                    for (std::int64_t r = 0; r < rows; ++r) {
                        model::dequantise(type, matrix.row(r), row);
                        for (std::int64_t t = 0; t < tokens; ++t)
                            for (std::int64_t i = 0; i < elements; ++i) {
                                const auto part = static_cast<double>(row[static_cast<std::size_t>(i)]) *
                                                  static_cast<double>(scores[static_cast<std::size_t>(t * rows + r)]);
                                sums[static_cast<std::size_t>(t * (elements + 5) + i)] += part;
                                sizes[static_cast<std::size_t>(t * (elements + 5) + i)] += std::abs(part);
                            }
                    }
                    for (std::size_t i = 0; i < y.size(); ++i) {
                        const auto where = fmt::format("{}, {} elements, {} rows, {} tokens, at {}",
                                                       model::formatOf(type).name, elements, rows, tokens, i);
                        if (static_cast<std::int64_t>(i) % (elements + 5) >= elements) {
                            ASSERT_EQ(y[i], -7) << where;
                            ASSERT_EQ(twice[i], -7) << where;
                            continue;
                        }
                        ASSERT_NEAR(y[i], sums[i], 2e-6 * sizes[i]) << where;
                        ASSERT_NEAR(twice[i], 2 * sums[i], 4e-6 * sizes[i]) << where;
                    }
                }
}

TEST(PanelMatrix, TakesAsManyBytesAsTheBlocks) {
    const std::byte data{};  // is not read
    for (const auto type : {TensorType::F32, TensorType::F16, TensorType::Bf16, TensorType::Q8_0, TensorType::Q4_0,
                            TensorType::Q2K, TensorType::Q4K, TensorType::Q6K}) {
        const model::StoredMatrix matrix{.type = type, .rows = 32, .columns = 512, .count = 1, .data = &data};
        const auto& format = model::formatOf(type);
        EXPECT_EQ(panelsOf(matrix).bytes(), 32 * 512 / format.blockWeights * format.blockBytes) << format.name;
    }
}

// Parts hold the panels of the whole matrix, or of its columns, whatever their number.
TEST(PanelMatrix, IsDividedIntoParts) {
    constexpr std::int64_t kRows = 100, kColumns = 192, kCount = 2;
    const auto type = TensorType::Q4_0;
    const auto blocks = blocksOf(type, kCount * kRows, kColumns);
    const auto rowBytes = kColumns / model::formatOf(type).blockWeights * model::formatOf(type).blockBytes;
    const auto written = [&](const model::StoredMatrix& matrix, const PanelDivision& division,
                             std::vector<std::byte>& bytes) {
        auto panels = panelsOf(matrix, division);
        bytes.assign(static_cast<std::size_t>(panels.bytes()), std::byte{0xA5});
        auto* next = bytes.data();
        for (std::int64_t part = 0; part < division.parts; ++part) {
            panels.parts.push_back(next);
            next += panels.partBytes(part);
            writePanels(matrix, panels, part, 0, panels.partPanels(part) / 2);
            writePanels(matrix, panels, part, panels.partPanels(part) / 2, panels.partPanels(part));
        }
        EXPECT_EQ(next, bytes.data() + bytes.size());
        return panels;
    };
    const auto expectEqual = [](const PanelMatrix::Stored& found, const std::byte* expected, std::int64_t bytes,
                                const std::string& where) {
        EXPECT_GE(found.count, 1) << where;
        EXPECT_TRUE(std::equal(expected, expected + bytes, found.data)) << where;
    };
    std::vector<std::byte> whole, divided;
    const model::StoredMatrix both{
        .type = type, .rows = kRows, .columns = kColumns, .count = kCount, .data = blocks.data()};
    const auto expected = written(both, {}, whole);
    for (const std::int64_t parts : {2, 3, 4, 9})
        for (const std::int64_t unit : {1, 2}) {
            const auto panels = written(both, {parts, unit}, divided);
            std::int64_t count = 0;
            for (std::int64_t part = 0; part < parts; ++part) count += panels.partPanels(part);
            EXPECT_EQ(count, kCount * panels.panels);
            for (std::int64_t matrix = 0; matrix < kCount; ++matrix)
                for (std::int64_t panel = 0; panel < panels.panels; ++panel) {
                    const auto where = fmt::format("{} parts of {}, matrix {}, panel {}", parts, unit, matrix, panel);
                    const auto found = panels.from(matrix, panel);
                    expectEqual(found, expected.from(matrix, panel).data, panels.panelBytes, where);
                    EXPECT_LE(found.count, panels.panels - panel) << where;
                    // The rest of the part follows.
                    expectEqual({found.data + (found.count - 1) * panels.panelBytes, 1},
                                expected.from(matrix, panel + found.count - 1).data, panels.panelBytes, where);
                }
        }
    // By columns: each part is what the matrix of these columns would be.
    auto one = both;
    one.count = 1;
    for (const std::int64_t parts : {2, 3, 6}) {
        ASSERT_TRUE(dividesInto(one, parts));
        const auto panels = written(one, {parts, 1, true}, divided);
        for (std::int64_t part = 0; part < parts; ++part) {
            std::vector<std::byte> rows, alone;
            for (std::int64_t row = 0; row < kRows; ++row) {
                const auto* from = blocks.data() + row * rowBytes + part * rowBytes / parts;
                rows.insert(rows.end(), from, from + rowBytes / parts);
            }
            const auto single = written(
                {.type = type, .rows = kRows, .columns = kColumns / parts, .count = 1, .data = rows.data()}, {}, alone);
            for (std::int64_t panel = 0; panel < panels.panels; ++panel)
                expectEqual(panels.from(part, panel), single.from(0, panel).data, panels.panelBytes,
                            fmt::format("{} parts of columns, part {}, panel {}", parts, part, panel));
        }
    }
    EXPECT_FALSE(dividesInto(one, 4));
    EXPECT_FALSE(dividesInto(both, 2));
}

TEST_P(LanguageKernelsTest, ActivationsKeepTheirSums) {
    constexpr std::size_t kBlocks = 19;
    auto x = drawn(32 * kBlocks, 4);
    std::fill(x.begin() + 32, x.begin() + 64, 0.0F);
    std::vector<std::int8_t> q(x.size());
    std::vector<float> steps(kBlocks), sums(kBlocks), halfSums(2 * kBlocks);
    std::vector<std::int32_t> compensations(2 * kBlocks);
    m_kernels.quantise({q.data(), steps.data(), sums.data(), halfSums.data(), compensations.data()}, x.data(),
                       static_cast<std::int64_t>(x.size()));
    for (std::size_t b = 0; b < kBlocks; ++b) {
        float largest = 0;
        for (std::size_t i = 32 * b; i < 32 * b + 32; ++i) largest = std::max(largest, std::abs(x[i]));
        EXPECT_EQ(steps[b], largest / 127);
        float sum = 0;
        for (std::size_t half = 2 * b; half < 2 * b + 2; ++half) {
            float halfSum = 0;
            int pairs[2] = {0, 0};
            for (std::size_t i = 16 * half; i < 16 * half + 16; ++i) {
                EXPECT_NEAR(static_cast<float>(q[i]) * steps[b], x[i], 0.5001F * steps[b]);
                halfSum += static_cast<float>(q[i]) * steps[b];
                pairs[i / 2 % 2] += q[i];
            }
            EXPECT_NEAR(halfSums[half], halfSum, 1e-5);
            std::int16_t compensation[2];
            std::memcpy(compensation, &compensations[half], sizeof(compensation));
            EXPECT_EQ(compensation[0], -32 * pairs[0]);
            EXPECT_EQ(compensation[1], -32 * pairs[1]);
            sum += halfSum;
        }
        EXPECT_NEAR(sums[b], sum, 1e-5);
    }
    EXPECT_EQ(steps[1], 0);
}

TEST_P(LanguageKernelsTest, RowsFollowTheirFormulas) {
    constexpr std::size_t kCount = 77;
    const auto x = drawn(kCount, 5, 4), up = drawn(kCount, 6, 6), scale = drawn(kCount, 7);
    const auto n = static_cast<std::int64_t>(kCount);
    std::vector<float> y(kCount);
    m_kernels.rmsNorm(y.data(), x.data(), scale.data(), 1e-5F, n);
    double squares = 0;
    for (const auto value : x) squares += static_cast<double>(value) * static_cast<double>(value);
    const double factor = 1 / std::sqrt(squares / static_cast<double>(kCount) + 1e-5);
    const auto expect = [&](auto&& formula) {
        for (std::size_t i = 0; i < kCount; ++i) {
            const double value = formula(static_cast<double>(x[i]), static_cast<double>(up[i]), i);
            EXPECT_NEAR(y[i], value, 2e-6 * (1 + std::abs(value))) << i;
        }
    };
    expect([&](double a, double, std::size_t i) { return a * factor * static_cast<double>(scale[i]); });
    y = x;
    m_kernels.gateSilu(y.data(), up.data(), n);
    expect([](double a, double b, std::size_t) { return a / (1 + std::exp(-a)) * b; });
    y = x;
    m_kernels.gateGelu(y.data(), up.data(), n);
    expect([](double a, double b, std::size_t) {
        return 0.5 * a * (1 + std::tanh(0.7978845608 * (a + 0.044715 * a * a * a))) * b;
    });
    y = x;
    m_kernels.gateClamped(y.data(), up.data(), n);
    expect([](double a, double b, std::size_t) {
        const double g = std::min(a, 7.0), u = std::clamp(b, -7.0, 7.0);
        return g / (1 + std::exp(-1.702 * g)) * (u + 1);
    });
    y = x;
    m_kernels.softCap(y.data(), 3, n);
    expect([](double a, double, std::size_t) { return 3 * std::tanh(a / 3); });
    m_kernels.scale(y.data(), x.data(), -0.3F, n);
    expect([](double a, double, std::size_t) { return -0.3F * a; });
    y = x;
    float maximum = 0;
    const float sum = m_kernels.exponentials(y.data(), &maximum, n);
    EXPECT_EQ(maximum, *std::ranges::max_element(x));
    double all = 0;
    for (const auto value : x) all += std::exp(static_cast<double>(value - maximum));
    EXPECT_NEAR(sum, all, 1e-5);
    expect([&](double a, double, std::size_t) { return std::exp(a - static_cast<double>(maximum)); });
    std::vector<std::uint16_t> halves(kCount);
    auto numbers = x;
    numbers[0] = 65520;
    numbers[1] = -0x1.8p-24F;
    numbers[2] = 1 + 0x1.8p-10F;
    m_kernels.toHalf(halves.data(), numbers.data(), n);
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(halves[i], toHalf(numbers[i])) << numbers[i];
}

TEST_P(LanguageKernelsTest, PairsAreRotatedByTheirAngles) {
    constexpr std::size_t kPairs = 37;
    const auto x = drawn(2 * kPairs, 8, 4), angles = drawn(kPairs, 9, 3);
    std::vector<float> cosines, sines;
    for (const auto angle : angles) {
        cosines.push_back(std::cos(angle));
        sines.push_back(std::sin(angle));
    }
    for (const bool neighbours : {false, true}) {
        auto y = x;
        y.push_back(9);
        m_kernels.rotate(y.data(), cosines.data(), sines.data(), kPairs, neighbours);
        for (std::size_t i = 0; i < kPairs; ++i) {
            const auto first = neighbours ? 2 * i : i, second = neighbours ? 2 * i + 1 : kPairs + i;
            EXPECT_NEAR(y[first], x[first] * cosines[i] - x[second] * sines[i], 2e-6) << i;
            EXPECT_NEAR(y[second], x[first] * sines[i] + x[second] * cosines[i], 2e-6) << i;
        }
        EXPECT_EQ(y.back(), 9);
    }
}

// Weights and activations in bfloat16, for numbers of tokens, rows and columns that fill tiles and that do not.
TEST(LanguageTiles, ProductsEqualThoseOfRoundedWeights) {
    if (!runsHere(CpuIsa::amx)) GTEST_SKIP() << "needs AMX";
    auto table = std::make_unique<Kernels>(cpu::kernels());
    fillKernels(CpuIsa::amx, *table);
    const auto& kernels = table->language;
    ASSERT_NE(kernels.tiledProduct, nullptr);
    constexpr std::int64_t kMostTokens = 300, kMostColumns = 4608;
    const auto values = drawn(static_cast<std::size_t>(kMostTokens * kMostColumns), 9);
    const auto rounded = [](float value) { return static_cast<double>(model::fromBfloat16(model::toBfloat16(value))); };
    // Weights are rounded to nearest, ties away from zero.
    const auto roundedAway = [](float value) {
        return static_cast<double>(std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000U) & 0xFFFF0000U));
    };
    int products = 0;
    for (const auto type : {TensorType::Bf16, TensorType::Q8_0, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0,
                            TensorType::Q5_1, TensorType::Q2K, TensorType::Q3K, TensorType::Q4K, TensorType::Q5K,
                            TensorType::Q6K, TensorType::Iq4Nl, TensorType::Iq4Xs, TensorType::Mxfp4})
        for (const auto& [rows, columns] :
             {std::pair<std::int64_t, std::int64_t>{40, 1280}, {64, 256}, {16, 512}, {80, 544}, {32, 4608}}) {
            if (columns % model::formatOf(type).blockWeights != 0) continue;
            const auto blocks = blocksOf(type, rows, columns);
            const model::StoredMatrix matrix{
                .type = type, .rows = rows, .columns = columns, .count = 1, .data = blocks.data()};
            auto panels = panelsOf(matrix);
            std::vector<std::byte> repacked(static_cast<std::size_t>(panels.bytes()));
            panels.parts = {repacked.data()};
            writePanels(matrix, panels, 0, 0, panels.panels);
            for (const std::int64_t tokens : {4, 32, 45, 70, 300}) {
                if (!kernels.usesTiles(panels.format, tokens)) continue;
                // Rows of absent tokens must not be read.
                std::vector<std::byte> x(static_cast<std::size_t>((tokens + 31) / 16 * 16 * columns * 2),
                                         std::byte{0x7F});
                for (std::int64_t t = 0; t < tokens; ++t)
                    kernels.toTiles(x.data(), columns, t, values.data() + t * columns, 0, columns);
                const auto leading = panels.paddedRows() + 5;
                std::vector<float> y(static_cast<std::size_t>(tokens * leading), -1),
                    weights(static_cast<std::size_t>(columns));
                WeightProduct product{.format = panels.format,
                                      .panels = repacked.data(),
                                      .panelBytes = panels.panelBytes,
                                      .count = panels.panels,
                                      .columns = columns,
                                      .tiles = x.data(),
                                      .tokens = tokens,
                                      .y = y.data(),
                                      .leading = leading};
                kernels.tiledProduct(product);
                auto twice = y;
                product.y = twice.data();
                product.accumulates = true;
                kernels.tiledProduct(product);
                ++products;
                for (std::int64_t r = 0; r < leading; ++r) {
                    if (r < rows) model::dequantise(type, matrix.row(r), weights);
                    for (std::int64_t t = 0; t < tokens; ++t) {
                        const auto found = y[static_cast<std::size_t>(t * leading + r)];
                        if (r >= panels.paddedRows()) {
                            ASSERT_EQ(found, -1);
                            continue;
                        }
                        double sum = 0, size = 0;
                        for (std::int64_t c = 0; r < rows && c < columns; ++c) {
                            const auto value = values[static_cast<std::size_t>(t * columns + c)];
                            const auto part = roundedAway(weights[static_cast<std::size_t>(c)]) * rounded(value);
                            sum += part;
                            size += std::abs(part);
                        }
                        ASSERT_NEAR(found, sum, 1e-4 * size)
                            << model::formatOf(type).name << ", row " << r << " of " << rows << ", " << columns
                            << " columns, token " << t << " of " << tokens;
                        ASSERT_NEAR(twice[static_cast<std::size_t>(t * leading + r)], 2 * found, 1e-5 * size)
                            << model::formatOf(type).name << ", row " << r << " of " << rows << ", " << columns
                            << " columns, token " << t << " of " << tokens;
                    }
                }
            }
        }
    EXPECT_GT(products, 100);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, LanguageKernelsTest,
                         testing::Values(Set{"baseline", CpuIsa::baseline}, Set{"AVX2", CpuIsa::avx2},
                                         Set{"AVX-VNNI", CpuIsa::avx2_vnni}, Set{"AVX-512 VNNI", CpuIsa::avx512_vnni},
                                         Set{"AVX-512 BF16", CpuIsa::avx512_bf16}),
                         [](const auto& instance) {
                             std::string name = instance.param.name;
                             std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
                             return name;
                         });

}  // namespace
}  // namespace steelyard::compute::cpu
