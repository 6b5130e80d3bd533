// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: mnist_mlp (Keras 2.0.5, 2017), as timed by M. Woolf, "Benchmarking TensorFlow
// on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017. https://minimaxir.com/2017/07/cpu-or-gpu/ 669,706
// parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildMnistMlp() {
    GraphBuilder g("mnist_mlp");
    auto x = g.input({784});
    for (int layer = 0; layer < 2; ++layer) x = g.dropout(g.relu(g.dense(x, 512)), 0.2);
    g.head(g.dense(x, 10));
    return std::move(g).build();
}

}  // namespace

Workload mnistMlp() {
    return {.id = "mnist_mlp",
            .title = "MNIST MLP",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "mnist",
            .dataKind = DataKind::Vectors,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 0.001, .rho = 0.9},
            .batch = 128,
            .batchSweep = {},
            .epochs = 20,
            .trainSamples = 60'000,
            .validationSamples = 10'000,
            .parameters = 669'706,
            .build = buildMnistMlp};
}

}  // namespace steelyard::model
