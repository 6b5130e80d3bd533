// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: imdb_bidirectional_lstm (Keras 2.0.5, 2017), as timed by M. Woolf,
// "Benchmarking TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017.
// https://minimaxir.com/2017/07/cpu-or-gpu/  The gates use the logistic function (Keras: a piecewise linear one).
// 2,658,945 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildImdbBilstm() {
    GraphBuilder g("imdb_bilstm");
    constexpr std::int64_t kVocabulary = 20'000;
    auto x = g.add(Embedding{kVocabulary, 128, false}, {g.ids(100, kVocabulary)});
    x = g.add(Recurrent{.cell = RecurrentCell::Lstm, .units = 64, .bidirectional = true}, {x});
    g.head(g.dense(g.dropout(x, 0.5), 1), LossKind::SigmoidCrossEntropy);
    return std::move(g).build();
}

}  // namespace

Workload imdbBilstm() {
    return {.id = "imdb_bilstm",
            .title = "IMDb bidirectional LSTM",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "imdb",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 0.001},
            .batch = 32,
            .batchSweep = {},
            .epochs = 4,
            .trainSamples = 25'000,
            .validationSamples = 25'000,
            .parameters = 2'658'945,
            .build = buildImdbBilstm};
}

}  // namespace steelyard::model
