// SPDX-License-Identifier: Apache-2.0
// F. Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", 2016. https://arxiv.org/abs/1610.02357
// 299 x 299. 22,910,480 parameters as Keras counts, with 54,528 moving statistics: 22,855,952 are trained.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildXception(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    const auto x = xceptionFeatures(g, g.input({3, size, size}));
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), 1000));
    return std::move(g).build();
}

}  // namespace

Workload xception() {
    return sizedImageNetWorkload(
        {.id = "xception",
         .title = "Xception",
         .paper = "Chollet: Xception: Deep Learning with Depthwise Separable Convolutions, 2016",
         .link = "https://arxiv.org/abs/1610.02357",
         .parameters = 22'855'952,
         .build = buildXception},
        imageSize(299, 71));
}

}  // namespace steelyard::model
