// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015.
// https://arxiv.org/abs/1512.03385  As in Keras: stride in the first 1x1 convolution, convolutions with bias. For five
// classes of flowers at 331 x 331 with all layers trained, as timed by P. Mooney, "Benchmarking CPU, GPU and TPU on
// Kaggle", 2019. The backbone has 23,587,712 parameters as Keras counts, including 53,120 moving statistics; the head
// has 10,245. 23,544,837 are trained.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildFlowersResnet50(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    const ResidualStyle style{.bottleneck = true, .strideInFirst = true, .bias = true, .norm = kKerasBatchNorm};
    const auto x = residualStages(g, residualStem(g, g.input({3, size, size}), 64, style), 64, {3, 4, 6, 3}, style);
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), 5));
    return std::move(g).build();
}

}  // namespace

Workload flowersResnet50() {
    return flowersWorkload({"flowers_resnet50", "Flowers, ResNet50", "https://arxiv.org/abs/1512.03385", 23'544'837},
                           imageSize(331, 32), buildFlowersResnet50);
}

}  // namespace steelyard::model
