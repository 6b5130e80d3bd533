// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: mnist_cnn (Keras 2.0.5, 2017), as timed by M. Woolf, "Benchmarking TensorFlow
// on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017. https://minimaxir.com/2017/07/cpu-or-gpu/ 1,199,882
// parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildMnistCnn() {
    GraphBuilder g("mnist_cnn");
    auto x = g.input({1, 28, 28});
    x = g.relu(g.conv(x, square(32, 3)));
    x = g.relu(g.conv(x, square(64, 3)));
    x = g.dropout(g.maxPool(x, 2, 2), 0.25);
    x = g.dropout(g.relu(g.dense(g.flatten(x), 128)), 0.5);
    g.head(g.dense(x, 10));
    return std::move(g).build();
}

}  // namespace

Workload mnistCnn() {
    return {.id = "mnist_cnn",
            .title = "MNIST CNN",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "mnist",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::Adadelta, .learningRate = 1.0, .rho = 0.95},
            .batch = 128,
            .batchSweep = {},
            .epochs = 12,
            .trainSamples = 60'000,
            .validationSamples = 10'000,
            .parameters = 1'199'882,
            .build = buildMnistCnn};
}

}  // namespace steelyard::model
