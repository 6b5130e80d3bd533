// SPDX-License-Identifier: Apache-2.0
// M. Sandler, A. Howard, M. Zhu, A. Zhmoginov, L.-C. Chen, "MobileNetV2: Inverted Residuals and Linear Bottlenecks",
// 2018. https://arxiv.org/abs/1801.04381  3,504,872 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

constexpr auto kRelu6 = ActivationKind::Relu6;

NodeId invertedResidual(GraphBuilder& g, NodeId x, std::int64_t expansion, std::int64_t filters, std::int64_t stride) {
    const auto channels = g.shapeOf(x)[0];
    const auto wide = channels * expansion;
    auto y = x;
    if (expansion > 1) y = convNorm(g, y, withoutBias(square(wide, 1)), kRelu6);
    auto depthwise = withoutBias(square(wide, 3, stride, 1));
    depthwise.groups = wide;
    y = convNorm(g, y, depthwise, kRelu6);
    y = convNorm(g, y, withoutBias(square(filters, 1)), std::nullopt);
    return stride == 1 && channels == filters ? g.add(Add{}, {y, x}) : y;
}

Result<Graph> buildMobilenetV2(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    g.weightInit(InitKind::HeNormal);
    auto x = convNorm(g, g.input({3, size, size}), withoutBias(square(32, 3, 2, 1)), kRelu6);
    struct Stage {
        std::int64_t expansion, filters, blocks, stride;
    };
    // Table 2 of the paper.
    for (const Stage& stage : {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
                               Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
        for (std::int64_t block = 0; block < stage.blocks; ++block)
            x = invertedResidual(g, x, stage.expansion, stage.filters, block == 0 ? stage.stride : 1);
    }
    x = convNorm(g, x, withoutBias(square(1280, 1)), kRelu6);
    g.head(g.dense(g.dropout(g.add(GlobalAveragePool{}, {x}), 0.2), 1000));
    return std::move(g).build();
}

}  // namespace

Workload mobilenetV2() {
    return sizedImageNetWorkload(
        {.id = "mobilenet_v2",
         .title = "MobileNetV2",
         .paper = "Sandler, Howard, Zhu, Zhmoginov, Chen: MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018",
         .link = "https://arxiv.org/abs/1801.04381",
         .parameters = 3'504'872,
         .build = buildMobilenetV2},
        imageSize(224, 32));
}

}  // namespace steelyard::model
