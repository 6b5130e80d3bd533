// SPDX-License-Identifier: Apache-2.0
// The fast decoder compared with the exact one: every family, both attention paths (a prompt, one token), windows, and
// the context split over threads.
#include "engine/compute/cpu/language/cpu_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/language/reference_decoder.h"
#include "tests/engine/compute/language/computed_models.h"

namespace steelyard::compute {
namespace {

using model::CacheType;
constexpr auto kExact = CacheType::F32;

struct Model {
    const char* name;
    double error;  // with keys and values in float32; blocked weights: activations in 8 bits, bf16 weights: in bf16
};
void PrintTo(const Model& model, std::ostream* out) {
    *out << model.name;
}
class CpuDecoderTest : public testing::TestWithParam<Model> {};

std::unique_ptr<LanguageDecoder> fast(const char* name, int threads, std::int64_t context = 128,
                                      CacheType cache = kExact) {
    return makeCpuDecoder(weightsOf(name), {.context = context, .threads = threads, .cache = cache}).value();
}

TEST_P(CpuDecoderTest, AgreesWithTheReference) {
    const auto& [name, error] = GetParam();
    const auto expected = computedModel(name);
    const auto reference = makeReferenceDecoder(weightsOf(name), 128);
    for (const int threads : {1, 2, 3}) {
        ASSERT_TRUE(reference->rewind(0));
        const auto decoder = fast(name, threads);
        const auto prompt = std::span(expected.tokens);
        EXPECT_LT(relativeError(decoder->append(prompt).value(), reference->append(prompt).value()), error) << threads;
        for (const auto token : std::span(expected.generated).first(6))
            EXPECT_LT(relativeError(decoder->append({&token, 1}).value(), reference->append({&token, 1}).value()),
                      error)
                << threads << " threads, position " << decoder->position();
    }
}

INSTANTIATE_TEST_SUITE_P(Families, CpuDecoderTest,
                         testing::Values(Model{"llama", 1e-5}, Model{"mixtral", 1e-5}, Model{"qwen2", 1e-5},
                                         Model{"qwen2moe", 1e-5}, Model{"qwen3", 1e-5}, Model{"qwen3moe", 1e-5},
                                         Model{"phi3", 1e-5}, Model{"gpt_oss", 1e-5}, Model{"gemma2", 1e-5},
                                         Model{"gemma3", 1e-5}, Model{"olmo2", 1e-5}, Model{"smollm3", 1e-5},
                                         Model{"llama_f16", 1e-5}, Model{"llama_bf16", 1.7e-2},
                                         Model{"llama_q8_0", 5e-2}, Model{"llama_q4_0", 5e-2}),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Random weights of a family, with dimensions that divide by two threads and, but for blocks of 256 weights, by four.
DecoderWeights drawnWeights(const char* family, const char* scheme) {
    auto spec = weightsOf(family).spec;
    spec.width = 256;
    spec.heads = 16;
    spec.kvHeads = 4;
    spec.headDimension = 32;
    spec.feedForward = 1024;
    spec.layers = 3;
    auto file = model::GgufWeightFile::layOut(spec, *model::findWeightScheme(scheme)).value();
    file->draw(5);
    return decoderWeights(std::move(file), 256).value();
}

// Each thread multiplies its own columns of the output and down matrices if there are few tokens, with norms after
// these products too; of prompts and of many sequences, its own rows. Only the order of sums differs from that of one
// thread.
TEST(CpuDecoder, DividesMatricesByColumns) {
    for (const auto& [family, scheme, error] :
         {std::tuple{"llama", "f32", 1e-5}, std::tuple{"gemma3", "f32", 1e-5}, std::tuple{"qwen2", "f16", 1e-5},
          std::tuple{"llama", "bf16", 1.7e-2}, std::tuple{"llama", "q8_0", 2e-2}, std::tuple{"qwen3", "q4_0", 2e-2},
          std::tuple{"llama", "q4_k_m", 2e-2}, std::tuple{"llama", "q5_0", 2e-2}})
        for (const auto isa : {cpu::CpuIsa::baseline, cpu::CpuIsa::avx2, cpu::CpuIsa::avx512_bf16, cpu::CpuIsa::amx}) {
            if (!cpu::runsHere(isa)) continue;
            auto table = std::make_unique<cpu::Kernels>(cpu::kernels());
            cpu::fillKernels(isa, *table);
            // Tiles of many tokens round to bfloat16 what products of few leave in float32 or round to 8 bits.
            if (isa != cpu::CpuIsa::amx || scheme != std::string_view("bf16")) table->language.tiledProduct = nullptr;
            const auto decoder = [&](int threads, std::int64_t sequences) {
                return makeCpuDecoder(drawnWeights(family, scheme),
                                      {.context = 256, .threads = threads, .sequences = sequences, .cache = kExact},
                                      &table->language)
                    .value();
            };
            for (const auto& [threads, sequences] :
                 {std::pair{2, 1}, std::pair{4, 1}, std::pair{2, 3}, std::pair{2, 18}}) {
                const auto single = decoder(1, 1), many = decoder(threads, sequences);
                for (const int count : {5, 1, 1, 40, 1}) {
                    std::vector<std::int32_t> tokens, all;
                    for (int i = 0; i < count; ++i)
                        tokens.push_back(static_cast<std::int32_t>((single->position() * 7 + i * 29) % 64));
                    for (int i = 0; i < sequences; ++i) all.insert(all.end(), tokens.begin(), tokens.end());
                    const auto expected = single->append(tokens).value();
                    const auto found = many->append(all).value();
                    for (std::size_t i = 0; i < found.size(); i += expected.size())
                        EXPECT_LT(relativeError(found.subspan(i, expected.size()), expected), error)
                            << family << " " << scheme << ", " << threads << " threads, " << sequences
                            << " sequences, position " << single->position();
                }
            }
        }
}

// OpenMP may give fewer threads than asked for; each then multiplies several parts of the weights.
TEST(CpuDecoder, ComputesOnFewerThreadsThanItWasMadeFor) {
    for (const auto* name : {"llama", "qwen3moe", "gpt_oss"})
        for (const int threads : {2, 3, 5}) {
            const auto expected = computedModel(name);
            const auto single = fast(name, 1), many = fast(name, threads);
            const auto compare = [&](std::span<const std::int32_t> tokens, bool nested) {
                const auto logits = single->append(tokens).value();
                std::vector<float> found;
#pragma omp parallel num_threads(2) if (nested)
#pragma omp single
                {
                    const auto values = many->append(tokens).value();
                    found.assign(values.begin(), values.end());
                }
                EXPECT_LT(relativeError(found, logits), 1e-5) << name << ", " << threads << " threads, " << nested;
            };
            compare(expected.tokens, true);
            for (const bool nested : {true, false, true}) compare(std::span(expected.generated).subspan(0, 1), nested);
        }
}

TEST(CpuDecoder, ACacheInBinary16CostsLittle) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen2"}) {
        const auto expected = computedModel(name);
        const auto exact = fast(name, 2), halves = fast(name, 2, 128, CacheType::F16);
        const auto reference = exact->append(expected.tokens).value();
        const auto error = relativeError(halves->append(expected.tokens).value(), reference);
        EXPECT_LT(error, 4e-3) << name;
        EXPECT_GT(error, 0) << name;
    }
}

// Keys, values and queries in 8 bits; long enough for several panels, split over threads, in every instruction set.
TEST(CpuDecoder, ACacheInBlocksCostsLittle) {
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < 90; ++i) tokens.push_back(i * 29 % 64);
    // With blocked weights, activations are in 8 bits, too.
    for (const auto& [name, limit] :
         {std::pair{"llama_f16", 3e-2}, std::pair{"llama_q8_0", 5e-2}, std::pair{"llama_q4_0", 5e-2}})
        for (const auto isa : {cpu::CpuIsa::baseline, cpu::CpuIsa::avx2, cpu::CpuIsa::avx2_vnni,
                               cpu::CpuIsa::avx512_vnni, cpu::CpuIsa::avx512_bf16}) {
            if (!cpu::runsHere(isa)) continue;
            auto table = std::make_unique<cpu::Kernels>(cpu::kernels());
            cpu::fillKernels(isa, *table);
            for (const int threads : {1, 3}) {
                const auto exact =
                    makeCpuDecoder(weightsOf(name), {.context = 128, .threads = threads, .cache = kExact},
                                   &table->language)
                        .value();
                const auto blocks =
                    makeCpuDecoder(weightsOf(name), {.context = 128, .threads = threads, .cache = CacheType::Q8_0},
                                   &table->language)
                        .value();
                // A prompt, then a single token.
                for (const auto part : {std::span(tokens).first(89), std::span(tokens).last(1)}) {
                    const auto reference = exact->append(part).value();
                    const auto error = relativeError(blocks->append(part).value(), reference);
                    EXPECT_LT(error, limit) << name << ", " << threads << " threads";
                    EXPECT_GT(error, 0) << name;
                }
            }
        }
}

