// SPDX-License-Identifier: Apache-2.0
// A. Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014.
// https://arxiv.org/abs/1404.5997  The one-column AlexNet in torchvision's form. 61,100,840 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Result<Graph> buildAlexnet(const std::string& id, std::int64_t size) {
    GraphBuilder g(id);
    g.weightInit(InitKind::HeNormal);
    auto x = g.input({3, size, size});
    x = g.maxPool(g.relu(g.conv(x, square(64, 11, 4, 2))), 3, 2);
    x = g.maxPool(g.relu(g.conv(x, square(192, 5, 1, 2))), 3, 2);
    for (const std::int64_t filters : {384, 256, 256}) x = g.relu(g.conv(x, square(filters, 3, 1, 1)));
    x = g.flatten(g.maxPool(x, 3, 2));
    for (int layer = 0; layer < 2; ++layer) x = g.relu(g.dense(g.dropout(x, 0.5), 4096));
    g.head(g.dense(x, 1000));
    return std::move(g).build();
}

}  // namespace

Workload alexnet() {
    return imageNetWorkload(
        {.id = "alexnet",
         .title = "AlexNet",
         .paper = "Krizhevsky: One weird trick for parallelizing convolutional neural networks, 2014",
         .link = "https://arxiv.org/abs/1404.5997",
         .parameters = 61'100'840,
         .batch = 128,
         .build = buildAlexnet});
}

}  // namespace steelyard::model
