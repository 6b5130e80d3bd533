// SPDX-License-Identifier: Apache-2.0
// The packed GEMM, in bfloat16 and float, compared with sums in double precision, for shapes with remainders of rows,
// columns, panels and depth.
#include "engine/compute/cpu/gemm/packed_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/threads.h"
#include "tests/engine/compute/chosen_kernels.h"
#include "tests/engine/compute/random_values.h"
#include "tests/support/backend_suite.h"

namespace steelyard::compute::cpu {
namespace {

struct ProductShape {
    std::int64_t m = 0, n = 0, k = 0;
    DataKind kind = DataKind::bf16;
};
void PrintTo(const ProductShape& shape, std::ostream* out) {
    *out << shape.m << "x" << shape.n << "x" << shape.k << (shape.kind == DataKind::f32 ? " floats" : " bfloat16");
}

float widened(BFloat16 value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

BFloat16 toBf16(float value) {  // one that bfloat16 holds
    return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16)};
}

// A matrix in a kernel's data type.
class Stored {
public:
    Stored(const std::vector<float>& values, DataKind kind) : m_kind(kind), m_f32(values) {
        for (const float value : values) m_bf16.push_back(toBf16(value));
    }
    void* data() {
        return m_kind == DataKind::f32 ? static_cast<void*>(m_f32.data()) : static_cast<void*>(m_bf16.data());
    }

private:
    DataKind m_kind;
    std::vector<float> m_f32;
    std::vector<BFloat16> m_bf16;
};

double activated(ActivationKind kind, double x) {
    const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
    switch (kind) {
        case ActivationKind::Relu:
            return std::max(x, 0.0);
        case ActivationKind::Relu6:
            return std::clamp(x, 0.0, 6.0);
        case ActivationKind::Sigmoid:
            return sigmoid(x);
        case ActivationKind::Tanh:
            return std::tanh(x);
        case ActivationKind::Gelu:
            return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
        case ActivationKind::GeluTanh:
            return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
        case ActivationKind::Swish:
            return x * sigmoid(x);
    }
    return NAN;
}

class PackedGemmTest : public ::testing::TestWithParam<ProductShape> {
protected:
    void SetUp() override {
        const auto& shape = GetParam();
        m_gemm.product = {shape.m, shape.n, shape.k, false, false, shape.kind, DataKind::f32};
        if (!m_gemm.runsHere()) GTEST_SKIP() << (shape.kind == DataKind::f32 ? "needs AVX2" : "needs AVX-512 BF16");
        const auto& p = m_gemm.product;
        m_a = randomValues(p.m * p.k, 1);
        m_b = randomValues(p.k * p.n, 2);
    }

    // The elements of C, and the sum of magnitudes of each.
    void expectRight(const float* bias) {
        const auto& p = m_gemm.product;
        const ThreadScope scope(m_gemm.threads);
        const auto count = static_cast<std::size_t>(p.m * p.n);
        const auto before = m_gemm.adds ? randomValues(p.m * p.n, 3) : std::vector<float>(count, NAN);
        auto f32 = before;
        std::vector<BFloat16> bf16;
        for (const float value : before) bf16.push_back(toBf16(value));
        constexpr std::size_t kLine = 64;
        std::vector<std::byte> memory(static_cast<std::size_t>(m_gemm.scratchBytes()) + kLine);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        auto* scratch = memory.data() + (kLine - address % kLine) % kLine;
        const bool isF32 = p.result == DataKind::f32;
        Stored a(m_a, p.kind), b(m_b, p.kind);
        auto packed = packedB(b);
        m_gemm.run(a.data(), m_gemm.packed ? packed.data() : b.data(), bias,
                   isF32 ? static_cast<void*>(f32.data()) : bf16.data(), scratch);
        for (std::int64_t i = 0; i < p.m; ++i) {
            for (std::int64_t j = 0; j < p.n; ++j) {
                double sum = bias == nullptr ? 0 : bias[j], magnitude = std::abs(sum);
                for (std::int64_t l = 0; l < p.k; ++l) {
                    const auto at = [](const auto& x, std::int64_t index) {
                        return static_cast<double>(x[static_cast<std::size_t>(index)]);
                    };
                    const double term = at(m_a, p.transposeA ? l * p.m + i : i * p.k + l) *
                                        at(m_b, p.transposeB ? j * p.k + l : l * p.n + j);
                    sum += term;
                    magnitude += std::abs(term);
                }
                const auto index = static_cast<std::size_t>(i * p.n + j);
                if (m_gemm.adds) {
                    sum += before[index];
                    magnitude += std::abs(before[index]);
                }
                if (m_gemm.activation) sum = activated(*m_gemm.activation, sum);
                const double got = isF32 ? f32[index] : widened(bf16[index]);
                const double rounding = isF32 ? 0 : std::abs(sum) / 256;
                ASSERT_NEAR(got, sum, 1e-6 * magnitude + rounding) << i << ", " << j;
            }
        }
    }