TEST(CpuDecoder, ACacheInBlocksNeedsHeadsOfWholeBlocks) {
    const auto made = makeCpuDecoder(weightsOf("llama"), {.context = 128, .cache = CacheType::Q8_0});
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().kind, ErrorKind::Unsupported);
    EXPECT_EQ(messageOf(made.error()).text, "a KV cache in q8_0 needs heads of a multiple of 32 elements; they have 8");
}

// Also of mixed formats, and of experts; three threads have parts of unequal size, some of them none.
TEST(CpuDecoder, ReadsItsWeightsBetweenSteps) {
    for (const auto* name : {"llama_q4_0", "gpt_oss"})
        for (const int threads : {1, 3}) {
            const auto decoder = fast(name, threads);
            const std::vector<std::int32_t> tokens{3, 5, 7};
            const auto logits = decoder->append(tokens).value();
            const std::vector<float> before(logits.begin(), logits.end());
            EXPECT_GT(decoder->readBandwidth().value(), 1e7) << name;
            EXPECT_GT(decoder->readBandwidth().value(), 1e7) << name;
            EXPECT_EQ(decoder->position(), 3);
            ASSERT_TRUE(decoder->rewind(0));
            EXPECT_TRUE(std::ranges::equal(decoder->append(tokens).value(), before)) << name;
        }
    EXPECT_FALSE(makeReferenceDecoder(weightsOf("llama_q4_0"), 8)->readBandwidth());
}

