// SPDX-License-Identifier: Apache-2.0
// Language models on the command line: list, show, predict, fit, backtest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/app/cli/advice_fixture.h"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kModels = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/decoders/";

class LanguageTest : public AdviceCliTest {
protected:
    nlohmann::json predicted(std::vector<std::string> arguments) {
        return document("predict", "language_prediction.schema.json", std::move(arguments));
    }
    static nlohmann::json target(const nlohmann::json& document, const std::string& id) {
        for (const auto& entry : document["targets"])
            if (entry["id"] == id) return entry;
        ADD_FAILURE() << "no target " << id;
        return {};
    }
};

TEST_F(LanguageTest, ListsModels) {
    const auto models = call({"list", "models", "--json"}).json()["models"];
    EXPECT_GE(models.size(), 45U);
    EXPECT_THAT(call({"list", "models"}).out, HasSubstr("llama_3_1_8b"));
}

TEST_F(LanguageTest, MeasuresAFileAndStoresIt) {
    const auto outcome =
        call({"run", "--workload", kModels + "computed/llama_q8_0.gguf", "--mode", "decode,generate", "--context", "20",
              "--prompt", "8", "--tokens", "9", "--device", "cpu", "--time-cap", "0.6", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const auto document = outcome.json();
    ASSERT_EQ(document["records"].size(), 2U);
    for (const auto& record : document["records"]) {
        EXPECT_EQ(record["status"], "ok") << record["reason"];
        EXPECT_EQ(record["verification"]["state"], "pass");
        EXPECT_EQ(record["throughput"]["unit"], "tokens/s");
        EXPECT_EQ(record["visits"].size(), 3U);
        const auto& language = record["language"];
        const bool generates = language["task"] == "generate";
        EXPECT_EQ(language["tokens_per_step"], generates ? 9 : 1);
        EXPECT_EQ(language["token_times"]["p50_seconds"].is_number(), generates);
        EXPECT_EQ(language["token_seconds"].size(), 8 * language["first_token_seconds"].size());
    }
    const auto stored = call({"history", "show", "latest", "--json"}).json();
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(stored["records"][i]["language"], document["records"][i]["language"]);
    EXPECT_THAT(call({"history", "show", "latest"}).out, HasSubstr("first token after"));
    EXPECT_THAT(call({"history", "compare", "latest", "latest"}).out, HasSubstr("mode=decode"));
    // The measured case is returned unless it was disturbed.
    const bool disturbed =
        stored["records"][0]["figure"].is_null() || stored["records"][0]["figure"]["disturbed"] == true;
    const auto known = predicted(
        {"--workload", kModels + "computed/llama_q8_0.gguf", "--mode", "decode", "--context", "20", "--on", "own/cpu"});
    const auto here = target(known, "own/cpu");
    EXPECT_EQ(here["software"], "steelyard");
    EXPECT_TRUE(here["tokens_per_second"].is_object());
    if (!disturbed) {
        EXPECT_EQ(here["basis"], "measured");
    }
}

TEST_F(LanguageTest, MeasuresSeveralSequencesAndWhereTheTimeGoes) {
    const auto outcome =
        call({"run", "--workload", kModels + "computed/llama_q8_0.gguf", "--mode", "decode", "--context", "20",
              "--batch", "1,3", "--time-cap", "0.3", "--profile", "--no-save", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const auto records = outcome.json()["records"];
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[1]["case"]["batch"], 3);
    EXPECT_EQ(records[1]["language"]["cache_bytes"], 3 * records[0]["language"]["cache_bytes"].get<int>());
    for (const auto& record : records) EXPECT_FALSE(record["profile"]["operations"].empty());
}

TEST_F(LanguageTest, RunRefusesWhatIsNoModel) {
    EXPECT_THAT(call({"run", "--workload", "mnist_mlp", "--mode", "decode"}).err, HasSubstr("--mode"));
    EXPECT_THAT(call({"run", "--workload", "mnist_mlp", "--context", "9"}).err, HasSubstr("--context"));
    EXPECT_THAT(call({"run", "--workload", "lama_3_2_1b(mode=decode)"}).err, HasSubstr("llama_3_2_1b"));
    EXPECT_THAT(call({"run", "--workload", "llama_3_2_1b", "--mode", "decode", "--weights", "q9"}).err,
                HasSubstr("q4_k_m"));
    EXPECT_THAT(call({"run", "--workload", "llama_3_2_1b", "--context", "0"}).err, HasSubstr("--context"));
}

TEST_F(LanguageTest, ShowsSizes) {
    const auto shown = call({"show", "llama_3_1_8b", "--weights", "q4_k_m", "--context", "8192", "--json"}).json();
    EXPECT_EQ(shown["parameters"], 8'030'261'248);
    EXPECT_NEAR(shown["weights_bytes"].get<double>() / 1073741824, 4.58, 0.01);
    EXPECT_EQ(shown["kv_bytes_per_token"], 131'072);
    EXPECT_EQ(shown["kv_bytes"], 1073741824);
    EXPECT_EQ(shown["specification"]["layers"], 32);
    EXPECT_THAT(call({"show", "qwen3_30b_a3b"}).out, HasSubstr("active"));
    // The same model from its files.
    for (const auto* file : {"llama_3_1_8b/config.json", "llama_3_1_8b/header.gguf"}) {
        const auto other = call({"show", kModels + file, "--weights", "q4_k_m", "--json"});
        ASSERT_EQ(other.code, 0) << other.err;
        EXPECT_EQ(other.json()["parameters"], shown["parameters"]) << file;
        EXPECT_EQ(other.json()["weights_bytes"], shown["weights_bytes"]) << file;
    }
    // Networks are shown as before.
    EXPECT_THAT(call({"show", "mnist_mlp"}).out, HasSubstr("parameters"));
}

TEST_F(LanguageTest, PredictsEveryDeviceWithMemory) {
    const auto document =
        predicted({"--workload", "llama_3_1_8b", "--weights", "q4_k_m", "--mode", "decode", "--context", "4096"});
    const auto hardware = call({"list", "hardware", "--json"}).json()["hardware"];
    ASSERT_GT(hardware.size(), 150U);
    const auto prompts = predicted({"--workload", "llama_3_1_8b", "--mode", "prefill", "--prompt", "512"});
    const auto tuning =
        this->document("predict", "finetuning.schema.json", {"--workload", "llama_3_1_8b", "--mode", "qlora"});
    for (const auto* all : {&document, &prompts, &tuning}) {
        std::set<std::string> ids;
        for (const auto& entry : (*all)["targets"]) EXPECT_TRUE(ids.insert(entry["id"]).second) << entry;
        int speeds = 0;
        for (const auto& device : hardware) {
            ASSERT_TRUE(ids.contains(device["id"])) << device["id"];
            const auto entry = target(*all, device["id"]);
            EXPECT_GT(entry["memory_bytes"], 1e9) << device["id"];
            if (!device["figures"]["memory_bytes"].is_null()) {
                EXPECT_TRUE(entry["fits"].is_boolean()) << device["id"];
            }
            const auto& speed = entry["tokens_per_second"];
            EXPECT_EQ(speed.is_null(), entry["refused_because"].is_string()) << device["id"];
            if (speed.is_null()) continue;
            ++speeds;
            EXPECT_GT(speed["low"], 0) << device["id"];
            EXPECT_LE(speed["low"], speed["median"]) << device["id"];
            EXPECT_LE(speed["median"], speed["high"]) << device["id"];
        }
        EXPECT_GT(speeds, 100);
    }
    EXPECT_EQ(document["targets"].size(), hardware.size() + 1) << "and this computer's processor";
    const auto card = target(document, "rtx4090");
    EXPECT_EQ(card["software"], "llamacpp_cuda");
    EXPECT_GT(card["tokens_per_second"]["median"], 80);
    EXPECT_LT(card["tokens_per_second"]["median"], 200);
    EXPECT_EQ(card["fits"], true);
    EXPECT_EQ(card["basis"], "extrapolated");
}

TEST_F(LanguageTest, TakesSoftwarePromptsAndDevices) {
    const auto vllm = predicted(
        {"--workload", "llama_3_1_8b", "--weights", "awq4", "--software", "vllm", "--on", "a100_sxm_80,apple_m4max32"});
    EXPECT_TRUE(target(vllm, "a100_sxm_80")["tokens_per_second"].is_object());
    EXPECT_THAT(target(vllm, "apple_m4max32")["refused_because"], HasSubstr("does not run"));
    const auto old = predicted(
        {"--workload", "llama_3_1_8b", "--weights", "f16", "--software", "vllm", "--on", "gtx1080ti,titanrtx"});
    EXPECT_THAT(target(old, "gtx1080ti")["refused_because"], HasSubstr("requires a newer card"));
    EXPECT_TRUE(target(old, "titanrtx")["tokens_per_second"].is_object());
    const auto prompt =
        predicted({"--workload", "llama_3_1_8b", "--mode", "prefill", "--prompt", "2048", "--on", "rtx4090"});
    EXPECT_EQ(prompt["prompt"], 2048);
    EXPECT_GT(target(prompt, "rtx4090")["tokens_per_second"]["median"], 2000);
    const auto pair = predicted({"--workload", "llama_3_1_70b", "--on", "rtx3090", "--devices", "2"});
    EXPECT_EQ(target(pair, "rtx3090")["fits"], true);
    const auto ram = predicted({"--workload", "llama_3_1_8b", "--on", "ryzen_9950x", "--memory-gib", "64"});
    EXPECT_EQ(target(ram, "ryzen_9950x")["fits"], true);
    EXPECT_THAT(call({"predict", "--workload", "llama_3_1_8b"}).out, HasSubstr("no stored measurements"));
}

TEST_F(LanguageTest, KnowsEverySoftware) {
    for (const char* software :
         {"llamacpp", "llamacpp_cuda", "llamacpp_metal", "llamacpp_rocm", "llamacpp_vulkan", "llamacpp_sycl",
          "llamacpp_cpu", "ik_llamacpp_cpu", "mlx", "mlc", "openvino_gpu", "exllama", "exllamav2", "autoawq",
          "gpt_fast", "transformers", "vllm", "tensorrt_llm", "steelyard"}) {
        const auto document = predicted({"--workload", "llama_3_1_8b", "--mode", "decode", "--software", software});
        const auto runs = std::ranges::count_if(
            document["targets"], [](const nlohmann::json& one) { return one["tokens_per_second"].is_object(); });
        EXPECT_GT(runs, 0) << software;
        const auto fits =
            this->document("fit", "language_prediction.schema.json", {"llama_3_1_8b", "--software", software});
        EXPECT_EQ(fits["software"], software);
    }
    EXPECT_THAT(call({"fit", "llama_3_1_8b", "--software", "vlm"}).err, HasSubstr("did you mean vllm"));
    EXPECT_THAT(call({"advise", "--workload", "llama_3_1_8b", "--job", "serve", "--software", "mlxx"}).err,
                HasSubstr("did you mean mlx"));
    EXPECT_THAT(call({"advise", "--workload", "llama_3_1_8b", "--job", "finetune", "--software", "unslot"}).err,
                HasSubstr("did you mean unsloth"));
}

TEST_F(LanguageTest, ReadsAModelsOwnFile) {
    const auto tiny = predicted({"--workload", kModels + "tiny.gguf", "--on", "rtx3090"});
    EXPECT_EQ(tiny["weights"], "bf16");  // as given by its header
    EXPECT_EQ(call({"predict", "--workload", kModels + "missing.gguf"}).code, 2);
}

TEST_F(LanguageTest, EvaluatesAFileOnTokens) {
    const auto file = kModels + "computed/qwen3.gguf";
    std::ifstream stream(kModels + "computed/qwen3.json");
    const auto expected = nlohmann::json::parse(stream);
    const auto outputs = (m_folder / "logits.npy").string();
    std::string tokens;
    for (const auto& token : expected["tokens"]) tokens += (tokens.empty() ? "" : ",") + token.dump();
    const auto computed = document("evaluate", "language_evaluation.schema.json",
                                   {file, "--tokens", tokens, "--generate", "32", "--outputs", outputs});
    EXPECT_EQ(computed["generated"], expected["generated"]);
    EXPECT_EQ(computed["largest_logits"][0]["token"], expected["generated"][0]);
    EXPECT_EQ(computed["token_seconds"].size(), 31U);
    for (const std::vector<std::string>& how :
         {std::vector<std::string>{"--device", "reference"}, {"--cache", "f32", "--threads", "1"}}) {
        std::vector<std::string> arguments{file, "--tokens", tokens, "--generate", "32"};
        arguments.insert(arguments.end(), how.begin(), how.end());
        EXPECT_EQ(document("evaluate", "language_evaluation.schema.json", arguments)["generated"],
                  expected["generated"])
            << how[0];
    }
    EXPECT_EQ(std::filesystem::file_size(outputs), 128 + 64 * sizeof(float));
    EXPECT_THAT(call({"evaluate", file, "--tokens", "1,2", "--generate", "2"}).out, HasSubstr("generated: "));
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"evaluate", file},
                                                  {"evaluate", file, "--tokens", "1,x"},
                                                  {"evaluate", file, "--tokens", "64"},
                                                  {"evaluate", file, "--tokens", "1", "--inputs", "folder"},
                                                  {"evaluate", file, "--tokens", "1", "--device", "cuda:9"},
                                                  {"evaluate", kModels + "none.gguf", "--tokens", "1"},
                                                  {"evaluate", kModels + "deepseek_v3/header.gguf", "--tokens", "1"}}) {
        const auto refused = call(wrong);
        EXPECT_EQ(refused.code, 2) << refused.out;
        EXPECT_FALSE(refused.err.empty());
    }
}

TEST_F(LanguageTest, FitsModelsAndFineTuning) {
    const auto fits = document("fit", "language_prediction.schema.json", {"llama_3_1_70b", "--weights", "q4_k_m"});
    EXPECT_EQ(target(fits, "rtx4090")["fits"], false);
    EXPECT_GT(target(fits, "rtx4090")["layers_on_device"], 30);
    EXPECT_EQ(target(fits, "apple_m3ultra80")["fits"], true);
    EXPECT_GT(target(fits, "h200_sxm")["largest_context"], 100'000);
    EXPECT_THAT(call({"fit", "llama_3_1_70b"}).out, HasSubstr("largest context"));
    const auto tuning =
        call({"fit", "llama_2_7b", "--method", "lora", "--rank", "8", "--targets", "query_value", "--json"});
    ASSERT_EQ(tuning.code, 0) << tuning.err;
    EXPECT_EQ(tuning.json()["trained_parameters"], 4'194'304);
    EXPECT_THAT(call({"fit", "llama_2_7b", "--method", "qlora"}).out, HasSubstr("trained"));
}

TEST_F(LanguageTest, AdvisesWhatToServeWith) {
    const auto advice = document("advise", "serving.schema.json",
                                 {"--workload", "llama_3_1_8b", "--job", "serve", "--tokens-per-month", "1e9"});
    std::set<std::string> kinds;
    for (const auto& offer : advice["offers"]) kinds.insert(offer["kind"].get<std::string>());
    EXPECT_THAT(kinds, testing::ElementsAre("api", "buy", "rent"));
    EXPECT_TRUE(advice["sensitivity"].contains("buy_beats_api_above_million_tokens"));
    const auto chat = call({"advise", "--workload", "qwen3_14b", "--job", "chat"});
    EXPECT_EQ(chat.code, 0) << chat.err;
    EXPECT_THAT(chat.out, HasSubstr("Speeds are predictions"));
    for (const char* software : {"vllm", "tensorrt_llm", "llamacpp_cuda"}) {
        const auto with = document("advise", "serving.schema.json",
                                   {"--workload", "llama_3_1_8b", "--job", "chat", "--software", software});
        EXPECT_EQ(with["software"], software);
        for (const auto& offer : with["offers"])
            if (offer["kind"] != "api" && offer["usd_per_month"].is_object()) {
                EXPECT_EQ(offer["software"], software);
            }
    }
    EXPECT_TRUE(advice["software"].is_null());
    EXPECT_THAT(chat.out, HasSubstr("the fastest software with published speeds for it"));
    const auto own =
        call({"advise", "--workload", "qwen3_8b", "--job", "serve", "--api-input", "0.001", "--api-output", "0.001"});
    EXPECT_THAT(own.out, HasSubstr("api/own/entered"));
}

TEST_F(LanguageTest, PredictsAndPricesFineTuning) {
    const auto predicted = document("predict", "finetuning.schema.json",
                                    {"--workload", "llama_3_1_8b", "--mode", "qlora", "--step-tokens", "4096"});
    const auto card = target(predicted, "rtx4090");
    EXPECT_EQ(predicted["method"], "qlora");
    EXPECT_EQ(predicted["sequence"], 2048);
    EXPECT_EQ(card["fits"], true);
    EXPECT_GT(card["tokens_per_second"]["median"], 500);
    EXPECT_LT(card["tokens_per_second"]["median"], 4000);
    const auto pair = document("predict", "finetuning.schema.json",
                               {"--workload", "llama_3_1_8b", "--mode", "train", "--on", "a100_sxm_80", "--devices",
                                "2", "--software", "torchtune", "--checkpointing", "no"});
    EXPECT_EQ(pair["checkpointing"], false);
    EXPECT_EQ(target(pair, "a100_sxm_80")["software"], "torchtune");
    EXPECT_THAT(call({"predict", "--workload", "llama_3_1_8b", "--mode", "lora"}).out,
                HasSubstr("no stored measurements"));

    const auto advice = document("advise", "finetuning.schema.json",
                                 {"--workload", "llama_3_1_8b", "--job", "finetune", "--method", "qlora",
                                  "--dataset-tokens", "5e6", "--epochs", "3"});
    EXPECT_EQ(advice["tokens"], 15e6);
    EXPECT_EQ(call({"advise", "--workload", "llama_3_1_8b", "--job", "finetune", "--json"}).json()["tokens"], 1e7);
    EXPECT_EQ(advice["offers"][0]["rejected_because"].size(), 0U);
    std::set<std::string> kinds;
    for (const auto& offer : advice["offers"])
        if (offer["usd"].is_object()) kinds.insert(offer["kind"].get<std::string>());
    EXPECT_THAT(kinds, testing::ElementsAre("buy", "rent"));
    EXPECT_TRUE(advice["sensitivity"]["fastest"].is_string());
    const auto text =
        call({"advise", "--workload", "llama_3_1_8b", "--job", "finetune", "--tokens", "2e7", "--top", "3"});
    EXPECT_THAT(text.out, HasSubstr("Speeds are predictions"));
    EXPECT_THAT(text.out, HasSubstr("Fastest: "));
}

TEST_F(LanguageTest, RefusesInASentence) {
    for (const auto& [arguments, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"predict", "--workload", "llama_3_1_8b", "--weights", "q9"}, "unknown weight format"},
             {{"predict", "--workload", "llama_3_1_8b", "--software", "llamacpp_cud"}, "did you mean"},
             {{"predict", "--workload", "llama_3_1_8b", "--mode", "infer"}, "train, lora and qlora"},
             {{"predict", "--workload", "llama_3_1_8b", "--mode", "lora", "--context", "9"}, "not for fine-tuning"},
             {{"predict", "--workload", "llama_3_1_8b", "--mode", "lora", "--software", "unslot"}, "unsloth"},
             {{"predict", "--workload", "llama_3_1_8b", "--rank", "8"}, "--mode train, lora or qlora"},
             {{"predict", "--workload", "resnet50", "--mode", "qlora"}, "for language models"},
             {{"predict", "--workload", "resnet50", "--rank", "8"}, "for language models"},
             {{"advise", "--workload", "llama_3_1_8b", "--job", "serve", "--tokens", "9"}, "--job finetune"},
             {{"advise", "--workload", "resnet50", "--rank", "8"}, "--job finetune"},
             {{"predict", "--workload", "llama_3_1_8b", "--prompt", "5"}, "--mode prefill"},
             {{"predict", "--workload", "llama_3_1_8b", "--context", "0"}, "--context"},
             {{"predict", "--workload", "llama_3_1_8b", "--context", "1e30"}, "--context"},
             {{"predict", "--workload", "llama_3_1_8b", "--on", "rtx3091"}, "did you mean"},
             {{"predict", "--workload", "resnet50", "--weights", "q4_0"}, "for language models"},
             {{"predict", "--workload", "resnet50", "--mode", "decode"}, "for language models"},
             {{"advise", "--workload", "llama_3_1_8b"}, "--job serve"},
             {{"advise", "--workload", "resnet50", "--job", "serve"}, "unknown language model"},
             {{"fit", "resnet50"}, "unknown language model"},
             {{"fit", "llama_3_1_8b", "--rank", "4"}, "--method"},
         }) {
        const auto outcome = call(arguments);
        EXPECT_EQ(outcome.code, 2) << part;
        EXPECT_THAT(outcome.err, HasSubstr(part));
        EXPECT_THAT(outcome.out, IsEmpty()) << part;
    }
    // Beyond what the model was trained for: allowed, with a remark.
    const auto longer = call({"predict", "--workload", "llama_2_7b", "--context", "9000", "--json"});
    EXPECT_EQ(longer.code, 0);
    EXPECT_THAT(longer.err, HasSubstr("trained for a context of 4096 tokens"));
}

TEST_F(LanguageTest, PrintsTheErrorOfItsPredictions) {
    const auto report = call({"backtest", "--family", "language_models", "--json"}).json();
    EXPECT_EQ(report["predicted_above_roof"], 0);
    EXPECT_EQ(report["classes"][0]["class"], "decode_fitted");
    EXPECT_LT(report["classes"][1]["median_error"], 0.11);
    EXPECT_THAT(call({"backtest", "--family", "language_models"}).out, HasSubstr("decode_device_left_out_gpu"));
}

}  // namespace
}  // namespace steelyard::cli
