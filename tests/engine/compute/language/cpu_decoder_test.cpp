// SPDX-License-Identifier: Apache-2.0
// The fast decoder compared with the exact one: every family, both attention paths (a prompt, one token), windows, and
// the context split over threads.
#include "engine/compute/cpu/language/cpu_decoder.h"

#include <gtest/gtest.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/language/reference_decoder.h"
#include "tests/engine/compute/language/computed_models.h"

namespace steelyard::compute {
namespace {

struct Model {
    const char* name;
    double error;  // with keys and values in float32; blocked weights: activations in 8 bits, bf16 weights: in bf16
};
void PrintTo(const Model& model, std::ostream* out) {
    *out << model.name;
}
class CpuDecoderTest : public testing::TestWithParam<Model> {};

std::unique_ptr<LanguageDecoder> fast(const char* name, int threads, std::int64_t context = 128,
                                      bool exactCache = true) {
    return makeCpuDecoder(weightsOf(name), {.context = context, .threads = threads, .exactCache = exactCache}).value();
}

TEST_P(CpuDecoderTest, AgreesWithTheReference) {
    const auto& [name, error] = GetParam();
    const auto expected = computedModel(name);
    const auto reference = makeReferenceDecoder(weightsOf(name), 128);
    for (const int threads : {1, 2, 3}) {
        reference->rewind(0);
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
                                         Model{"gemma3", 1e-5}, Model{"llama_f16", 1e-5}, Model{"llama_bf16", 1.7e-2},
                                         Model{"llama_q8_0", 5e-2}, Model{"llama_q4_0", 5e-2}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(CpuDecoder, ACacheInBinary16CostsLittle) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen2"}) {
        const auto expected = computedModel(name);
        const auto exact = fast(name, 2), halves = fast(name, 2, 128, false);
        const auto reference = exact->append(expected.tokens).value();
        const auto error = relativeError(halves->append(expected.tokens).value(), reference);
        EXPECT_LT(error, 4e-3) << name;
        EXPECT_GT(error, 0) << name;
    }
}

TEST(CpuDecoder, RepeatsItsCacheAsTheReferenceDoes) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss"}) {
        const auto model = computedModel(name);
        const auto tokens = std::span(model.tokens).first(16);
        const auto exact = makeReferenceDecoder(weightsOf(name), 128);
        const auto decoder = fast(name, 2);
        ASSERT_TRUE(exact->append(tokens) && decoder->append(tokens));
        ASSERT_TRUE(exact->repeatTo(101) && decoder->repeatTo(101));
        EXPECT_LT(relativeError(decoder->append(tokens).value(), exact->append(tokens).value()), 1e-5) << name;
    }
}

TEST(CpuDecoder, PlansWhatItAllocates) {
    const auto memory = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 100, .threads = 2});
    const auto longer = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2});
    const auto exact = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2, .exactCache = true});
    EXPECT_GT(memory.weights, 0);
    EXPECT_EQ(longer.weights, memory.weights);
    EXPECT_EQ(longer.cache * 7, memory.cache * 13) << "7 and 13 panels of 16 positions";
    EXPECT_EQ(exact.cache, 2 * longer.cache);
    const auto several = cpuDecoderMemory(weightsOf("llama_q4_0"), {.context = 200, .threads = 2, .sequences = 5});
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
        // The summation order differs, and values close to a rounding boundary of 8 bits may be rounded differently.
        EXPECT_LT(relativeError(parts->append(std::span(tokens).last(1)).value(), atOnce), name[5] == '_' ? 2e-2 : 1e-5)
            << name;
    }
}

// A prompt in one or several parts, shorter and longer than a chunk, and single tokens; attention by whole heads and,
// with many threads, in parts.
TEST(CpuDecoder, SeveralSequencesAreAsManyDecoders) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss", "qwen2moe", "llama_q8_0"})
        for (const auto& [sequences, threads] : {std::pair{3, 1}, std::pair{3, 2}, std::pair{2, 5}}) {
            std::vector<std::unique_ptr<LanguageDecoder>> alone;
            for (int s = 0; s < sequences; ++s) alone.push_back(fast(name, threads, 256));
            const auto together =
                makeCpuDecoder(weightsOf(name),
                               {.context = 256, .threads = threads, .sequences = sequences, .exactCache = true})
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
        makeCpuDecoder(weightsOf("gemma3"), {.context = 128, .threads = 2, .sequences = 2, .exactCache = true}).value();
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
            makeCpuDecoder(weightsOf("llama_q4_0"),
                           {.context = 128, .threads = 2, .exactCache = true, .kernels = &table->language})
                .value();
        const auto fastest = fast("llama_q4_0", 2);
        EXPECT_LT(relativeError(other->append(expected.tokens).value(), fastest->append(expected.tokens).value()),
                  2e-2);
    }
}

}  // namespace
}  // namespace steelyard::compute