TEST(CpuDecoder, RepeatsItsCacheAsTheReferenceDoes) {
    for (const auto& [name, cache, error] :
         {std::tuple{"llama", kExact, 1e-5}, std::tuple{"gemma3", kExact, 1e-5}, std::tuple{"gpt_oss", kExact, 1e-5},
          std::tuple{"llama_q8_0", CacheType::Q8_0, 5e-2}}) {
        const auto model = computedModel(name);
        const auto tokens = std::span(model.tokens).first(16);
        const auto exact = makeReferenceDecoder(weightsOf(name), 128);
        const auto decoder = fast(name, 2, 128, cache);
        ASSERT_TRUE(exact->append(tokens) && decoder->append(tokens));
        ASSERT_TRUE(exact->repeatTo(101) && decoder->repeatTo(101));
        EXPECT_LT(relativeError(decoder->append(tokens).value(), exact->append(tokens).value()), error) << name;
    }
}

TEST(CpuDecoder, PlansWhatItAllocates) {
    const auto memory = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 100, .threads = 2}).value();
    const auto longer = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2}).value();
    const auto exact =
        cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2, .cache = kExact}).value();
    EXPECT_GT(memory.weights, 0);
    EXPECT_EQ(longer.weights, memory.weights);
    EXPECT_EQ(longer.cache * 7, memory.cache * 13) << "7 and 13 panels of 16 positions";
    EXPECT_EQ(exact.cache, 2 * longer.cache);
    const auto blocks =
        cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2, .cache = CacheType::Q8_0}).value();
    EXPECT_EQ(blocks.cache * 32, longer.cache * 17) << "34 bytes per 32 elements instead of 64";
    const auto several =
        cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2, .sequences = 5}).value();
    EXPECT_EQ(several.weights, memory.weights);
    EXPECT_EQ(several.cache, 5 * longer.cache);
}

