// SPDX-License-Identifier: Apache-2.0
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016.
// https://arxiv.org/abs/1608.07249  AlexNet-R for CIFAR-10, without normalisation; pooling rounds down. 85,098
// parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildAlexnetR() {
    GraphBuilder g("alexnet_r");
    auto x = g.input({3, 32, 32});
    x = g.relu(g.maxPool(g.conv(x, square(32, 5, 1, 2)), 3, 2));
    x = g.maxPool(g.relu(g.conv(x, square(32, 5, 1, 2))), 3, 2);
    x = g.relu(g.conv(x, square(64, 5, 1, 2)));
    x = g.add(Pool2d{PoolKind::Average, {3, 3}, {2, 2}, {}, false, false}, {x});
    g.head(g.dense(g.flatten(x), 10));
    return std::move(g).build();
}

}  // namespace

Workload alexnetR() {
    return {.id = "alexnet_r",
            .title = "AlexNet-R",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "cifar10",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::Momentum, .learningRate = 0.01, .momentum = 0.9},
            .batch = 1024,
            .batchSweep = {86, 256, 512, 1024, 2048},
            .epochs = 1,
            .trainSamples = 50'000,
            .validationSamples = 10'000,
            .parameters = 85'098,
            .build = buildAlexnetR};
}

}  // namespace steelyard::model
