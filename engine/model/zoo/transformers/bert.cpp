// SPDX-License-Identifier: Apache-2.0
#include "engine/model/zoo/transformers/bert.h"

#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

constexpr std::int64_t kBertVocabulary = 30'522, kBertPositions = 512;
constexpr double kBertDropout = 0.1, kBertEpsilon = 1e-12;

NodeId encoder(GraphBuilder& g, const BertSize& size, std::int64_t sequence) {
    auto x = g.add(Embedding{kBertVocabulary, size.width, false}, {g.ids(sequence, kBertVocabulary)});
    x = g.add(TokenTypeEmbedding{2}, {x});
    x = g.add(PositionEmbedding{.positions = kBertPositions}, {x});
    x = g.dropout(g.add(LayerNorm{kBertEpsilon}, {x}), kBertDropout);
    const TransformerStyle style{
        .heads = size.heads, .hidden = 4 * size.width, .dropout = kBertDropout, .epsilon = kBertEpsilon};
    for (std::int64_t layer = 0; layer < size.layers; ++layer) x = transformerBlock(g, x, style);
    return x;
}

Result<Graph> buildBert(const std::string& id, const BertSize& size, BertTask task, std::int64_t sequence) {
    GraphBuilder g(id);
    g.weightInit(InitKind::Normal, 0.02);
    const auto x = encoder(g, size, sequence);
    if (task == BertTask::Classify) {
        const auto pooled = g.activation(g.dense(g.add(SelectStep{0}, {x}), size.width), ActivationKind::Tanh);
        g.head(g.dense(g.dropout(pooled, kBertDropout), 2));
    } else {
        for (int end = 0; end < 2; ++end) g.head(g.flatten(g.dense(x, 1)), LossKind::SoftmaxCrossEntropy, 0.5);
    }
    return std::move(g).build();
}

}  // namespace

Workload bertWorkload(const BertSize& size, BertTask task, std::int64_t sequence) {
    const auto make = [size, task](const WorkloadChoice& choice) {
        const bool classify = task == BertTask::Classify;
        return Workload{.id = choice.id,
                        .title = size.title + (classify ? ", classification" : ", question answering"),
                        .family = "staples",
                        .paper = "Devlin, Chang, Lee, Toutanova: BERT, 2018",
                        .link = "https://arxiv.org/abs/1810.04805",
                        .dataset = "synthetic",
                        .dataKind = DataKind::TokenIds,
                        .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 5e-5, .clipNorm = 1.0},
                        .batch = classify ? 32 : 8,
                        .batchSweep = {},
                        .epochs = 3,
                        .trainSamples = classify ? 67'349 : 88'524,  // SST-2; SQuAD 1.1 in windows of 384
                        .validationSamples = classify ? 872 : 10'784,
                        .parameters = size.parameters,
                        .build = [id = choice.id, size, task, tokens = choice["sequence"]] {
                            return buildBert(id, size, task, tokens);
                        }};
    };
    return configurable(
        size.id,
        {{.name = "sequence", .standard = sequence, .low = 8, .high = kBertPositions, .about = "tokens of a sample"}},
        make);
}

}  // namespace steelyard::model
