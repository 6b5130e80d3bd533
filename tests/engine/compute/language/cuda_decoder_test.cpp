// SPDX-License-Identifier: Apache-2.0
// The decoder of the CUDA backend compared with the exact one, on a simulated GPU or a real one (gpu_under_test.h):
// every family and weight format, prompts by the matrix library and few tokens by row products.
#include <gtest/gtest.h>

#include "engine/compute/language/language_backend.h"
#include "engine/compute/language/reference_decoder.h"
#include "tests/engine/compute/cuda/gpu_under_test.h"
#include "tests/engine/compute/language/computed_models.h"

namespace steelyard::compute {
namespace {

using model::CacheType;

// Opened once: the context of a real device costs about a second.
LanguageBackend& gpu() {
    static const auto backend = cuda::test::gpuUnderTest();
    return *languageBackendOf(*backend);
}

std::unique_ptr<LanguageDecoder> onGpu(DecoderWeights weights, std::int64_t sequences = 1,
                                       CacheType cache = CacheType::F32) {
    return gpu()
        .makeDecoder(std::move(weights),
                     {.device = "cuda:0", .context = 128, .threads = 1, .sequences = sequences, .cache = cache})
        .value();
}

struct Model {
    const char* name;
    double error;  // with keys and values in float32; 8-bit activations, or weights in bf16 for prompts
};
void PrintTo(const Model& model, std::ostream* out) {
    *out << model.name;
}
class CudaDecoderTest : public testing::TestWithParam<Model> {};

// A prompt, then single tokens: the first runs, the second is captured, later ones are replayed.
TEST_P(CudaDecoderTest, AgreesWithTheReference) {
    const auto& [name, error] = GetParam();
    const auto expected = computedModel(name);
    const auto reference = makeReferenceDecoder(weightsOf(name), 128);
    const auto decoder = onGpu(weightsOf(name));
    const auto prompt = std::span(expected.tokens);
    EXPECT_LT(relativeError(decoder->append(prompt).value(), reference->append(prompt).value()), error);
    for (const auto token : std::span(expected.generated).first(6))
        EXPECT_LT(relativeError(decoder->append({&token, 1}).value(), reference->append({&token, 1}).value()), error)
            << "position " << decoder->position();
    // Again from the start, in pieces of few tokens.
    ASSERT_TRUE(decoder->rewind(0) && reference->rewind(0));
    for (std::size_t first = 0; first + 3 <= 12; first += 3)
        EXPECT_LT(relativeError(decoder->append(prompt.subspan(first, 3)).value(),
                                reference->append(prompt.subspan(first, 3)).value()),
                  error)
            << first;
}

INSTANTIATE_TEST_SUITE_P(Families, CudaDecoderTest,
                         testing::Values(Model{"llama", 1e-5}, Model{"mixtral", 1e-5}, Model{"qwen2", 1e-5},
                                         Model{"qwen2moe", 1e-5}, Model{"qwen3", 1e-5}, Model{"qwen3moe", 1e-5},
                                         Model{"phi3", 1e-5}, Model{"gpt_oss", 1e-5}, Model{"gemma2", 1e-5},
                                         Model{"gemma3", 1e-5}, Model{"olmo2", 1e-5}, Model{"smollm3", 1e-5},
                                         Model{"llama_f16", 2e-3}, Model{"llama_bf16", 1.7e-2},
                                         Model{"llama_q8_0", 5e-2}, Model{"llama_q4_0", 5e-2}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(CudaDecoder, ACacheInBinary16CostsLittle) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen2"}) {
        const auto expected = computedModel(name);
        const auto exact = onGpu(weightsOf(name)), halves = onGpu(weightsOf(name), 1, CacheType::F16);
        const auto reference = exact->append(expected.tokens).value();
        const auto error = relativeError(halves->append(expected.tokens).value(), reference);
        EXPECT_LT(error, 4e-3) << name;
        EXPECT_GT(error, 0) << name;
    }
}

// Each with its own cache: few tokens in all, prompts side by side, and more sequences than row products take.
TEST(CudaDecoder, SequencesDoNotDisturbEachOther) {
    for (const auto* name : {"llama", "gemma3", "qwen3moe"})
        for (const std::int64_t sequences : {3, 9}) {
            const auto together = onGpu(weightsOf(name), sequences);
            std::vector<std::unique_ptr<LanguageDecoder>> alone;
            for (std::int64_t s = 0; s < sequences; ++s) alone.push_back(makeReferenceDecoder(weightsOf(name), 128));
            for (const std::int64_t count : {11, 1, 1, 1}) {
                std::vector<std::int32_t> tokens;
                for (std::int64_t s = 0; s < sequences; ++s)
                    for (std::int64_t i = 0; i < count; ++i)
                        tokens.push_back(static_cast<std::int32_t>((7 * s + 3 * i + 1) % 60));
                const auto logits = together->append(tokens).value();
                const auto words = logits.size() / static_cast<std::size_t>(sequences);
                for (std::int64_t s = 0; s < sequences; ++s) {
                    const auto own =
                        std::span(tokens).subspan(static_cast<std::size_t>(s * count), static_cast<std::size_t>(count));
                    EXPECT_LT(relativeError(logits.subspan(static_cast<std::size_t>(s) * words, words),
                                            alone[static_cast<std::size_t>(s)]->append(own).value()),
                              2e-5)
                        << name << ", sequence " << s << " of " << sequences << ", " << count << " tokens";
                }
            }
        }
}

// Captured with the second step, replayed from then on; other numbers of tokens have graphs of their own.
TEST(CudaDecoder, ReplaysStepsOfFewTokens) {
    const auto provider = std::make_shared<cuda::test::SimulatedProvider>();
    const auto backend = cuda::makeCudaBackend(provider);
    const auto decoder =
        languageBackendOf(*backend)->makeDecoder(weightsOf("llama"), {.device = "cuda:0", .context = 128}).value();
    const std::vector<std::int32_t> tokens{5, 9, 11};
    const auto append = [&](std::size_t count) { ASSERT_TRUE(decoder->append(std::span(tokens).first(count))); };
    append(1);
    EXPECT_EQ(provider->record().captures, 0);
    append(1);
    append(1);
    EXPECT_EQ(provider->record().captures, 1);
    EXPECT_EQ(provider->record().graphLaunches, 2);
    append(3);
    EXPECT_EQ(provider->record().graphLaunches, 2);
    append(3);
    append(1);
    EXPECT_EQ(provider->record().graphLaunches, 4);
}

TEST(CudaDecoder, RepeatsItsCacheAsTheReferenceDoes) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss"}) {
        auto list = computedModel(name).tokens;
        list.resize(16);
        const auto exact = makeReferenceDecoder(weightsOf(name), 128);
        const auto decoder = onGpu(weightsOf(name));
        ASSERT_TRUE(exact->append(list) && decoder->append(list));
        ASSERT_TRUE(exact->repeatTo(101) && decoder->repeatTo(101));
        EXPECT_LT(relativeError(decoder->append(list).value(), exact->append(list).value()), 1e-5) << name;
        const auto one = std::span(list).first(1);
        EXPECT_LT(relativeError(decoder->append(one).value(), exact->append(one).value()), 1e-5) << name;
    }
}

