// SPDX-License-Identifier: Apache-2.0
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016.
// https://arxiv.org/abs/1608.07249  The word-level LSTM for the Penn Treebank, after W. Zaremba, I. Sutskever, O.
// Vinyals, "Recurrent Neural Network Regularization", 2014: two layers of 256, 32 steps, stateful across batches.
// 6,180,624 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildLstmPtb(const std::string& id, std::int64_t steps) {
    GraphBuilder g(id);
    constexpr std::int64_t kVocabulary = 10'000, kUnits = 256;
    auto x = g.add(Embedding{kVocabulary, kUnits, false}, {g.ids(steps, kVocabulary)});
    for (int layer = 0; layer < 2; ++layer) {
        x = g.add(Recurrent{.cell = RecurrentCell::Lstm,
                            .units = kUnits,
                            .returnSequence = true,
                            .forgetBias = 0,
                            .carryState = true},
                  {x});
    }
    g.head(g.dense(x, kVocabulary));
    return std::move(g).build();
}

Workload makeLstmPtb(const WorkloadChoice& choice) {
    const auto steps = choice["steps"];
    return {.id = choice.id,
            .title = "LSTM (PTB)",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "ptb",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::Sgd, .learningRate = 0.1, .clipNorm = 5.0},
            .batch = 128,
            .batchSweep = {64, 128, 256, 512, 1024},
            .epochs = 1,
            .trainSamples = 929'589 / steps,  // words of the training file
            .validationSamples = 73'760 / steps,
            .parameters = 6'180'624,
            .tokensPerSample = steps,
            .build = [id = choice.id, steps] { return buildLstmPtb(id, steps); }};
}

}  // namespace

Workload lstmPtb() {
    return configurable("lstm_ptb", {{.name = "steps", .standard = 32, .low = 2, .high = 256, .about = "words"}},
                        makeLstmPtb);
}

}  // namespace steelyard::model
