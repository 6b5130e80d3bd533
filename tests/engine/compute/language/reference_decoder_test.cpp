// SPDX-License-Identifier: Apache-2.0
// The exact decoder compared with llama.cpp, for each supported family.
#include "engine/compute/language/reference_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/file_io.h"
#include "tests/engine/compute/language/computed_models.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::compute {
namespace {

using testing::HasSubstr;

// Error of llama.cpp's arithmetic: float32 sums; a 16-bit table for gelu; activations in the type of the weights, or in
// 8 bits.
struct Agreement {
    const char* name;
    double error;
    bool sameTokens;
};
void PrintTo(const Agreement& agreement, std::ostream* out) {
    *out << agreement.name;
}
class ReferenceDecoder : public testing::TestWithParam<Agreement> {};

TEST_P(ReferenceDecoder, AgreesWithLlamaCpp) {
    const auto& [name, error, sameTokens] = GetParam();
    const auto expected = computedModel(name);
    const auto decoder = makeReferenceDecoder(weightsOf(name), 128);
    const auto logits = decoder->append(expected.tokens).value();
    ASSERT_EQ(logits.size(), expected.logits.size());
    EXPECT_LT(relativeError(logits, expected.logits), error);
    if (sameTokens) {
        EXPECT_EQ(continuation(*decoder, logits, 32), expected.generated);
    }
}

INSTANTIATE_TEST_SUITE_P(Families, ReferenceDecoder,
                         testing::Values(Agreement{"llama", 1e-5, true}, Agreement{"mixtral", 1e-5, true},
                                         Agreement{"qwen2", 1e-5, true}, Agreement{"qwen2moe", 1e-5, true},
                                         Agreement{"qwen3", 1e-5, true}, Agreement{"qwen3moe", 1e-5, true},
                                         Agreement{"phi3", 1e-5, true}, Agreement{"gpt_oss", 1e-5, true},
                                         Agreement{"gemma2", 1e-3, true}, Agreement{"gemma3", 1e-3, true},
                                         Agreement{"olmo2", 1e-5, true}, Agreement{"smollm3", 1e-5, true},
                                         Agreement{"llama_f16", 2e-3, true}, Agreement{"llama_bf16", 1.7e-2, true},
                                         Agreement{"llama_q8_0", 5e-2, false}, Agreement{"llama_q4_0", 5e-2, false}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(LanguageDecoderTest, ATokenMoreEqualsAPromptOfOneMore) {
    for (const auto* name : {"llama", "gemma3", "gpt_oss"}) {
        const auto tokens = computedModel(name).tokens;
        const auto whole = makeReferenceDecoder(weightsOf(name), 64);
        const auto atOnce = whole->append(tokens).value();
        const auto stepwise = makeReferenceDecoder(weightsOf(name), 64);
        ASSERT_TRUE(stepwise->append(std::span(tokens).first(20)));
        ASSERT_TRUE(stepwise->append(std::span(tokens).subspan(5, 9)));
        ASSERT_TRUE(stepwise->rewind(20));  // discards them
        std::span<const float> last;
        for (std::size_t i = 20; i < tokens.size(); ++i) last = stepwise->append({&tokens[i], 1}).value();
        EXPECT_EQ(stepwise->position(), static_cast<std::int64_t>(tokens.size()));
        EXPECT_LT(relativeError(last, atOnce), 1e-6) << name;
    }
}

TEST(LanguageDecoderTest, RepeatsItsCache) {
    const auto tokens = computedModel("llama").tokens;
    const auto decoder = makeReferenceDecoder(weightsOf("llama"), 64);
    EXPECT_FALSE(decoder->repeatTo(32)) << "there is nothing to repeat";
    ASSERT_TRUE(decoder->append(std::span(tokens).first(9)));
    EXPECT_FALSE(decoder->repeatTo(32)) << "not a multiple of 16";
    ASSERT_TRUE(decoder->append(std::span(tokens).subspan(9, 7)));
    EXPECT_FALSE(decoder->repeatTo(65)) << "more than the context";
    EXPECT_FALSE(decoder->repeatTo(8));
    ASSERT_TRUE(decoder->repeatTo(39));
    EXPECT_EQ(decoder->position(), 39);
}

TEST(LanguageDecoderTest, RefusesWhatDoesNotFit) {
    const auto decoder = makeReferenceDecoder(weightsOf("llama"), 4);
    const std::vector<std::int32_t> outside{1, 64}, negative{-1}, five{1, 2, 3, 4, 5};
    for (const auto& tokens : {outside, negative, five}) {
        const auto refused = decoder->append(tokens);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, ErrorKind::InvalidArgument);
    }
    EXPECT_EQ(decoder->position(), 0);
}

TEST(LanguageDecoderTest, RefusesFilesThatLackSomething) {
    const test::TemporaryFolder folder;
    const auto bytes = readFile(kComputed / "llama.gguf", 1 << 24).value();
    const auto written = [&](const std::string& content) {
        const auto path = (folder / "model.gguf").string();
        EXPECT_TRUE(writeFileAtomically(path, content));
        return path;
    };
    const auto cut = model::GgufWeightFile::open(written(bytes.substr(0, bytes.size() - 100)));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().kind, ErrorKind::CorruptData);
    const auto renamed = [&](const std::string& from, const std::string& to) {
        auto changed = bytes;
        const auto at = changed.find(from);
        EXPECT_NE(at, std::string::npos);
        changed.replace(at, to.size(), to);
        return decoderWeights(model::GgufWeightFile::open(written(changed)).value(), 64);
    };
    const auto missing = renamed("blk.1.attn_k.weight", "blk.1.attn_x.weight");
    ASSERT_FALSE(missing);
    EXPECT_THAT(describe(missing.error()), HasSubstr("blk.1.attn_k.weight"));
    // A width different from the tensors': the value follows the key and the four bytes of its type.
    auto changed = bytes;
    const std::string key = "llama.feed_forward_length";
    changed.at(changed.find(key) + key.size() + 4) = 49;
    const auto wrong = decoderWeights(model::GgufWeightFile::open(written(changed)).value(), 64);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().kind, ErrorKind::CorruptData);
    EXPECT_THAT(describe(wrong.error()), HasSubstr("32 x 49"));
    const auto headerOnly = model::GgufWeightFile::open(
        (std::filesystem::path(STEELYARD_SOURCE_DIR) / "tests/data/decoders/llama_3_1_8b/header.gguf").string());
    ASSERT_FALSE(headerOnly);
    EXPECT_THAT(describe(headerOnly.error()), HasSubstr("without weights"));
}

TEST(GreedyToken, IsTheFirstOfTheLargest) {
    for (const std::size_t size : {1UL, 5UL, 16UL, 40UL, 1001UL}) {
        std::vector<float> logits(size, -2.0F);
        EXPECT_EQ(greedyToken(logits), 0);
        for (const std::size_t at : {size - 1, size / 2, std::size_t{0}}) {
            logits[at] = 3;
            EXPECT_EQ(greedyToken(logits), static_cast<std::int32_t>(at)) << size;
        }
        logits[size / 2] = 4;
        EXPECT_EQ(greedyToken(logits), static_cast<std::int32_t>(size / 2)) << size;
    }
}

}  // namespace
}  // namespace steelyard::compute
