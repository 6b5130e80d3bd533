// SPDX-License-Identifier: Apache-2.0
// K. Simonyan, A. Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition", 2014.
// https://arxiv.org/abs/1409.1556  For five classes of flowers at 331 x 331 with all layers trained, as timed by P.
// Mooney, "Benchmarking CPU, GPU and TPU on Kaggle", 2019. The backbone has 14,714,688 parameters, the head 2,565:
// 14,717,253.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildFlowersVgg16(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    const auto x = vggFeatures(g, g.input({3, size, size}), {2, 2, 3, 3, 3});
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), 5));
    return std::move(g).build();
}

}  // namespace

Workload flowersVgg16() {
    return flowersWorkload({"flowers_vgg16", "Flowers, VGG16", "https://arxiv.org/abs/1409.1556", 14'717'253},
                           imageSize(331, 32), buildFlowersVgg16);
}

}  // namespace steelyard::model
