// SPDX-License-Identifier: Apache-2.0
// C. Szegedy, V. Vanhoucke, S. Ioffe, J. Shlens, Z. Wojna, "Rethinking the Inception Architecture for Computer Vision",
// 2015. https://arxiv.org/abs/1512.00567  Without the auxiliary classifier, as in torchvision; 299 x 299.
// 23,834,568 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

// Consecutive layers from x, each a convolution, batch norm and relu.
NodeId column(GraphBuilder& g, NodeId x, const std::vector<Conv2d>& layers) {
    for (const auto& layer : layers) x = convNormRelu(g, x, withoutBias(layer), BatchNorm{1e-3, 0.1});
    return x;
}
Conv2d wide(std::int64_t filters, std::int64_t length) {
    return {filters, {1, length}, {1, 1}, {0, length / 2, 0, length / 2}, 1, false};
}
Conv2d tall(std::int64_t filters, std::int64_t length) {
    return {filters, {length, 1}, {1, 1}, {length / 2, 0, length / 2, 0}, 1, false};
}
NodeId smoothed(GraphBuilder& g, NodeId x) {
    return g.add(Pool2d{PoolKind::Average, {3, 3}, {1, 1}, {1, 1, 1, 1}, false, true}, {x});
}

// Figure 5: 35 x 35.
NodeId fine(GraphBuilder& g, NodeId x, std::int64_t pooled) {
    return g.add(Concat{}, {column(g, x, {square(64, 1)}), column(g, x, {square(48, 1), square(64, 5, 1, 2)}),
                            column(g, x, {square(64, 1), square(96, 3, 1, 1), square(96, 3, 1, 1)}),
                            column(g, smoothed(g, x), {square(pooled, 1)})});
}

// Figure 6: 17 x 17, 7x7 windows factorized into a row and a column.
NodeId middle(GraphBuilder& g, NodeId x, std::int64_t filters) {
    const auto f = filters;
    return g.add(Concat{}, {column(g, x, {square(192, 1)}), column(g, x, {square(f, 1), wide(f, 7), tall(192, 7)}),
                            column(g, x, {square(f, 1), tall(f, 7), wide(f, 7), tall(f, 7), wide(192, 7)}),
                            column(g, smoothed(g, x), {square(192, 1)})});
}

// Figure 7: 8 x 8, branches that split in two at the end.
NodeId coarse(GraphBuilder& g, NodeId x) {
    const auto one = column(g, x, {square(384, 1)});
    const auto two = column(g, x, {square(448, 1), square(384, 3, 1, 1)});
    const auto split = [&](NodeId from) {
        return g.add(Concat{}, {column(g, from, {wide(384, 3)}), column(g, from, {tall(384, 3)})});
    };
    return g.add(Concat{},
                 {column(g, x, {square(320, 1)}), split(one), split(two), column(g, smoothed(g, x), {square(192, 1)})});
}

Result<Graph> buildInceptionV3(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    g.weightInit(InitKind::HeNormal);
    auto x = column(g, g.input({3, size, size}), {square(32, 3, 2), square(32, 3), square(64, 3, 1, 1)});
    x = column(g, g.maxPool(x, 3, 2), {square(80, 1), square(192, 3)});
    x = g.maxPool(x, 3, 2);
    for (const std::int64_t pooled : {32, 64, 64}) x = fine(g, x, pooled);
    x = g.add(Concat{}, {column(g, x, {square(384, 3, 2)}),
                         column(g, x, {square(64, 1), square(96, 3, 1, 1), square(96, 3, 2)}), g.maxPool(x, 3, 2)});
    for (const std::int64_t filters : {128, 160, 160, 192}) x = middle(g, x, filters);
    x = g.add(Concat{},
              {column(g, x, {square(192, 1), square(320, 3, 2)}),
               column(g, x, {square(192, 1), wide(192, 7), tall(192, 7), square(192, 3, 2)}), g.maxPool(x, 3, 2)});
    for (int block = 0; block < 2; ++block) x = coarse(g, x);
    g.head(g.dense(g.dropout(g.add(GlobalAveragePool{}, {x}), 0.5), 1000));
    return std::move(g).build();
}

}  // namespace

Workload inceptionV3() {
    return sizedImageNetWorkload(
        {.id = "inception_v3",
         .title = "Inception v3",
         .paper =
             "Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: Rethinking the Inception Architecture for Computer Vision, "
             "2015",
         .link = "https://arxiv.org/abs/1512.00567",
         .parameters = 23'834'568,
         .build = buildInceptionV3},
        imageSize(299, 75));
}

}  // namespace steelyard::model