    // B, transposed, in the library's layout.
    std::vector<std::byte> packedB(Stored& b) {
        if (!m_gemm.packed) return {};
        const auto& p = m_gemm.product;
        const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
        const auto desc = m_gemm.packedDesc();
        std::vector<std::byte> packed(desc.get_size());
        dnnl::memory from(plainDesc(Dims{p.n, p.k}, p.kind), engine, b.data());
        dnnl::memory to(desc, engine, packed.data());
        dnnl::stream stream(engine);
        dnnl::reorder(from, to).execute(stream, from, to);
        stream.wait();
        return packed;
    }

    PackedGemm m_gemm;
    std::vector<float> m_a, m_b;
};

TEST_P(PackedGemmTest, SumsInEveryOrientation) {
    for (const bool transposeA : {false, true}) {
        for (const bool transposeB : {false, true}) {
            SCOPED_TRACE(testing::Message() << "transposed " << transposeA << transposeB);
            m_gemm.product.transposeA = transposeA;
            m_gemm.product.transposeB = transposeB;
            expectRight(nullptr);
        }
    }
}

TEST_P(PackedGemmTest, AddsABiasAndActivatesBeforeItRounds) {
    std::vector<float> bias(static_cast<std::size_t>(m_gemm.product.n));
    for (std::size_t j = 0; j < bias.size(); ++j) bias[j] = static_cast<float>(j % 7) - 3.25F;
    for (const auto result : {DataKind::f32, GetParam().kind}) {
        m_gemm.product.result = result;
        m_gemm.activation.reset();
        expectRight(bias.data());
        for (const auto activation : model::activationKinds()) {
            SCOPED_TRACE(testing::Message() << "activation " << static_cast<int>(activation));
            m_gemm.activation = activation;
            expectRight(bias.data());
            expectRight(nullptr);
        }
    }
}

TEST_P(PackedGemmTest, AddsToWhatIsThereBeforeItActivates) {
    const std::vector<float> bias(static_cast<std::size_t>(m_gemm.product.n), -0.75F);
    m_gemm.adds = true;
    for (const auto result : {DataKind::f32, GetParam().kind}) {
        m_gemm.product.result = result;
        m_gemm.activation.reset();
        expectRight(nullptr);
        m_gemm.activation = ActivationKind::Relu;
        expectRight(nullptr);
        expectRight(bias.data());
    }
}

TEST_P(PackedGemmTest, ReadsWeightsAsTheLibraryPacksThem) {
    m_gemm.product.transposeB = true;
    m_gemm.packed = true;
    for (const int threads : {1, 3}) {
        m_gemm.threads = threads;
        expectRight(nullptr);
    }
    EXPECT_EQ(
        m_gemm.scratchBytes(),
        (PackedGemm{{GetParam().m, 1, 2, false, true, GetParam().kind, DataKind::f32}, 3, 64, true}).scratchBytes());
}

TEST_P(PackedGemmTest, DividesTheWorkAmongThreads) {
    for (const int threads : {2, 5}) {
        for (const std::int64_t columns : {64, 256}) {
            m_gemm.threads = threads;
            m_gemm.columns = columns;
            m_gemm.product.transposeA = columns == 64;
            expectRight(nullptr);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedGemmTest,
                         ::testing::Values(ProductShape{1, 1, 2}, ProductShape{6, 64, 512}, ProductShape{7, 65, 514},
                                           ProductShape{97, 130, 1030}, ProductShape{200, 300, 34},
                                           ProductShape{192, 257, 64}, ProductShape{13, 16, 30}));
INSTANTIATE_TEST_SUITE_P(FloatShapes, PackedGemmTest,
                         ::testing::Values(ProductShape{1, 1, 1, DataKind::f32},
                                           ProductShape{7, 65, 513, DataKind::f32},
                                           ProductShape{97, 130, 1031, DataKind::f32},
                                           ProductShape{200, 300, 17, DataKind::f32},
                                           ProductShape{192, 257, 64, DataKind::f32}));

// A gradient of weights sums over the samples, of which there may be any number, others in a step than in a trial.
TEST_P(PackedGemmTest, SumsAnOddDepthWhereItPacksBoth) {
    ++m_gemm.product.k;
    const auto& p = m_gemm.product;
    m_a = randomValues(p.m * p.k, 1);
    m_b = randomValues(p.k * p.n, 2);
    m_gemm.product.transposeA = true;
    ASSERT_TRUE(m_gemm.runsHere());
    for (const bool transposeB : {false, true}) {
        m_gemm.product.transposeB = transposeB;
        expectRight(nullptr);
    }
}

TEST(PackedGemm, IsNotForOtherTypesNorForAnOddNumberOfBfloat16AsItLies) {
    PackedGemm gemm{{4, 4, 3, false, false, DataKind::bf16, DataKind::f32}};
    EXPECT_FALSE(gemm.runsHere());
    gemm.product.k = 4;
    EXPECT_EQ(gemm.runsHere(), hasBfloat16Products());
    gemm.product.kind = DataKind::f16;
    EXPECT_FALSE(gemm.runsHere());
}

// Chooses the candidate with this id (DenseAlgorithm) wherever a key lists it; the number of keys.
int alwaysDense(KernelChoices& choices, char id) {
    int found = 0;
    for (auto& [key, choice] : choices) {
        const auto end = key.find(" packed");
        if (!key.starts_with("dense ") || end == std::string::npos) continue;
        const auto first = key.rfind(' ', end - 1) + 1, at = key.find(id, first);
        if (at >= end) continue;
        choice.index = static_cast<int>(at - first);
        choice.seconds = 0;
        ++found;
    }
    return found;
}
constexpr char kPackedGemm = '4', kPackedMatMul = '5';

// Weight layouts of a layer, and fused operations after the product, in a network.
void expectDenseLayers(char algorithm, plan::Precision precision, double tolerance) {
    model::GraphBuilder g("dense");
    auto x = g.input({5, 2440});  // wide: the scratch memory of a layer is that of the activations
    for (const auto kind :
         {model::ActivationKind::Gelu, model::ActivationKind::GeluTanh, model::ActivationKind::Sigmoid})
        x = g.activation(g.dense(x, 70), kind);
    g.head(g.dense(g.add(model::SelectStep{}, {x}), 66));
    const auto plan = plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 3, precision, {}});
    int chosen = 0;
    ChosenKernels backend([&](KernelChoices& choices) { chosen = alwaysDense(choices, algorithm); });
    const auto comparison = steelyard::test::compareWithReference(backend, plan.value(), {.threads = 2});
    ASSERT_NE(comparison.largest(), nullptr);
    EXPECT_LT(comparison.largest()->relative, tolerance);
    EXPECT_GT(chosen, 1);  // of four; if scratch memory is scarce, others are chosen
    EXPECT_EQ(backend.tasks("native:packed_gemm") > 1, algorithm == kPackedGemm);
}

TEST(PackedGemm, InfersDenseLayersAsTheReferenceDoes) {
    if (kernels().f32Gemm.multiply == nullptr) GTEST_SKIP() << "needs AVX2";
    expectDenseLayers(kPackedGemm, plan::Precision::Fp32, 1e-5);
}

TEST(PackedGemm, InfersDenseLayersInBfloat16AsTheReferenceDoes) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    expectDenseLayers(kPackedGemm, plan::Precision::Bf16, 2e-2);
}

