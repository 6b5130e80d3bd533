// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/language_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "engine/core/file_io.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/gguf_weights.h"
#include "engine/model/decoder/weight_blocks.h"
#include "engine/model/resolve.h"
#include "engine/model/workload_title.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model {
namespace {

using testing::HasSubstr;

TEST(LanguageName, HasOneForm) {
    const auto idOf = [](const char* text) { return parseLanguageName(text).value().id(); };
    EXPECT_EQ(idOf("llama_3_2_1b(mode=decode)"), "llama_3_2_1b(mode=decode,weights=q4_k_m,context=128)");
    EXPECT_EQ(idOf("m( context=4096, weights=Q4_0 ,mode=decode)"), "m(mode=decode,weights=q4_0,context=4096)");
    EXPECT_EQ(idOf("m(mode=prefill,prompt=512)"), "m(mode=prefill,weights=q4_k_m,prompt=512)");
    EXPECT_EQ(idOf("m(mode=generate)"), "m(mode=generate,weights=q4_k_m,prompt=128,tokens=64)");
    EXPECT_EQ(idOf("m(cache=q8_0,mode=decode)"), "m(mode=decode,weights=q4_k_m,context=128,cache=q8_0)");
    EXPECT_EQ(idOf("m(mode=prefill,cache=f16)"), "m(mode=prefill,weights=q4_k_m,prompt=128)");
    EXPECT_EQ(idOf("./a.gguf(cache=f32)"), "./a.gguf(mode=decode,context=128,cache=f32)");
    EXPECT_EQ(idOf("./a.gguf"), "./a.gguf(mode=decode,context=128)");
    EXPECT_EQ(idOf("./a.gguf(mode=prefill)#1a2b3c4d"), "./a.gguf(mode=prefill,prompt=128)#1a2b3c4d");
    for (const auto* text : {"m(mode=generate,weights=f16,prompt=3,tokens=9)", "./a(1).gguf#12345678"})
        if (const auto name = parseLanguageName(text)) {
            EXPECT_EQ(parseLanguageName(name->id()).value(), *name);
        }
    EXPECT_EQ(parseLanguageName("m(mode=generate,prompt=3,tokens=9)")->positions(), 12);
    EXPECT_EQ(parseLanguageName("m(mode=decode,context=3)")->positions(), 4);
}

TEST(WorkloadTitle, NamesModelsTasksAndWeights) {
    DecoderTable decoders;
    decoders.models.push_back({.id = "llama_3_2_1b", .title = "Llama 3.2 1B"});
    const auto known = knownTitles(&decoders);
    const auto titleOf = [&](std::string_view id) { return workloadTitle(id, known).text; };
    EXPECT_EQ(titleOf("llama_3_2_1b(mode=decode,weights=q4_k_m,context=128)"),
              "Llama 3.2 1B decode (Q4_K_M, context 128)");
    EXPECT_EQ(titleOf("llama_3_2_1b(mode=prefill,weights=q8_0,prompt=512)"), "Llama 3.2 1B prefill (Q8_0, prompt 512)");
    EXPECT_EQ(titleOf("llama_3_2_1b(mode=generate,weights=bf16,prompt=128,tokens=64)"),
              "Llama 3.2 1B generate (BF16, prompt 128, 64 tokens)");
    EXPECT_EQ(titleOf("/home/me/small.gguf(mode=decode,context=9)#1a2b3c4d"), "small decode (GGUF, context 9)");
    EXPECT_EQ(titleOf("unlisted(mode=decode,cache=q8_0)"), "unlisted decode (Q4_K_M, KV Q8_0, context 128)");
    EXPECT_EQ(titleOf("unlisted(mode=decode)"), "unlisted decode (Q4_K_M, context 128)");
    // Names that are neither a model nor well formed remain as they are.
    for (const auto* odd : {"unlisted(mode=decode,context=x)", "a(mode=decode", "", "(", "#", "a)(b"})
        EXPECT_EQ(titleOf(odd), odd);
}

TEST(WorkloadTitle, NamesTrainedConfigurationsByTheirFolder) {
    const auto known = knownTitles(nullptr);
    const auto titleOf = [&](std::string_view id) { return workloadTitle(id, known).text; };
    EXPECT_EQ(titleOf("/home/me/llama/config.json(mode=train,tokens=512)#1a2b3c4d"), "llama (tokens 512)");
    EXPECT_EQ(titleOf("./llama/config.json(mode=lora,tokens=512,rank=16)#1a2b3c4d"),
              "llama (LoRA, tokens 512, rank 16)");
    EXPECT_EQ(titleOf("small.json(mode=train,tokens=64)"), "small (tokens 64)");
    // Without a folder there is no better name.
    for (const auto* path : {"config.json", "./config.json", "../config.json", "/config.json"})
        EXPECT_EQ(titleOf(std::string(path) + "(mode=train,tokens=64)"), "config.json (tokens 64)") << path;
}

TEST(WorkloadTitle, NamesNetworksWithTheirOptions) {
    const auto known = knownTitles(nullptr);
    const auto titleOf = [&](std::string_view id) { return workloadTitle(id, known).text; };
    EXPECT_EQ(titleOf("resnet50"), findWorkload("resnet50").value()->title);
    EXPECT_EQ(titleOf("resnet50(size=96)"), findWorkload("resnet50").value()->title + " (size 96)");
    EXPECT_EQ(titleOf("elsewhere(size=96)"), "elsewhere(size=96)");
    EXPECT_EQ(titleOf("/b/other.onnx(batch=2)#00000000"), "other");
}

TEST(LanguageName, IsToldFromOtherWorkloads) {
    EXPECT_TRUE(isLanguageName("m(mode=decode)"));
    EXPECT_TRUE(isLanguageName("a/b.gguf"));
    for (const auto* text : {"mnist_mlp", "m(mode=train)", "gpt2_small_decode", "net.json", "a.onnx(mode=decode", ""})
        EXPECT_FALSE(isLanguageName(text)) << text;
}

TEST(LanguageName, RefusesOptionsByName) {
    for (const auto& [text, word] : {std::pair{"m(mode=decode,prompt=3)", "prompt"},
                                     {"m(mode=prefill,context=3)", "context"},
                                     {"m(mode=decode,context=0)", "context"},
                                     {"m(mode=generate,tokens=1)", "tokens"},
                                     {"m(mode=decode,weights=awq4)", "awq4"},
                                     {"m(mode=decode,weights=q9)", "q9"},
                                     {"m(mode=decode,cache=q4_0)", "f32, f16, q8_0"},
                                     {"./a.gguf(weights=q4_0)", "weights"},
                                     {"m(mode=decode,context=3,context=4)", "twice"},
                                     {"m(mode=decode,context=99999999999)", "99999999999"},
                                     {"m(mode=decode", "parentheses"}}) {
        const auto refused = parseLanguageName(text);
        ASSERT_FALSE(refused) << text;
        EXPECT_EQ(refused.error().kind, ErrorKind::InvalidArgument);
        EXPECT_THAT(describe(refused.error()), HasSubstr(word));
    }
}

TEST(LanguageName, ResolvesToAWorkloadWithoutAGraph) {
    const auto workload = resolveWorkload("any(mode=prefill,prompt=32)").value();
    EXPECT_EQ(workload.family, "language");
    EXPECT_TRUE(workload.inferenceOnly);
    EXPECT_EQ(workload.tokensPerSample, 32);
    EXPECT_EQ(throughputUnit(workload), "tokens/s");
    EXPECT_EQ(workload.build().error().kind, ErrorKind::Unsupported);
    EXPECT_EQ(resolveWorkload(workload.id)->id, workload.id);
}

TEST(LanguageName, OfAFileKnowsItsContent) {
    const test::TemporaryFolder folder;
    const auto path = (folder / "a.gguf").string();
    ASSERT_TRUE(writeFileAtomically(path, "one"));
    const auto id = resolveWorkload(path + "(mode=decode)")->id;
    EXPECT_EQ(resolveWorkload(id)->id, id);
    ASSERT_TRUE(writeFileAtomically(path, "two"));
    const auto changed = resolveWorkload(id);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(resolveWorkload((folder / "absent.gguf").string()).error().kind, ErrorKind::NotFound);
}

DecoderSpec drawnSpec() {
    DecoderSpec spec;
    spec.id = "drawn";
    spec.family = "llama";
    spec.layers = 2;
    spec.width = 256;
    spec.heads = spec.kvHeads = 4;
    spec.headDimension = 64;
    spec.feedForward = 512;
    spec.vocabulary = 512;
    return spec;
}

// Keeps activations bounded: mean 0 and standard deviation 1 / sqrt(width).
TEST(DrawnWeights, HaveTheirDeviationInEachFormat) {
    for (const auto& scheme : weightSchemes()) {
        auto file = GgufWeightFile::layOut(drawnSpec(), scheme);
        if (!scheme.gguf) {
            EXPECT_EQ(file.error().kind, ErrorKind::Unsupported) << scheme.name;
            continue;
        }
        ASSERT_TRUE(file) << scheme.name;
        (*file)->draw(3);
        const auto matrix = (*file)->matrix("blk.1.ffn_up.weight", 512, 256).value();
        std::vector<float> values(512 * 256);
        dequantise(matrix.type, matrix.data, values);
        double sum = 0, squares = 0;
        for (const double value : values) sum += value, squares += value * value;
        const auto count = static_cast<double>(values.size());
        EXPECT_NEAR(std::sqrt(squares / count) * 16, 1, 0.3) << scheme.name;
        EXPECT_LT(std::abs(sum / count) * 16, 0.15) << scheme.name;
    }
}

TEST(DrawnWeights, AreTheSameForASeed) {
    const auto draw = [](std::uint64_t seed) {
        auto file = GgufWeightFile::layOut(drawnSpec(), *findWeightScheme("q4_k_m")).value();
        file->draw(seed);
        const auto matrix = file->matrix("blk.0.attn_q.weight", 256, 256).value();
        const auto other = file->matrix("blk.1.attn_q.weight", 256, 256).value();
        EXPECT_NE(std::memcmp(matrix.data, other.data, static_cast<std::size_t>(matrix.bytes())), 0) << "layers differ";
        return std::vector<std::byte>(matrix.data, matrix.data + matrix.bytes());
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

}  // namespace
}  // namespace steelyard::model
