// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015.
// https://arxiv.org/abs/1512.03385  ResNet-50 with the stride in the 3x3 convolution, as S. Shi, Q. Wang, P. Xu, X.
// Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools", 2016, and torchvision have it. 25,557,032
// parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Workload makeResnet50(const WorkloadChoice& choice) {
    return {.id = choice.id,
            .title = "ResNet-50",
            .family = "dlbench",
            .paper = "He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015",
            .link = "https://arxiv.org/abs/1512.03385",
            .dataset = "synthetic",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::Momentum, .learningRate = 0.01, .momentum = 0.9},
            .batch = 16,
            .batchSweep = {8, 16, 32, 64},
            .usualBatch = 256,  // as in the paper; the benchmark uses 16
            .epochs = 90,
            .trainSamples = 1'281'167,
            .validationSamples = 50'000,
            .parameters = 25'557'032,
            .build = [id = choice.id, size = choice["size"]] {
                return residualNetwork(id, size, {3, 4, 6, 3}, true);
            }};
}

}  // namespace

Workload resnet50() {
    return configurable("resnet50", {imageSize(224, 32)}, makeResnet50);
}

}  // namespace steelyard::model
