// SPDX-License-Identifier: Apache-2.0
#include "engine/model/resolve.h"

#include <gtest/gtest.h>

namespace steelyard::model {
namespace {

std::string detailOf(std::string_view text) {
    const auto found = resolveWorkload(text);
    return found ? "resolved" : found.error().detail.text;
}

TEST(ResolveWorkload, AnIdGivesTheWorkloadOfTheZoo) {
    for (const auto& workload : workloads()) {
        const auto found = resolveWorkload(workload.id);
        ASSERT_TRUE(found) << workload.id;
        EXPECT_EQ(found->id, workload.id);
    }
    EXPECT_EQ(resolveWorkload("  mnist_mlp ").value().id, "mnist_mlp");
    EXPECT_EQ(resolveWorkload("bert_base").value().id, "bert_base_128");
}

TEST(ResolveWorkload, OptionsChangeTheNetwork) {
    const auto deeper = resolveWorkload("fcn_s(hidden_layers=4)").value();
    EXPECT_EQ(deeper.parameters, 122'194'048);  // as stated in the paper's text
    EXPECT_EQ(deeper.build().value().name, "fcn_s(hidden_layers=4)");
    EXPECT_EQ(resolveWorkload("paradnn_fc(layers=8,nodes=512,input=4000,output=1000)").value().parameters,
              4001 * 512 + 7 * 513 * 512 + 513 * 1000);
    EXPECT_EQ(resolveWorkload("lstm_ptb(steps=64)").value().tokensPerSample, 64);
    // Three gates instead of four: 5 layers x (2 x 100 + 1) x 100 fewer.
    EXPECT_EQ(
        resolveWorkload("paradnn_rnn").value().parameters - resolveWorkload("paradnn_rnn(cell=gru)").value().parameters,
        5 * 201 * 100);
}

TEST(ResolveWorkload, TheIdIsTheShortestAndGivesTheSameAgain) {
    EXPECT_EQ(resolveWorkload("fcn_s(hidden_layers=3)").value().id, "fcn_s");
    EXPECT_EQ(resolveWorkload("paradnn_fc()").value().id, "paradnn_fc");
    const auto found = resolveWorkload(" paradnn_rnn ( layers = 3 , cell = gru , length=50) ").value();
    EXPECT_EQ(found.id, "paradnn_rnn(cell=gru,layers=3)");
    EXPECT_EQ(resolveWorkload(found.id).value().id, found.id);
    EXPECT_EQ(resolveWorkload(found.id).value().parameters, found.parameters);
}

// The limits of every range and every keyword, one option at a time.
TEST(ResolveWorkload, EveryOptionTakesItsWholeRange) {
    for (const auto& workload : workloads()) {
        for (const auto& option : workload.options) {
            SCOPED_TRACE(workload.id + " " + option.name);
            EXPECT_LE(option.low, option.standard);
            EXPECT_LE(option.standard, option.high);
            EXPECT_EQ(option.standard % option.multiple, 0);
            EXPECT_FALSE(option.about.empty());
            EXPECT_TRUE(option.words.empty() || option.words.size() == static_cast<std::size_t>(option.high + 1));
            for (const auto value : {option.low, option.high}) {
                const auto text =
                    option.words.empty() ? std::to_string(value) : option.words[static_cast<std::size_t>(value)];
                const auto found = resolveWorkload(workload.id + "(" + option.name + "=" + text + ")");
                ASSERT_TRUE(found) << describe(found.error());
                EXPECT_EQ(found->build().value().trainableParameters(), found->parameters);
            }
        }
    }
}

// The parameters stated by a file for its variants match the network built.
TEST(ResolveWorkload, FormulasOfParametersHold) {
    for (const char* text : {"fcn_s(hidden_layers=7)", "imdb_fasttext(ids=5000)", "paradnn_fc(layers=5,nodes=64)",
                             "paradnn_rnn(cell=rnn,layers=2,embedding=200,vocabulary=64)"}) {
        const auto found = resolveWorkload(text).value();
        WorkloadChoice choice{found.id, {}};
        EXPECT_EQ(found.build().value().trainableParameters(), found.parameters) << text;
    }
}

TEST(ResolveWorkload, RefusesWithWhatThereIs) {
    EXPECT_EQ(detailOf("mnist_cn"), "unknown workload \"mnist_cn\"; did you mean mnist_cnn?");
    EXPECT_EQ(resolveWorkload("mnist_cn").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(detailOf("mnist_cnn(size=3)"), "workload \"mnist_cnn\": it has no options");
    EXPECT_EQ(detailOf("fcn_s(layers=4)"), "workload \"fcn_s\": unknown option \"layers\"; known: hidden_layers");
    EXPECT_EQ(detailOf("fcn_s(hidden_layers=99)"), "workload \"fcn_s\": hidden_layers takes 1 to 16, not \"99\"");
    EXPECT_EQ(detailOf("fcn_s(hidden_layers=4x)"), "workload \"fcn_s\": hidden_layers takes 1 to 16, not \"4x\"");
    EXPECT_EQ(detailOf("fcn_s(hidden_layers=)"), "workload \"fcn_s\": hidden_layers takes 1 to 16, not \"\"");
    EXPECT_EQ(detailOf("fcn_s(hidden_layers=99999999999999999999)"),
              "workload \"fcn_s\": hidden_layers takes 1 to 16, not \"99999999999999999999\"");
    EXPECT_EQ(detailOf("fcn_s(4)"), "workload \"fcn_s\": \"4\" is not of the form option=value");
    EXPECT_EQ(detailOf("fcn_s(hidden_layers=4,hidden_layers=4)"),
              "workload \"fcn_s\": the option \"hidden_layers\" is given twice");
    EXPECT_EQ(detailOf("vit_b16(size=225)"), "workload \"vit_b16\": size takes 32 to 1024 in steps of 16, not \"225\"");
    EXPECT_EQ(detailOf("paradnn_rnn(cell=mlp)"), "workload \"paradnn_rnn\": cell takes lstm, gru, rnn, not \"mlp\"");
    for (const char* text : {"fcn_s(hidden_layers=4", "fcn_s(hidden_layers=4))", "fcn_s((hidden_layers=4)", "fcn_s()x"})
        EXPECT_TRUE(detailOf(text).ends_with("the parentheses do not match")) << text << ": " << detailOf(text);
    EXPECT_FALSE(resolveWorkload(""));
    EXPECT_FALSE(resolveWorkload("("));
    EXPECT_EQ(resolveWorkload("./there/is/no.json").error().kind, ErrorKind::NotFound);
}

TEST(SplitWorkloads, LeavesCommasInParenthesesAlone) {
    EXPECT_EQ(splitWorkloads("a, paradnn_fc(layers=4,nodes=64) ,b"),
              (std::vector<std::string>{"a", "paradnn_fc(layers=4,nodes=64)", "b"}));
    EXPECT_EQ(splitWorkloads(" ,a,, "), (std::vector<std::string>{"a"}));
    EXPECT_TRUE(splitWorkloads("").empty());
}

TEST(DescribeOption, IsOneLine) {
    EXPECT_EQ(describe(findWorkload("fcn_s").value()->options[0]), "hidden_layers: layers of 2,048, 1 to 16 (3)");
    EXPECT_EQ(describe(findWorkload("paradnn_rnn").value()->options[0]), "cell: kind of cell, lstm, gru, rnn (lstm)");
}

TEST(ResolveWorkload, AConfigurationCanBeTrained) {
    const std::string folder = std::string(STEELYARD_SOURCE_DIR) + "/tests/data/decoders/";
    const auto config = folder + "llama_3_1_8b/config.json";
    const auto whole = resolveWorkload(config + "(mode=train,tokens=64)").value();
    EXPECT_EQ(whole.parameters, 8'030'261'248);
    EXPECT_EQ(whole.tokensPerSample, 64);
    EXPECT_TRUE(whole.id.starts_with(config + "(mode=train,tokens=64)#")) << whole.id;
    EXPECT_EQ(resolveWorkload(whole.id).value().id, whole.id);
    // Adapters of rank 16 beside all matrices, as counted by others.
    const auto lora = resolveWorkload(config + "( mode = lora )").value();
    EXPECT_EQ(lora.parameters, 41'943'040);
    EXPECT_TRUE(lora.id.find("(mode=lora,tokens=512,rank=16)#") != std::string::npos) << lora.id;
    EXPECT_EQ(lora.build().value().frozenParameters(), 8'030'261'248);
    for (const char* name :
         {"gemma_2_2b", "gemma_3_1b", "gpt2", "mistral_7b_v0_1", "qwen2_5_7b", "qwen3_8b", "phi_3_mini"})
        EXPECT_TRUE(resolveWorkload(folder + name + "/config.json(mode=train,tokens=16)")) << name;
    for (const char* name : {"deepseek_v3", "gpt_oss_20b", "mixtral_8x7b", "olmo2_7b", "qwen3_30b_a3b", "smollm3_3b"}) {
        const auto refused = resolveWorkload(folder + name + "/config.json(mode=train)");
        ASSERT_FALSE(refused) << name;
        EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported) << name;
    }
    for (const char* wrong :
         {"(mode=train,rank=4)", "(mode=lora,tokens=0)", "(mode=lora,rank=x)", "(mode=train,mode=lora)",
          "(mode=train,tokens=4,tokens=5)", "(mode=train)#00000000", "(mode=lora,rank=9999)"}) {
        const auto refused = resolveWorkload(config + wrong);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_EQ(refused.error().kind, ErrorKind::InvalidArgument) << wrong;
    }
    EXPECT_FALSE(resolveWorkload("missing/config.json(mode=train)"));
}

}  // namespace
}  // namespace steelyard::model