// Long enough for several blocks of attention, whose results are combined; one token, which rotates itself, and three.
TEST(CudaDecoder, CombinesThePartsOfLongContexts) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen3"}) {
        auto list = computedModel(name).tokens;
        list.resize(16);
        const auto exact = makeReferenceDecoder(weightsOf(name, 1024), 1024);
        const auto decoder =
            gpu()
                .makeDecoder(weightsOf(name, 1024),
                             {.device = "cuda:0", .context = 1024, .threads = 1, .cache = CacheType::F32})
                .value();
        ASSERT_TRUE(exact->append(list) && decoder->append(list));
        ASSERT_TRUE(exact->repeatTo(900) && decoder->repeatTo(900));
        for (const std::size_t count : {1, 3, 1}) {
            const auto part = std::span(list).first(count);
            EXPECT_LT(relativeError(decoder->append(part).value(), exact->append(part).value()), 1e-5)
                << name << ", " << count;
        }
    }
}

TEST(CudaDecoder, PlansItsMemory) {
    const auto planned = [](std::int64_t context, CacheType cache = CacheType::F16) {
        return gpu()
            .plannedDecoderMemory(weightsOf("llama_q4_0"),
                                  {.device = "cuda:0", .context = context, .threads = 1, .cache = cache})
            .value();
    };
    EXPECT_GT(planned(100).weights, 0);
    EXPECT_EQ(planned(200).weights, planned(100).weights);
    EXPECT_EQ(planned(200).cache, 2 * planned(100).cache) << "128 and 256 slots";
    EXPECT_EQ(planned(100, CacheType::F32).cache, 2 * planned(100).cache);
}

TEST(CudaDecoder, RefusesWhatItDoesNotHave) {
    const auto blocks = gpu().makeDecoder(weightsOf("llama"),
                                          {.device = "cuda:0", .context = 128, .threads = 1, .cache = CacheType::Q8_0});
    ASSERT_FALSE(blocks);
    EXPECT_EQ(blocks.error().kind, ErrorKind::Unsupported);
    EXPECT_EQ(messageOf(blocks.error()).text, "the cuda backend does not support a KV cache in q8_0");
    const auto nowhere = gpu().makeDecoder(weightsOf("llama"), {.device = "cuda:99", .context = 128});
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().kind, ErrorKind::NotFound);
}

TEST(CudaDecoder, RunningOutOfMemoryIsAnError) {
    if (cuda::test::isRealGpu()) GTEST_SKIP() << "a real GPU has enough memory";
    const auto small = cuda::test::gpuUnderTest({.freeBytes = 1 << 20});
    const auto made = languageBackendOf(*small)->makeDecoder(weightsOf("llama"), {.device = "cuda:0", .context = 128});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::OutOfMemory);
    EXPECT_GT(made.error().neededBytes, 1 << 20);
}

// Without the matrix library prompts are row products, too.
TEST(CudaDecoder, WorksWithoutTheMatrixLibrary) {
    if (cuda::test::isRealGpu()) GTEST_SKIP() << "the library is there";
    const auto bare = cuda::test::gpuUnderTest({.whyNoMatrices = Message("missing")});
    for (const auto* name : {"llama", "gemma3", "llama_q8_0"}) {
        const auto expected = computedModel(name);
        const auto decoder =
            languageBackendOf(*bare)
                ->makeDecoder(weightsOf(name),
                              {.device = "cuda:0", .context = 128, .threads = 1, .cache = CacheType::F32})
                .value();
        const auto reference = makeReferenceDecoder(weightsOf(name), 128);
        EXPECT_LT(relativeError(decoder->append(expected.tokens).value(), reference->append(expected.tokens).value()),
                  std::string_view(name) == "llama_q8_0" ? 5e-2 : 1e-5)
            << name;
    }
}

}  // namespace
}  // namespace steelyard::compute
