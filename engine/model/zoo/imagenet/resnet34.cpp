// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015.
// https://arxiv.org/abs/1512.03385  ResNet-34. 21,797,672 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {

Workload resnet34() {
    return sizedImageNetWorkload({.id = "resnet34",
                                  .title = "ResNet-34",
                                  .paper = "He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015",
                                  .link = "https://arxiv.org/abs/1512.03385",
                                  .parameters = 21'797'672,
                                  .build =
                                      [](const std::string& id, std::int64_t size) {
                                          return residualNetwork(id, size, {3, 4, 6, 3}, false);
                                      }},
                                 imageSize(224, 32));
}

}  // namespace steelyard::model
