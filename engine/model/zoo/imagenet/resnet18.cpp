// SPDX-License-Identifier: Apache-2.0
// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015.
// https://arxiv.org/abs/1512.03385  ResNet-18. 11,689,512 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {

Workload resnet18() {
    return sizedImageNetWorkload({.id = "resnet18",
                                  .title = "ResNet-18",
                                  .paper = "He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015",
                                  .link = "https://arxiv.org/abs/1512.03385",
                                  .parameters = 11'689'512,
                                  .build =
                                      [](const std::string& id, std::int64_t size) {
                                          return residualNetwork(id, size, {2, 2, 2, 2}, false);
                                      }},
                                 imageSize(224, 32));
}

}  // namespace steelyard::model
