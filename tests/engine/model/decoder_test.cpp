// SPDX-License-Identifier: Apache-2.0
// Language models as specifications: parameters, sizes and caches compared with published ones, and the readers of
// config.json and GGUF compared with the table. The files were written by tests/data/decoders/make_files.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "engine/core/file_io.h"
#include "engine/model/decoder/config_json.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/decoder/gguf_file.h"
#include "tests/support/temporary_folder.h"

namespace steelyard::model {
namespace {

using testing::HasSubstr;

const std::filesystem::path kData = std::filesystem::path(STEELYARD_SOURCE_DIR) / "tests/data/decoders";
constexpr double kGibi = 1073741824;

const DecoderTable& table() {
    static const auto loaded = loadDecoderTable(std::filesystem::path(STEELYARD_SOURCE_DIR) / "resources").value();
    return loaded;
}

const DecoderSpec& spec(const char* name) {
    const auto* found = table().find(name);
    if (found == nullptr) throw std::invalid_argument(name);
    return *found;
}

std::string textOf(const std::filesystem::path& file) {
    return readFile(file, 1 << 24).value();
}

TEST(Decoder, CountsParametersAsPublished) {
    struct Published {
        const char* model;
        double billions, digits;
    };
    // Published totals, to the printed digits: model cards, llama-bench (gpt-oss), technical reports (DeepSeek).
    for (const auto& [model, billions, digits] : {
             Published{"tinyllama_1_1b", 1.1000, 4},
             {"llama_2_7b", 6.7384, 4},
             {"llama_2_13b", 13.0159, 4},
             {"llama_2_70b", 68.9766, 4},
             {"llama_3_8b", 8.0303, 4},
             {"llama_3_1_8b", 8.0303, 4},
             {"llama_3_1_70b", 70.5537, 4},
             {"llama_3_3_70b", 70.5537, 4},
             {"llama_3_1_405b", 405.85, 2},
             {"llama_3_2_1b", 1.2358, 4},
             {"llama_3_2_3b", 3.2127, 4},
             {"qwen2_5_0_5b", 0.4940, 4},
             {"qwen2_5_1_5b", 1.5437, 4},
             {"qwen2_5_3b", 3.0859, 4},
             {"qwen2_5_7b", 7.6156, 4},
             {"qwen2_5_14b", 14.7700, 4},
             {"qwen2_5_32b", 32.7639, 4},
             {"qwen2_5_72b", 72.7062, 4},
             {"qwen3_0_6b", 0.5960, 4},
             {"qwen3_1_7b", 1.7206, 4},
             {"qwen3_4b", 4.0225, 4},
             {"qwen3_8b", 8.1907, 4},
             {"qwen3_14b", 14.7683, 4},
             {"qwen3_32b", 32.7621, 4},
             {"qwen3_30b_a3b", 30.5321, 4},
             {"qwen3_235b_a22b", 235.1, 1},
             {"mistral_7b_v0_1", 7.2417, 4},
             {"mixtral_8x7b", 46.7028, 4},
             {"phi_3_mini", 3.8211, 4},
             {"phi_4", 14.6595, 4},
             {"phi_4_mini", 3.8360, 4},
             {"gemma_2_2b", 2.6143, 4},
             {"gemma_2_9b", 9.2417, 4},
             {"gemma_2_27b", 27.2271, 4},
             {"gemma_3_1b", 0.9999, 4},
             {"gemma_3_4b", 3.8801, 4},
             {"gemma_3_12b", 11.7658, 4},
             {"gemma_3_27b", 27.0090, 4},
             {"smollm2_135m", 0.1345, 4},
             {"smollm2_360m", 0.3618, 4},
             {"smollm2_1_7b", 1.7114, 4},
             {"gpt_oss_20b", 20.91, 2},
             {"gpt_oss_120b", 116.83, 2},
             {"deepseek_v2_lite", 15.706, 3},
             {"deepseek_v3", 671.0, 1},
         })
        EXPECT_NEAR(parametersOf(spec(model)).total / 1e9, billions, 0.51 * std::pow(10, -digits)) << model;
}

TEST(Decoder, CountsActiveParametersOfExperts) {
    const auto withoutEmbedding = [](const char* name) {
        const auto counts = parametersOf(spec(name));
        return (counts.active - counts.embedding) / 1e9;
    };
    EXPECT_NEAR(parametersOf(spec("qwen3_30b_a3b")).active / 1e9, 3.353, 0.0005);
    EXPECT_NEAR(parametersOf(spec("mixtral_8x7b")).active / 1e9, 12.880, 0.0005);
    EXPECT_NEAR(withoutEmbedding("gpt_oss_20b"), 3.61, 0.005);
    EXPECT_NEAR(withoutEmbedding("gpt_oss_120b"), 5.13, 0.005);
    EXPECT_NEAR(withoutEmbedding("deepseek_v2_lite"), 2.45, 0.005);
    EXPECT_NEAR(withoutEmbedding("deepseek_v3"), 36.6, 0.05);
}

TEST(Decoder, SizesFilesAsPublished) {
    struct Published {
        const char *model, *weights;
        double gib;
    };
    // Sizes of published GGUF files, as llama-bench prints them.
    for (const auto& [model, weights, gib] : {
             Published{"llama_2_7b", "q4_0", 3.56},
             {"llama_2_7b", "q8_0", 6.67},
             {"llama_2_7b", "f16", 12.55},
             {"llama_3_8b", "q4_k_s", 4.36},
             {"llama_3_8b", "q4_k_m", 4.58},
             {"llama_3_8b", "q5_k_s", 5.21},
             {"llama_3_8b", "q6_k", 6.14},
             {"llama_3_8b", "q8_0", 7.95},
             {"llama_3_8b", "f16", 14.96},
             {"llama_3_70b", "q4_k_m", 39.59},
             {"llama_3_70b", "q5_k_m", 46.52},
             {"llama_3_70b", "q6_k", 53.91},
             {"llama_3_70b", "q8_0", 69.82},
             {"llama_3_70b", "f16", 131.42},
             {"llama_2_13b", "q4_k_m", 7.33},
             {"llama_3_2_1b", "q4_0", 0.711},
             {"llama_3_2_3b", "q4_k_m", 1.87},
             {"qwen2_5_7b", "q4_k_m", 4.36},
             {"qwen2_5_14b", "q4_k_m", 8.37},
             {"phi_4", "q4_k_m", 8.43},
             {"phi_4", "q8_0", 14.51},
             {"tinyllama_1_1b", "q4_k_m", 636.18 / 1024},
             {"gpt_oss_20b", "mxfp4", 11.27},
             {"gpt_oss_120b", "mxfp4", 59.02},
         }) {
        const auto* scheme = findWeightScheme(weights);
        ASSERT_NE(scheme, nullptr) << weights;
        EXPECT_NEAR(weightBytes(spec(model), *scheme).total / kGibi / gib, 1, 0.002) << model << " " << weights;
    }
}

TEST(Decoder, ReadsWithoutTheInputEmbeddingAndInactiveExperts) {
    const auto& q4 = *findWeightScheme("q4_k_m");
    // 4.58 GiB minus 128,256 x 4,096 weights at 144 bytes per 256 (published rows of a predictor: 4,621,880,510).
    EXPECT_NEAR(weightBytes(spec("llama_3_8b"), q4).readPerToken, 4'621'880'510, 5e6);
    const auto tied = weightBytes(spec("llama_3_2_3b"), q4);
    EXPECT_EQ(tied.readPerToken, tied.total);
    const auto experts = weightBytes(spec("gpt_oss_20b"), *findWeightScheme("mxfp4"));
    EXPECT_LT(experts.readPerToken, experts.total / 4);
    EXPECT_GT(experts.expertsPerToken, 0);
}

TEST(Decoder, CacheGrowsWithContextUntilTheWindow) {
    EXPECT_EQ(cacheBytesPerToken(spec("llama_3_1_8b")), 131'072);
    EXPECT_EQ(cacheBytes(spec("llama_3_1_8b"), 8192), 1 << 30);
    // A log line of llama.cpp: 262,144 cells, 8 layers, 1,024 wide, q8_0: K 2,176.00 MiB; the same again for values.
    DecoderSpec logged = spec("llama_3_1_8b");
    logged.layers = 8;
    logged.kvHeads = 8;
    EXPECT_EQ(cacheBytes(logged, 262'144, CacheType::Q8_0) / 2, 2176.0 * 1048576);
    // Half of the layers keep 128 tokens at most.
    const auto& windowed = spec("gpt_oss_20b");
    EXPECT_EQ(cacheBytes(windowed, 100), 100 * cacheBytesPerToken(windowed));
    EXPECT_EQ(cacheBytes(windowed, 1128), (128 + 1000.0 / 2) * cacheBytesPerToken(windowed));
    // Latent attention stores 576 numbers per layer.
    EXPECT_EQ(cacheBytesPerToken(spec("deepseek_v3")), 61 * 576 * 2);
}

TEST(Decoder, CountsLoraParametersAsPublished) {
    EXPECT_EQ(loraParameters(spec("llama_2_7b"), 8, LoraTargets::QueryValue), 4'194'304);
    EXPECT_EQ(loraParameters(spec("llama_3_1_8b"), 16, LoraTargets::AllLinear), 41'943'040);
}

TEST(Decoder, NamesFormatsAndRefusesUnknownOnes) {
    EXPECT_EQ(findWeightScheme("Q4_K_M"), findWeightScheme("q4_k_m"));
    EXPECT_EQ(findWeightScheme("q4_k_x"), nullptr);
    for (std::size_t i = 0; i < 22; ++i) {
        const auto type = static_cast<TensorType>(i);
        EXPECT_EQ(formatOf(type).type, type);
        if (formatOf(type).ggufType >= 0) {
            EXPECT_EQ(tensorTypeFromGguf(static_cast<std::uint64_t>(formatOf(type).ggufType)), type);
        }
    }
    EXPECT_FALSE(tensorTypeFromGguf(9999));
}

// Details missing in a file are taken from the table before comparing.
DecoderSpec alike(DecoderSpec read, const DecoderSpec& known, bool isGguf) {
    read.id = known.id;
    read.title = known.title;
    read.source = known.source;
    read.date = known.date;
    if (isGguf && read.family != "deepseek_v2") read.family = known.family;  // Mistral and Mixtral are "llama" there
    // llama.cpp's conversion writes the factors of Llama 3's rotation as a tensor, not as metadata.
    if (isGguf && known.rotaryScaling == RotaryScaling::Llama3) {
        read.rotaryScaling = known.rotaryScaling;
        read.rotaryFactor = known.rotaryFactor;
    }
    return read;
}

class DecoderFiles : public testing::TestWithParam<const char*> {};

TEST_P(DecoderFiles, ConfigAndGgufGiveTheSpecificationOfTheTable) {
    const std::string name = GetParam();
    const auto folder = kData / name;
    const auto config = decoderFromConfig("config.json", textOf(folder / "config.json"));
    ASSERT_TRUE(config) << describe(config.error());
    EXPECT_THAT(config->unread, testing::IsEmpty());
    const auto header = readGgufHeader(folder / "header.gguf");
    ASSERT_TRUE(header) << describe(header.error());
    EXPECT_FALSE(header->hasData);
    const auto gguf = decoderFromGguf("header.gguf", *header);
    ASSERT_TRUE(gguf) << describe(gguf.error());
    const auto* known = table().find(name);
    const auto& expected = known != nullptr ? *known : config->spec;
    EXPECT_EQ(toJson(alike(config->spec, expected, false)), toJson(expected));
    auto read = alike(*gguf, expected, true);
    // Stored as fp32.
    EXPECT_NEAR(read.normEpsilon / expected.normEpsilon, 1, 1e-6);
    read.normEpsilon = expected.normEpsilon;
    EXPECT_EQ(toJson(read), toJson(expected));
    // The tensors of the file have as many weights as the specification, except for two kinds of bias in gpt-oss.
    double elements = 0;
    for (const auto& tensor : header->tensors) {
        double product = 1;
        for (const auto size : tensor.sizes) product *= static_cast<double>(size);
        elements += product;
    }
    EXPECT_EQ(elements, parametersOf(expected).total);
}

INSTANTIATE_TEST_SUITE_P(Families, DecoderFiles,
                         testing::Values("llama_3_1_8b", "mistral_7b_v0_1", "mixtral_8x7b", "qwen2_5_7b",
                                         "qwen1_5_moe_a2_7b", "qwen3_8b", "qwen3_30b_a3b", "gemma_2_2b", "gemma_3_1b",
                                         "phi_3_mini", "gpt_oss_20b", "deepseek_v2_lite", "deepseek_v3", "olmo2_7b",
                                         "smollm3_3b", "gpt2"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(DecoderFile, FamiliesOutsideTheTableHaveTheirPublishedParameters) {
    const auto total = [](const char* name) {
        return parametersOf(decoderFromConfig(name, textOf(kData / name / "config.json")).value().spec).total;
    };
    EXPECT_EQ(total("gpt2"), 124'439'808);
    EXPECT_EQ(total("olmo2_7b"), 7'298'617'344);
    EXPECT_EQ(total("smollm3_3b"), 3'075'098'624);
    EXPECT_EQ(total("qwen1_5_moe_a2_7b"), 14'315'784'192);
}

TEST(DecoderFile, ReadsGemma3InsideItsImageModel) {
    const auto inner = textOf(kData / "gemma_3_1b" / "config.json");
    const auto config = decoderFromConfig("c", "{\"model_type\":\"gemma3\",\"text_config\":" + inner + "}");
    ASSERT_TRUE(config) << describe(config.error());
    EXPECT_EQ(parametersOf(config->spec).total, parametersOf(spec("gemma_3_1b")).total);
}

TEST(DecoderFile, RefusesConfigurationsInASentence) {
    const auto error = [](std::string_view text) {
        const auto config = decoderFromConfig("config.json", text);
        return config ? std::string("accepted") : describe(config.error());
    };
    EXPECT_THAT(error("[]"), HasSubstr("must be an object"));
    EXPECT_THAT(error("{}"), HasSubstr("model_type"));
    EXPECT_THAT(error(R"({"model_type": "mamba"})"), HasSubstr("unknown model architecture \"mamba\""));
    EXPECT_THAT(error(R"({"model_type": "llama"})"), HasSubstr("num_hidden_layers"));
    const auto with = [](const std::string& members) {
        return R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
                  "vocab_size": 100, "intermediate_size": 128)" +
               members + "}";
    };
    EXPECT_EQ(error(with("")), "accepted");
    EXPECT_THAT(error(with(R"(, "num_key_value_heads": 3)")), HasSubstr("does not divide"));
    EXPECT_THAT(error(with(R"(, "num_key_value_heads": 8)")), HasSubstr("kv_heads"));
    EXPECT_THAT(error(with(R"(, "num_hidden_layers": 1e18)")), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(error(with(R"(, "num_hidden_layers": 100000)")), HasSubstr("between"));
    EXPECT_THAT(error(with(R"(, "rope_theta": -1)")), HasSubstr("rope_theta"));
    EXPECT_THAT(error(with(R"(, "rope_theta": 0)")), HasSubstr("rotary_theta"));
    EXPECT_THAT(error(with(R"(, "rope_scaling": {"rope_type": "spiral"})")), HasSubstr("spiral"));
    const auto remarks = decoderFromConfig("c", with(R"(, "novel_part": 1)"));
    ASSERT_TRUE(remarks);
    EXPECT_THAT(remarks->unread, testing::ElementsAre("novel_part"));
}

TEST(DecoderFile, ReadsASmallFileWithItsWeights) {
    const auto header = readGgufHeader(kData / "tiny.gguf");
    ASSERT_TRUE(header) << describe(header.error());
    EXPECT_TRUE(header->hasData);
    const auto model = decoderFromGguf("tiny.gguf", *header);
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_EQ(model->vocabulary, 40);
    EXPECT_TRUE(model->tiedEmbeddings);
    const auto weights = weightsOf(*header, *model);
    double expected = 0;
    for (const auto& tensor : header->tensors) expected += tensor.bytes();
    EXPECT_EQ(weights.total, expected);
    EXPECT_EQ(weights.readPerToken, expected);
    EXPECT_EQ(weights.scheme, "bf16");
    // A truncated file has fewer bytes than its tensors.
    const auto bytes = textOf(kData / "tiny.gguf");
    const auto cut = ggufHeaderFromBytes("cut", std::string_view(bytes).substr(0, bytes.size() - 4000));
    ASSERT_FALSE(cut);
    EXPECT_THAT(describe(cut.error()), HasSubstr("beyond the end of the file"));
    for (std::size_t length = 0; length < 1500; length += 7)
        EXPECT_FALSE(ggufHeaderFromBytes("cut", std::string_view(bytes).substr(0, length)).has_value()) << length;
}

template <typename T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ggufOf(std::uint64_t tensors, std::uint64_t pairs, const std::string& rest, std::uint32_t version = 3) {
    std::string bytes = "GGUF";
    put(bytes, version);
    put(bytes, tensors);
    put(bytes, pairs);
    return bytes + rest + std::string(64, '\0');
}

std::string named(const std::string& name) {
    std::string bytes;
    put(bytes, std::uint64_t{name.size()});
    return bytes + name;
}

TEST(DecoderFile, RefusesHostileHeadersInASentence) {
    const auto error = [](const std::string& bytes) {
        const auto header = ggufHeaderFromBytes("model.gguf", bytes);
        return header ? std::string("accepted") : describe(header.error());
    };
    EXPECT_THAT(error("GGU"), HasSubstr("model.gguf"));
    EXPECT_THAT(error(std::string(100, 'x')), HasSubstr("not a GGUF file"));
    EXPECT_THAT(error(ggufOf(0, 0, "", 1)), HasSubstr("version 1"));
    EXPECT_THAT(error(ggufOf(1'000'000'000, 0, "")), HasSubstr("1000000000 entries"));
    EXPECT_THAT(error(ggufOf(~std::uint64_t{0}, ~std::uint64_t{0}, "")), HasSubstr("entries"));
    std::string length;
    put(length, std::uint64_t{1} << 63);
    EXPECT_THAT(error(ggufOf(0, 1, length)), HasSubstr("shorter than its header says"));
    // An array within an array within ...
    auto nested = named("key");
    put(nested, std::uint32_t{9});
    for (int i = 0; i < 1000; ++i) {
        put(nested, std::uint32_t{9});
        put(nested, std::uint64_t{1});
    }
    EXPECT_THAT(error(ggufOf(0, 1, nested)), HasSubstr("nested too deeply"));
    auto longArray = named("key");
    put(longArray, std::uint32_t{9});
    put(longArray, std::uint32_t{12});
    put(longArray, std::uint64_t{1} << 61);
    EXPECT_THAT(error(ggufOf(0, 1, longArray)), HasSubstr("shorter"));
    auto unknown = named("key");
    put(unknown, std::uint32_t{77});
    EXPECT_THAT(error(ggufOf(0, 1, unknown)), HasSubstr("unknown value type 77"));
    const auto tensor = [](const std::string& name, std::uint64_t size, std::uint32_t type, std::uint64_t offset) {
        auto bytes = named(name);
        put(bytes, std::uint32_t{1});
        put(bytes, size);
        put(bytes, type);
        put(bytes, offset);
        return bytes;
    };
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t\x1b[31m", 4, 1234, 0))), HasSubstr("unknown type 1234"));
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t", 4, 0, std::uint64_t{1} << 62))), HasSubstr("beyond the end"));
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t", 1'000'000, 0, 0))), HasSubstr("beyond the end"));
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t", std::uint64_t{1} << 50, 0, 0))), HasSubstr("impossible size"));
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t", 0, 0, 0))), HasSubstr("impossible size"));
    EXPECT_THAT(error(ggufOf(2, 0, tensor("t", 1, 0, 0) + tensor("t", 1, 0, 0))), HasSubstr("occurs twice"));
    EXPECT_THAT(error(ggufOf(1, 0, tensor("t", 4, 0, 1))), HasSubstr("not aligned"));
}

TEST(DecoderFile, TakesRegularFilesOnly) {
    const test::TemporaryFolder folder;
    const auto pipe = folder.path() / "model.gguf";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_FALSE(readGgufHeader(pipe).has_value());
    EXPECT_FALSE(readGgufHeader(folder.path()).has_value());
    EXPECT_FALSE(readGgufHeader(std::filesystem::path("/dev/zero")).has_value());
}

TEST(DecoderNames, ResolvesNamesAndFiles) {
    EXPECT_EQ(table().find("Llama-3.1-8B"), table().find("llama_3_1_8b"));
    const auto missing = resolveDecoder(table(), "llama_3_1_9b");
    ASSERT_FALSE(missing);
    EXPECT_THAT(describe(missing.error()), HasSubstr("llama_3_1_8b"));
    const auto config = (kData / "qwen3_8b" / "config.json").string();
    EXPECT_TRUE(namesDecoder(table(), config));
    const auto resolved = resolveDecoder(table(), config);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->spec.title, "qwen3_8b");
    EXPECT_FALSE(namesDecoder(table(), "resnet50"));
    EXPECT_FALSE(namesDecoder(table(), std::string(STEELYARD_SOURCE_DIR) + "/tests/data/networks/small_cnn.json"));
    const auto gguf = resolveDecoder(table(), (kData / "tiny.gguf").string());
    ASSERT_TRUE(gguf) << describe(gguf.error());
    EXPECT_GT(gguf->fileWeightBytes.value_or(0), 0);
}

TEST(DecoderNames, TableSaysItsSources) {
    EXPECT_GE(table().models.size(), 45U);
    for (const auto& model : table().models) {
        EXPECT_FALSE(model.source.empty()) << model.id;
        EXPECT_FALSE(model.date.empty()) << model.id;
        EXPECT_TRUE(checkSpec(model, model.id)) << model.id;
    }
}

}  // namespace
}  // namespace steelyard::model
