// SPDX-License-Identifier: Apache-2.0
// A. Dosovitskiy and others, "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale", 2020.
// https://arxiv.org/abs/2010.11929  ViT-B/16. 86,567,656 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildVitB16(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    g.weightInit(InitKind::Normal, 0.02);
    const auto patches = g.conv(g.input({3, size, size}), square(768, 16, 16));
    auto x = g.add(ClassToken{}, {g.add(ToTokens{}, {patches})});
    x = g.add(PositionEmbedding{}, {x});
    const TransformerStyle style{.normFirst = true, .epsilon = 1e-6};
    for (int block = 0; block < 12; ++block) x = transformerBlock(g, x, style);
    x = g.add(SelectStep{0}, {g.add(LayerNorm{style.epsilon}, {x})});
    g.head(g.dense(x, 1000));
    return std::move(g).build();
}

}  // namespace

Workload vitB16() {
    return sizedImageNetWorkload({.id = "vit_b16",
                                  .title = "ViT-B/16",
                                  .paper = "Dosovitskiy and others: An Image is Worth 16x16 Words, 2020",
                                  .link = "https://arxiv.org/abs/2010.11929",
                                  .parameters = 86'567'656,
                                  .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 1e-4},
                                  .build = buildVitB16},
                                 imageSize(224, 32, 16));
}

}  // namespace steelyard::model
