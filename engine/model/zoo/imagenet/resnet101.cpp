// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015.
// https://arxiv.org/abs/1512.03385  ResNet-101. The stride is in the 3x3 convolution, as in torchvision. 44,549,160
// parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {

Workload resnet101() {
    return sizedImageNetWorkload({.id = "resnet101",
                                  .title = "ResNet-101",
                                  .paper = "He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015",
                                  .link = "https://arxiv.org/abs/1512.03385",
                                  .parameters = 44'549'160,
                                  .build =
                                      [](const std::string& id, std::int64_t size) {
                                          return residualNetwork(id, size, {3, 4, 23, 3}, true);
                                      }},
                                 imageSize(224, 32));
}

}  // namespace steelyard::model
