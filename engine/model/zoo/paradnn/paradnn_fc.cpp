// SPDX-License-Identifier: Apache-2.0
// Y. Wang, G.-Y. Wei, D. Brooks, "Benchmarking TPU, GPU, and CPU Platforms for Deep Learning" (ParaDnn), 2019.
// https://arxiv.org/abs/1907.10701  The fully connected family: `layers` layers of `nodes` with relu, softmax. A
// training step is 6 batch (in nodes + (layers - 1) nodes^2 + nodes out) FLOP. 5,402,824 parameters with the default
// options. RMSprop as published, but without its momentum of .9.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildParadnnFc(const WorkloadChoice& choice) {
    GraphBuilder g(choice.id);
    g.weightInit(InitKind::HeNormal);
    auto x = g.input({choice["input"]});
    for (std::int64_t layer = 0; layer < choice["layers"]; ++layer) x = g.relu(g.dense(x, choice["nodes"]));
    g.head(g.dense(x, choice["output"]));
    return std::move(g).build();
}

Workload makeParadnnFc(const WorkloadChoice& choice) {
    const auto nodes = choice["nodes"], output = choice["output"];
    return {.id = choice.id,
            .title = "ParaDnn fully connected",
            .family = "paradnn",
            .paper = "Wang, Wei, Brooks: Benchmarking TPU, GPU, and CPU Platforms for Deep Learning, 2019",
            .link = "https://arxiv.org/abs/1907.10701",
            .dataset = "synthetic",
            .dataKind = DataKind::Vectors,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 0.1, .rho = 0.9, .epsilon = 1.0},
            .batch = 64,
            .batchSweep = {64, 256, 1024, 4096, 16384},
            .epochs = 1,
            .parameters =
                (choice["input"] + 1) * nodes + (choice["layers"] - 1) * (nodes + 1) * nodes + (nodes + 1) * output,
            .build = [choice] { return buildParadnnFc(choice); }};
}

}  // namespace

Workload paradnnFc() {
    return configurable("paradnn_fc",
                        {{.name = "layers", .standard = 4, .low = 4, .high = 128, .about = "hidden layers"},
                         {.name = "nodes", .standard = 1024, .low = 32, .high = 8192, .about = "of a hidden layer"},
                         {.name = "input", .standard = 2000, .low = 2000, .high = 8000, .about = "inputs"},
                         {.name = "output", .standard = 200, .low = 200, .high = 1000, .about = "classes"}},
                        makeParadnnFc);
}

}  // namespace steelyard::model
