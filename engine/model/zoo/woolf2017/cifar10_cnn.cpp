// SPDX-License-Identifier: Apache-2.0
// F. Chollet and others, Keras examples: cifar10_cnn (Keras 2.0.5, 2017), as timed by M. Woolf, "Benchmarking
// TensorFlow on Cloud CPUs: Cheaper Deep Learning than Cloud GPUs", 2017. https://minimaxir.com/2017/07/cpu-or-gpu/
// Images are shifted by up to a tenth and flipped. 1,250,858 parameters.
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

Result<Graph> buildCifar10Cnn() {
    GraphBuilder g("cifar10_cnn");
    auto x = g.input({3, 32, 32});
    for (const std::int64_t filters : {32, 64}) {
        x = g.relu(g.conv(x, square(filters, 3, 1, 1)));
        x = g.relu(g.conv(x, square(filters, 3)));
        x = g.dropout(g.maxPool(x, 2, 2), 0.25);
    }
    x = g.dropout(g.relu(g.dense(g.flatten(x), 512)), 0.5);
    g.head(g.dense(x, 10));
    return std::move(g).build();
}

}  // namespace

Workload cifar10Cnn() {
    return {.id = "cifar10_cnn",
            .title = "CIFAR-10 CNN",
            .family = "woolf2017",
            .paper = "Keras examples (2017); Woolf, Benchmarking TensorFlow on Cloud CPUs, 2017",
            .link = "https://minimaxir.com/2017/07/cpu-or-gpu/",
            .dataset = "cifar10",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 1e-4, .decay = 1e-6, .rho = 0.9},
            .batch = 32,
            .batchSweep = {},
            .epochs = 20,
            .trainSamples = 50'000,
            .validationSamples = 10'000,
            .parameters = 1'250'858,
            .build = buildCifar10Cnn};
}

}  // namespace steelyard::model
