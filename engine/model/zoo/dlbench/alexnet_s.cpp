// SPDX-License-Identifier: Apache-2.0
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016.
// https://arxiv.org/abs/1608.07249  AlexNet-S for ImageNet: AlexNet without groups, dropout and normalisation.
// 62,378,344 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildAlexnetS() {
    GraphBuilder g("alexnet_s");
    auto x = g.input({3, 224, 224});
    x = g.maxPool(g.relu(g.conv(x, square(96, 11, 4, 2))), 3, 2);
    x = g.maxPool(g.relu(g.conv(x, square(256, 5, 1, 2))), 3, 2);
    for (const std::int64_t filters : {384, 384, 256}) x = g.relu(g.conv(x, square(filters, 3, 1, 1)));
    x = g.flatten(g.maxPool(x, 3, 2));
    for (int layer = 0; layer < 2; ++layer) x = g.relu(g.dense(x, 4096));
    g.head(g.dense(x, 1000));
    return std::move(g).build();
}

}  // namespace

Workload alexnetS() {
    return {.id = "alexnet_s",
            .title = "AlexNet-S",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "synthetic",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::Sgd, .learningRate = 0.01},
            .batch = 16,
            .batchSweep = {16, 32, 64, 128},
            .epochs = 1,
            .parameters = 62'378'344,
            .build = buildAlexnetS};
}

}  // namespace steelyard::model
