// SPDX-License-Identifier: Apache-2.0
// S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016.
// https://arxiv.org/abs/1608.07249  FCN-S: 26,752 inputs and outputs, hidden layers of 2,048 with sigmoid. All the
// published scripts have three hidden layers, 117,997,696 parameters; the text says four, 122,194,048.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

constexpr std::int64_t kWide = 26'752, kHidden = 2'048;

Result<Graph> buildFcnS(const std::string& id, std::int64_t hiddenLayers) {
    GraphBuilder g(id);
    auto x = g.input({kWide});
    for (std::int64_t layer = 0; layer < hiddenLayers; ++layer)
        x = g.activation(g.dense(x, kHidden), ActivationKind::Sigmoid);
    g.head(g.dense(x, kWide));
    return std::move(g).build();
}

Workload makeFcnS(const WorkloadChoice& choice) {
    const auto layers = choice["hidden_layers"];
    return {.id = choice.id,
            .title = "FCN-S",
            .family = "dlbench",
            .paper = "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
            .link = "https://arxiv.org/abs/1608.07249",
            .dataset = "synthetic",
            .dataKind = DataKind::Vectors,
            .optimizer = {.kind = OptimizerKind::Sgd, .learningRate = 0.01},
            .batch = 64,
            .batchSweep = {32, 64, 128, 256, 512, 1024},
            .epochs = 1,
            .parameters = 117'997'696 + (layers - 3) * (kHidden * kHidden + kHidden),
            .build = [id = choice.id, layers] { return buildFcnS(id, layers); }};
}

}  // namespace

Workload fcnS() {
    return configurable("fcn_s",
                        {{.name = "hidden_layers", .standard = 3, .low = 1, .high = 16, .about = "layers of 2,048"}},
                        makeFcnS);
}

}  // namespace steelyard::model
