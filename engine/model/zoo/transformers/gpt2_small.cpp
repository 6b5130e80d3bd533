// SPDX-License-Identifier: Apache-2.0
// A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever, "Language Models are Unsupervised Multitask Learners",
// 2019. https://openai.com/index/better-language-models/  GPT-2 small: 124,439,808 parameters, the output layer tied to
// the embedding. Three workloads: training (or scoring) of whole texts; prefill, which reads a text and computes the
// logits of the last token only; and decode, one more token with the keys and values of the earlier ones cached.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

constexpr std::int64_t kGpt2Vocabulary = 50'257, kGpt2Context = 1'024, kGpt2Width = 768;
constexpr double kGpt2Dropout = 0.1, kGpt2Epsilon = 1e-5;

struct Reading {
    std::int64_t tokens = kGpt2Context;
    std::int64_t cached = 0;
    bool lastOnly = false;  // logits of the last token only
};

Result<Graph> buildGpt2(const std::string& id, const Reading& reading) {
    GraphBuilder g(id);
    g.weightInit(InitKind::Normal, 0.02);
    const auto embedded =
        g.add(Embedding{kGpt2Vocabulary, kGpt2Width, false}, {g.ids(reading.tokens, kGpt2Vocabulary)});
    auto x = g.add(PositionEmbedding{.positions = kGpt2Context, .offset = reading.cached}, {embedded});
    x = g.dropout(x, kGpt2Dropout);
    const TransformerStyle style{.normFirst = true,
                                 .activation = ActivationKind::GeluTanh,
                                 .dropout = kGpt2Dropout,
                                 .epsilon = kGpt2Epsilon,
                                 .causal = true,
                                 .cachedTokens = reading.cached};
    for (int block = 0; block < 12; ++block) x = transformerBlock(g, x, style);
    x = g.add(LayerNorm{kGpt2Epsilon}, {x});
    if (reading.lastOnly) x = g.add(SelectStep{-1}, {x});
    g.head(g.tiedDense(x, embedded));
    return std::move(g).build();
}

Workload describeGpt2(const WorkloadChoice& choice, const std::string& title, const Reading& reading) {
    return {.id = choice.id,
            .title = title,
            .family = "staples",
            .paper =
                "Radford, Wu, Child, Luan, Amodei, Sutskever: Language Models are Unsupervised Multitask "
                "Learners, 2019",
            .link = "https://openai.com/index/better-language-models/",
            .dataset = "synthetic",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 2.5e-4, .clipNorm = 1.0},
            .batch = 4,
            .batchSweep = {1, 2, 4, 8, 16},
            .epochs = 1,
            .parameters = 124'439'808,
            .tokensPerSample = reading.tokens,
            .build = [id = choice.id, reading] { return buildGpt2(id, reading); }};
}

}  // namespace

Workload gpt2Small() {
    return configurable(
        "gpt2_small",
        {{.name = "tokens", .standard = kGpt2Context, .low = 8, .high = kGpt2Context, .about = "of a text"}},
        [](const WorkloadChoice& choice) { return describeGpt2(choice, "GPT-2 small", {.tokens = choice["tokens"]}); });
}

Workload gpt2SmallPrefill() {
    return configurable(
        "gpt2_small_prefill",
        {{.name = "tokens", .standard = kGpt2Context, .low = 8, .high = kGpt2Context, .about = "of the prompt"}},
        [](const WorkloadChoice& choice) {
            auto workload =
                describeGpt2(choice, "GPT-2 small, prefill", {.tokens = choice["tokens"], .lastOnly = true});
            workload.batch = 1;
            workload.inferenceOnly = true;
            return workload;
        });
}

Workload gpt2SmallDecode() {
    return configurable("gpt2_small_decode",
                        {{.name = "cached",
                          .standard = kGpt2Context - 1,
                          .low = 1,
                          .high = kGpt2Context - 1,
                          .about = "tokens before this one"}},
                        [](const WorkloadChoice& choice) {
                            auto workload = describeGpt2(choice, "GPT-2 small, decode",
                                                         {.tokens = 1, .cached = choice["cached"], .lastOnly = true});
                            workload.batch = 1;
                            workload.batchSweep = {1, 4, 16, 64};
                            workload.inferenceOnly = true;
                            return workload;
                        });
}

}  // namespace steelyard::model
