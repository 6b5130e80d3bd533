// SPDX-License-Identifier: Apache-2.0
// K. Simonyan, A. Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition", 2014.
// https://arxiv.org/abs/1409.1556  VGG-16. 138,357,544 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {

Workload vgg16() {
    return imageNetWorkload(
        {.id = "vgg16",
         .title = "VGG-16",
         .paper = "Simonyan, Zisserman: Very Deep Convolutional Networks for Large-Scale Image Recognition, 2014",
         .link = "https://arxiv.org/abs/1409.1556",
         .parameters = 138'357'544,
         .build = [](const std::string& id, std::int64_t) {
             return vggNetwork(id, {2, 2, 3, 3, 3});
         }});
}

}  // namespace steelyard::model