// The library's product with packed weights, another candidate.
TEST(PackedMatMul, InfersDenseLayersAsTheReferenceDoes) {
    expectDenseLayers(kPackedMatMul, plan::Precision::Fp32, 1e-5);
}

TEST(PackedMatMul, InfersDenseLayersInBfloat16AsTheReferenceDoes) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    expectDenseLayers(kPackedMatMul, plan::Precision::Bf16, 2e-2);
}

void alwaysGemmOfPointwise(KernelChoices& choices) {
    const std::string windows = " windows ";  // a trial against the choice before it, which follows in the key
    KernelChoices againstGemm;
    for (auto& [key, choice] : choices) {
        if (key.starts_with("conv ") && (key.ends_with(" product") || key.ends_with(" product, adds cold")))
            choice = {0, 0, true};
        if (const auto at = key.find(windows); at != std::string::npos) {
            auto other = key;
            other[at + windows.size()] = '3';
            againstGemm[other] = {0, 0, true};
        }
    }
    for (const auto& [key, choice] : againstGemm) choices[key] = choice;
}

// Both gradients of 1x1 windows, with a bias; the middle one's channels are not a multiple of sixteen.
TEST(PackedGemm, TrainsPointwiseConvolutionsAsTheReferenceDoes) {
    if (!hasAmxTiles()) GTEST_SKIP() << "needs AMX: without it the library keeps the channels of an image in blocks";
    model::GraphBuilder g("pointwise");
    auto x = g.conv(g.input({16, 24, 24}), model::square(32, 3, 1, 1));
    for (const std::int64_t filters : {64, 40, 32}) x = g.relu(g.conv(x, model::square(filters, 1, 1, 0)));
    g.head(g.dense(g.flatten(x), 3));
    steelyard::test::BackendCheck check;
    check.precision = plan::Precision::Bf16;
    check.tolerance = 2e-2;
    check.batch = 4;
    check.compile.threads = 2;
    ChosenKernels backend(alwaysGemmOfPointwise);
    expectEqualsReference(backend, std::move(g).build().value(), check);
    EXPECT_GT(backend.tasks("native:packed_gemm"), 0);
}

// The last convolution of a residual block with its shortcut, in the library's channels-last layout.
TEST(PackedGemm, InfersOntoAShortcutAsTheReferenceDoes) {
    if (!hasBfloat16Products()) GTEST_SKIP() << "needs AVX-512 BF16";
    model::GraphBuilder g("shortcut");
    const auto x = g.relu(g.conv(g.input({64, 28, 28}), model::square(256, 1, 1, 0)));
    const auto inner = g.relu(g.conv(x, model::square(64, 1, 1, 0)));
    g.head(g.dense(g.flatten(g.relu(g.add(model::Add{}, {g.conv(inner, model::square(256, 1, 1, 0)), x}))), 3));
    const auto plan = plan::lower(std::move(g).build().value(), {plan::Mode::Infer, 4, plan::Precision::Bf16, {}});
    ChosenKernels backend(alwaysGemmOfPointwise);
    const auto comparison = steelyard::test::compareWithReference(backend, plan.value(), {.threads = 2});
    ASSERT_NE(comparison.largest(), nullptr);
    EXPECT_LT(comparison.largest()->relative, 2e-2);
    EXPECT_EQ(backend.tasks("native:packed_gemm"), 1);
}

}  // namespace
}  // namespace steelyard::compute::cpu
