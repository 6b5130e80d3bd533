// SPDX-License-Identifier: Apache-2.0
// M. Woolf, "Benchmarking TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017: his character-level
// generator in Keras 2.0.5. https://minimaxir.com/2017/07/cpu-or-gpu/  An LSTM with an auxiliary output (weight .2) and
// two dense layers with batch norm. 458,430 parameters as Keras counts, including 1,536 moving statistics: 456,894 are
// trained.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildTextGenerator(const std::string& id, std::int64_t characters) {
    GraphBuilder g(id);
    auto x = g.add(Embedding{characters, 300, false}, {g.ids(40, characters)});
    x = g.add(Recurrent{.cell = RecurrentCell::Lstm, .units = 128}, {x});
    const auto auxiliary = g.dense(x, characters);
    for (const std::int64_t units : {512, 256}) x = g.relu(g.add(kKerasBatchNorm, {g.dense(x, units, false)}));
    g.head(g.dense(x, characters));
    g.head(Head{.logits = auxiliary, .weight = 0.2, .trainingOnly = true});
    return std::move(g).build();
}

Workload makeTextGenerator(const WorkloadChoice& choice) {
    const auto characters = choice["characters"];
    return {.id = choice.id,
            .title = "Text generator",
            .family = "woolf2017",
            .paper = "Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "text",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 0.001, .decay = 1e-4},
            .batch = 128,
            .batchSweep = {},
            .epochs = 10,
            .trainSamples = 200'285,
            .validationSamples = 0,
            .parameters = 686 * characters + 417'792,
            .build = [id = choice.id, characters] { return buildTextGenerator(id, characters); }};
}

}  // namespace

Workload textGenerator() {
    return configurable(
        "text_generator",
        {{.name = "characters", .standard = 57, .low = 2, .high = 4096, .about = "different characters of the text"}},
        makeTextGenerator);
}

}  // namespace steelyard::model
