// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: imdb_fasttext (Keras 2.0.5, 2017), as timed by M. Woolf, "Benchmarking
// TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017. https://minimaxir.com/2017/07/cpu-or-gpu/
// After A. Joulin, E. Grave, P. Bojanowski, T. Mikolov, "Bag of Tricks for Efficient Text Classification", 2016.
// Words and bigrams: the table has one row per id in the data (`ids`); 60,000,051 parameters for the 1,200,000 ids of
// the synthetic data. Adam updates the whole table each step, as in the original.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildImdbFasttext(const std::string& id, std::int64_t ids, bool sparse) {
    GraphBuilder g(id);
    const auto embedded = g.add(Embedding{ids, 50, sparse}, {g.ids(400, ids)});
    g.head(g.dense(g.add(GlobalAveragePool{}, {embedded}), 1), LossKind::SigmoidCrossEntropy);
    return std::move(g).build();
}

Workload makeImdbFasttext(const WorkloadChoice& choice) {
    const auto ids = choice["ids"];
    const bool sparse = choice["update"] == 1;
    return {.id = choice.id,
            .title = "IMDb fastText",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "imdb",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 0.001},
            .batch = 32,
            .batchSweep = {},
            .epochs = 5,
            .trainSamples = 25'000,
            .validationSamples = 25'000,
            .parameters = 50 * ids + 51,
            .build = [id = choice.id, ids, sparse] { return buildImdbFasttext(id, ids, sparse); },
            .remark = sparse ? "updates only the rows that occur in a batch: not comparable with the original" : ""};
}

}  // namespace

Workload imdbFasttext() {
    return configurable(
        "imdb_fasttext",
        {{.name = "ids", .standard = 1'200'000, .low = 100, .high = 20'000'000, .about = "words and bigrams"},
         {.name = "update", .standard = 0, .low = 0, .high = 1, .words = {"dense", "sparse"}, .about = "of the table"}},
        makeImdbFasttext);
}

}  // namespace steelyard::model