TEST(CpuDecoder, ALongPromptEqualsItsParts) {
    // Longer than a chunk, so that a later one starts in the middle of the cache.
    for (const auto* name : {"llama", "gemma3", "llama_q8_0"}) {
        std::vector<std::int32_t> tokens;
        for (int i = 0; i < 300; ++i) tokens.push_back(i * 29 % 64);
        const auto whole = fast(name, 2, 320), parts = fast(name, 2, 320);
        const auto atOnce = whole->append(tokens).value();
        ASSERT_TRUE(parts->append(std::span(tokens).first(77)));
        ASSERT_TRUE(parts->append(std::span(tokens).subspan(77, 222)));
        // The summation order differs, and values close to a rounding boundary of 8 bits may be rounded differently;
        // with AMX, only the single token has activations in 8 bits.
        EXPECT_LT(relativeError(parts->append(std::span(tokens).last(1)).value(), atOnce), name[5] == '_' ? 3e-2 : 1e-5)
            << name;
    }
}

// A prompt in one or several parts, shorter and longer than a chunk, and single tokens; attention by whole heads and,
// with many threads, in parts.
TEST(CpuDecoder, LayersWithAWindowStoreLittleMoreThanIt) {
    const auto weights = weightsOf("gemma3");
    const auto& spec = weights.spec;
    ASSERT_EQ(spec.window, 16);
    const auto global = spec.globalLayers(), local = spec.layers - global;
    ASSERT_GT(local, 0);
    // Keys of 8 elements and values padded to 16, in binary16: 1,008 positions, or the window and 128 more.
    const auto perPosition = spec.kvHeads * (8 + 16) * 2;
    EXPECT_EQ(cpuDecoderMemory(weights, {.context = 1000}).value().cache,
              (global * 1008 + local * (16 + 128)) * perPosition);
}

// Positions are overwritten several times: prompts longer and shorter than a chunk, single tokens by whole heads and in
// parts, tokens that are discarded, and several sequences.
TEST(CpuDecoder, LayersWithAWindowOverwriteTheirCache) {
    for (const auto* name : {"gemma2", "gemma3", "gpt_oss"})
        for (const int threads : {1, 3}) {
            const auto exact = makeReferenceDecoder(weightsOf(name), 600);
            const auto decoder = fast(name, threads, 600);
            const auto pair =
                makeCpuDecoder(weightsOf(name), {.context = 600, .threads = threads, .sequences = 2, .cache = kExact})
                    .value();
            for (const int count : {150, 1, 1, 141, 130, 1, 60, 1}) {
                std::vector<std::int32_t> tokens;
                for (int i = 0; i < count; ++i)
                    tokens.push_back(static_cast<std::int32_t>((exact->position() * 7 + i * 29) % 64));
                const auto expected = exact->append(tokens).value();
                EXPECT_LT(relativeError(decoder->append(tokens).value(), expected), 1e-5)
                    << name << ", " << threads << " threads, " << count << " tokens before " << exact->position();
                auto both = tokens;
                both.insert(both.end(), tokens.begin(), tokens.end());
                const auto found = pair->append(both).value();
                EXPECT_LT(relativeError(found.last(expected.size()), expected), 1e-5) << name;
            }
            // Other tokens are discarded without a trace.
            const auto here = exact->position();
            const std::vector<std::int32_t> others(100, 3), next{11, 4};
            ASSERT_TRUE(decoder->append(others) && decoder->rewind(here));
            EXPECT_LT(relativeError(decoder->append(next).value(), exact->append(next).value()), 1e-5) << name;
        }
}

TEST(CpuDecoder, GoesBackToTheStartOrAFewTokens) {
    const auto decoder = fast("gemma3", 1, 300);
    const std::vector<std::int32_t> tokens(200, 5);
    ASSERT_TRUE(decoder->append(tokens));
    const auto refused = decoder->rewind(50);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(messageOf(refused.error()).text,
              "cannot go back from token 200 to 50: only to the start, or by at most 128 tokens");
    EXPECT_FALSE(decoder->rewind(201));
    EXPECT_FALSE(decoder->rewind(-1));
    EXPECT_EQ(decoder->position(), 200);
    EXPECT_TRUE(decoder->rewind(72));
    EXPECT_TRUE(decoder->rewind(0));
}

