// SPDX-License-Identifier: Apache-2.0
// Y. Wang, G.-Y. Wei, D. Brooks, "Benchmarking TPU, GPU, and CPU Platforms for Deep Learning" (ParaDnn), 2019.
// https://arxiv.org/abs/1907.10701  The recurrent family: an embedding, `layers` layers of the same width, and an
// output per token. 607,824 parameters with the default options. Sequences have full length here (random lengths in the
// paper); RMSprop as published, but without its momentum of .9.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Recurrent layerOf(const WorkloadChoice& choice) {
    constexpr RecurrentCell kCells[] = {RecurrentCell::Lstm, RecurrentCell::Gru, RecurrentCell::Rnn};
    return {.cell = kCells[choice["cell"]],
            .units = choice["embedding"],
            .bidirectional = false,
            .returnSequence = true,
            .forgetBias = 0};
}

Result<Graph> buildParadnnRnn(const WorkloadChoice& choice) {
    GraphBuilder g(choice.id);
    const auto vocabulary = choice["vocabulary"];
    auto x = g.add(Embedding{vocabulary, choice["embedding"], false}, {g.ids(choice["length"], vocabulary)});
    for (std::int64_t layer = 0; layer < choice["layers"]; ++layer) x = g.add(layerOf(choice), {x});
    g.head(g.dense(x, vocabulary));
    return std::move(g).build();
}

Workload makeParadnnRnn(const WorkloadChoice& choice) {
    const auto width = choice["embedding"], vocabulary = choice["vocabulary"];
    const auto gates = gateCount(layerOf(choice).cell);
    return {.id = choice.id,
            .title = "ParaDnn recurrent",
            .family = "paradnn",
            .paper = "Wang, Wei, Brooks: Benchmarking TPU, GPU, and CPU Platforms for Deep Learning, 2019",
            .link = "https://arxiv.org/abs/1907.10701",
            .dataset = "synthetic",
            .dataKind = DataKind::TokenIds,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 0.1, .rho = 0.9, .epsilon = 1.0},
            .batch = 64,
            .batchSweep = {64, 128, 256, 512, 1024},
            .epochs = 1,
            .parameters =
                vocabulary * width + choice["layers"] * gates * (2 * width + 1) * width + (width + 1) * vocabulary,
            .build = [choice] { return buildParadnnRnn(choice); }};
}

}  // namespace

Workload paradnnRnn() {
    return configurable(
        "paradnn_rnn",
        {{.name = "cell", .high = 2, .words = {"lstm", "gru", "rnn"}, .about = "kind of cell"},
         {.name = "layers", .standard = 5, .low = 1, .high = 13, .about = "recurrent layers"},
         {.name = "length", .standard = 50, .low = 10, .high = 90, .about = "tokens of a sample"},
         {.name = "vocabulary", .standard = 1024, .low = 2, .high = 1024, .about = "different tokens"},
         {.name = "embedding", .standard = 100, .low = 100, .high = 900, .about = "width of every layer"}},
        makeParadnnRnn);
}

}  // namespace steelyard::model
