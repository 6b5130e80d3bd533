// SPDX-License-Identifier: Apache-2.0
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016.
// https://arxiv.org/abs/1608.07249  FCN-R: 784 - 2048 - 4096 - 1024 - 10, sigmoid. 14,205,962 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildFcnR() {
    GraphBuilder g("fcn_r");
    auto x = g.input({784});
    for (const std::int64_t units : {2048, 4096, 1024}) x = g.activation(g.dense(x, units), ActivationKind::Sigmoid);
    g.head(g.dense(x, 10));
    return std::move(g).build();
}

}  // namespace

Workload fcnR() {
    return {.id = "fcn_r",
            .title = "FCN-R",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "mnist",
            .dataKind = DataKind::Vectors,
            .optimizer = {.kind = OptimizerKind::Momentum, .learningRate = 0.05, .momentum = 0.9},
            .batch = 1024,
            .batchSweep = {342, 512, 1024, 2048, 4096},
            .epochs = 1,
            .trainSamples = 60'000,
            .validationSamples = 10'000,
            .parameters = 14'205'962,
            .build = buildFcnR};
}

}  // namespace steelyard::model