TEST(CpuDecoder, SeveralSequencesAreAsManyDecoders) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen2moe", "llama_q8_0"})
        for (const auto& [sequences, threads] : {std::pair{3, 1}, std::pair{3, 2}, std::pair{2, 5}}) {
            std::vector<std::unique_ptr<LanguageDecoder>> alone;
            for (int s = 0; s < sequences; ++s) alone.push_back(fast(name, threads, 256));
            const auto together =
                makeCpuDecoder(weightsOf(name),
                               {.context = 256, .threads = threads, .sequences = sequences, .cache = kExact})
                    .value();
            EXPECT_EQ(together->sequences(), sequences);
            for (const int count : {7, 1, 1, 50, 150, 1}) {
                std::vector<std::int32_t> tokens;
                for (int i = 0; i < sequences * count; ++i)
                    tokens.push_back(static_cast<std::int32_t>((together->position() * 7 + i * 29) % 64));
                const auto found = together->append(tokens).value();
                const auto words = static_cast<std::size_t>(together->vocabulary());
                ASSERT_EQ(found.size(), words * static_cast<std::size_t>(sequences));
                for (int s = 0; s < sequences; ++s) {
                    const auto own = std::span<const std::int32_t>(tokens).subspan(static_cast<std::size_t>(s * count),
                                                                                   static_cast<std::size_t>(count));
                    const auto expected = alone[static_cast<std::size_t>(s)]->append(own).value();
                    // Different summation order; see above.
                    EXPECT_LT(relativeError(found.subspan(static_cast<std::size_t>(s) * words, words), expected),
                              name[5] == '_' ? 2e-2 : 1e-5)
                        << name << ", sequence " << s << ", " << threads << " threads, " << count << " tokens at "
                        << alone[0]->position();
                }
            }
            const std::vector<std::int32_t> unequal(static_cast<std::size_t>(sequences) + 1, 1);
            EXPECT_EQ(together->append(unequal).error().kind, ErrorKind::InvalidArgument);
            EXPECT_EQ(together->append({}).error().kind, ErrorKind::InvalidArgument);
        }
}

TEST(CpuDecoder, SeveralSequencesRepeatTheirCaches) {
    const auto together =
        makeCpuDecoder(weightsOf("gemma3"), {.context = 128, .threads = 2, .sequences = 2, .cache = kExact}).value();
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < 32; ++i) tokens.push_back(i * 13 % 64);
    ASSERT_TRUE(together->append(tokens) && together->repeatTo(101));
    const std::vector<std::int32_t> next{5, 9};
    const auto found = together->append(next).value();
    for (std::size_t s = 0; s < 2; ++s) {
        const auto exact = makeReferenceDecoder(weightsOf("gemma3"), 128);
        ASSERT_TRUE(exact->append(std::span<const std::int32_t>(tokens).subspan(16 * s, 16)) && exact->repeatTo(101));
        const auto expected = exact->append({&next[s], 1}).value();
        EXPECT_LT(relativeError(found.subspan(s * expected.size(), expected.size()), expected), 1e-5) << s;
    }
}

TEST(CpuDecoder, InstructionSetsAgree) {
    const auto expected = computedModel("llama_q4_0");
    for (const auto isa : {cpu::CpuIsa::baseline, cpu::CpuIsa::avx2}) {
        if (!cpu::runsHere(isa)) continue;
        auto table = std::make_unique<cpu::Kernels>(cpu::kernels());
        cpu::fillKernels(isa, *table);
        const auto other =
            makeCpuDecoder(weightsOf("llama_q4_0"), {.context = 128, .threads = 2, .cache = kExact}, &table->language)
                .value();
        const auto fastest = fast("llama_q4_0", 2);
        EXPECT_LT(relativeError(other->append(expected.tokens).value(), fastest->append(expected.tokens).value()),
                  2e-2);
    }
}

}  // namespace
}  // namespace steelyard::compute
