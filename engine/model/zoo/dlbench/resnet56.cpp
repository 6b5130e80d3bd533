// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015, section 4.2.
// https://arxiv.org/abs/1512.03385  ResNet-56 for CIFAR-10 with the parameter-free shortcut (option A), in the form of
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016: convolutions with
// bias and no relu after the addition. 855,050 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

NodeId block(GraphBuilder& g, NodeId x, std::int64_t filters, std::int64_t stride) {
    const auto shortcut = stride == 1 ? x : g.add(ShortcutPad{filters, stride}, {x});
    auto y = convNormRelu(g, x, square(filters, 3, stride, 1));
    y = convNorm(g, y, square(filters, 3, 1, 1), std::nullopt);
    return g.add(Add{}, {y, shortcut});
}

Result<Graph> buildResnet56() {
    GraphBuilder g("resnet56");
    g.weightInit(InitKind::HeNormal);
    auto x = convNormRelu(g, g.input({3, 32, 32}), square(16, 3, 1, 1));
    for (const std::int64_t filters : {16, 32, 64}) {
        for (int i = 0; i < 9; ++i) x = block(g, x, filters, filters > 16 && i == 0 ? 2 : 1);
    }
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), 10));
    return std::move(g).build();
}

}  // namespace

Workload resnet56() {
    return {.id = "resnet56",
            .title = "ResNet-56",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "cifar10",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::Momentum, .learningRate = 0.01, .momentum = 0.9, .weightDecay = 1e-4},
            .batch = 128,
            .batchSweep = {11, 16, 32, 64, 128},
            .epochs = 1,
            .trainSamples = 50'000,
            .validationSamples = 10'000,
            .parameters = 855'050,
            .build = buildResnet56};
}

}  // namespace steelyard::model
