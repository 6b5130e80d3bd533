// SPDX-License-Identifier: Apache-2.0
#include "engine/model/zoo/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace steelyard::model {
namespace {

TEST(Zoo, EveryNetworkCanBeBuiltAndIsDescribed) {
    for (const auto& workload : workloads()) {
        SCOPED_TRACE(workload.id);
        const auto graph = workload.build();
        ASSERT_TRUE(graph) << describe(graph.error());
        EXPECT_EQ(graph->trainableParameters(), workload.parameters);
        EXPECT_EQ(graph->name, workload.id);
        EXPECT_GT(workload.batch, 0);
        EXPECT_FALSE(workload.title.empty() || workload.paper.empty() || workload.family.empty());
        EXPECT_EQ(workload.link.substr(0, 8), "https://");
        EXPECT_EQ(workload.options.empty(), workload.choose == nullptr);
        const bool ids = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                                     [](const auto& node) { return node.type == DataType::Int32; });
        EXPECT_EQ(ids, workload.dataKind == DataKind::TokenIds);
    }
}

std::int64_t parametersOf(std::string_view id) {
    return findWorkload(id).value()->parameters;
}
std::int64_t parametersAndState(std::string_view id) {
    const auto graph = findWorkload(id).value()->build().value();
    return graph.trainableParameters() + graph.stateParameters();
}

// Each published figure, beside the definition it refers to.
TEST(Zoo, ParameterCountsAreThePublishedOnes) {
    // Woolf 2017 (the Keras examples).
    EXPECT_EQ(parametersOf("mnist_mlp"), 669'706);
    EXPECT_EQ(parametersOf("mnist_cnn"), 1'199'882);
    EXPECT_EQ(parametersOf("cifar10_cnn"), 1'250'858);
    EXPECT_EQ(parametersOf("imdb_fasttext"), 50 * 1'200'000 + 51);
    EXPECT_EQ(parametersOf("imdb_bilstm"), 2'658'945);
    EXPECT_EQ(parametersOf("text_lstm"), 102'585);
    EXPECT_EQ(parametersAndState("text_generator"), 458'430);
    // dlbench.
    EXPECT_EQ(parametersOf("fcn_s"), 117'997'696);
    EXPECT_EQ(parametersOf("fcn_r"), 14'205'962);
    EXPECT_EQ(parametersOf("alexnet_s"), 62'378'344);
    EXPECT_EQ(parametersOf("alexnet_r"), 85'098);
    EXPECT_EQ(parametersOf("resnet50"), 25'557'032);
    EXPECT_EQ(parametersOf("resnet56"), 855'050);
    EXPECT_EQ(parametersOf("lstm_ptb"), 6'180'624);
    // Keras Applications without the top, including moving statistics, and a head with five classes.
    EXPECT_EQ(parametersAndState("flowers_xception"), 20'861'480 + 10'245);
    EXPECT_EQ(parametersAndState("flowers_vgg16"), 14'714'688 + 2'565);
    EXPECT_EQ(parametersAndState("flowers_resnet50"), 23'587'712 + 10'245);
    EXPECT_EQ(parametersAndState("xception"), 22'910'480);
}

TEST(Zoo, ParameterCountsOfTheStaplesAreThePublishedOnes) {
    EXPECT_EQ(parametersOf("resnet18"), 11'689'512);
    EXPECT_EQ(parametersOf("resnet34"), 21'797'672);
    EXPECT_EQ(parametersOf("resnet101"), 44'549'160);
    EXPECT_EQ(parametersOf("resnet152"), 60'192'808);
    EXPECT_EQ(parametersOf("alexnet"), 61'100'840);
    EXPECT_EQ(parametersOf("vgg16"), 138'357'544);
    EXPECT_EQ(parametersOf("vgg19"), 143'667'240);
    EXPECT_EQ(parametersOf("inception_v3"), 23'834'568);
    EXPECT_EQ(parametersOf("mobilenet_v2"), 3'504'872);
    EXPECT_EQ(parametersOf("vit_b16"), 86'567'656);
    // With the pooler and a classifier with two classes; without the pooler and with two pointers into the text.
    EXPECT_EQ(parametersOf("bert_base_128"), 109'482'240 + 2 * (768 + 1));
    EXPECT_EQ(parametersOf("bert_base_384"), 108'891'648 + 2 * (768 + 1));
    EXPECT_EQ(parametersOf("bert_large_128"), 335'141'888 + 2 * (1024 + 1));
    EXPECT_EQ(parametersOf("bert_large_384"), 334'092'288 + 2 * (1024 + 1));
    for (const char* id : {"gpt2_small", "gpt2_small_prefill", "gpt2_small_decode"})
        EXPECT_EQ(parametersOf(id), 124'439'808) << id;
}

TEST(Zoo, ShortNamesAreKnown) {
    EXPECT_EQ(findWorkload("bert_base").value()->id, "bert_base_128");
    EXPECT_EQ(findWorkload("bert_large").value()->id, "bert_large_128");
}

TEST(Zoo, ThroughputIsCountedInTokensForLanguageModels) {
    EXPECT_EQ(throughputUnit(*findWorkload("lstm_ptb").value()), "tokens/s");
    EXPECT_EQ(throughputUnit(*findWorkload("gpt2_small_decode").value()), "tokens/s");
    EXPECT_EQ(throughputUnit(*findWorkload("resnet50").value()), "samples/s");
    EXPECT_EQ(throughputUnit(*findWorkload("imdb_bilstm").value()), "samples/s");
    EXPECT_EQ(throughputUnit(*findWorkload("gemm").value()), "FLOP/s");
    EXPECT_EQ(throughputUnit(*findWorkload("memory_bandwidth").value()), "B/s");
    EXPECT_EQ(throughputUnit(*findWorkload("launch_overhead").value()), "operations/s");
}

TEST(Zoo, IdsAreUnique) {
    std::set<std::string> ids;
    for (const auto& workload : workloads()) EXPECT_TRUE(ids.insert(workload.id).second) << workload.id;
}

TEST(Zoo, UnknownIdNamesTheNearest) {
    const auto found = findWorkload("mnist_cn");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::NotFound);
    EXPECT_EQ(found.error().detail.text, "unknown workload \"mnist_cn\"; did you mean mnist_cnn?");
}

}  // namespace
}  // namespace steelyard::model
