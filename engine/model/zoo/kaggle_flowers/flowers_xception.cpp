// SPDX-License-Identifier: Apache-2.0
// F. Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", 2016. https://arxiv.org/abs/1610.02357
// For five classes of flowers at 331 x 331 with all layers trained, as timed by P. Mooney, "Benchmarking CPU, GPU and
// TPU on Kaggle", 2019. The backbone has 20,861,480 parameters as Keras counts, including 54,528 moving statistics; the
// head has 10,245. 20,817,197 are trained.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildFlowersXception(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    const auto x = xceptionFeatures(g, g.input({3, size, size}));
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), 5));
    return std::move(g).build();
}

}  // namespace

Workload flowersXception() {
    return flowersWorkload({"flowers_xception", "Flowers, Xception", "https://arxiv.org/abs/1610.02357", 20'817'197},
                           imageSize(331, 71), buildFlowersXception);
}

}  // namespace steelyard::model
