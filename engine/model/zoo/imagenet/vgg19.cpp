// SPDX-License-Identifier: Apache-2.0
// K. Simonyan, A. Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition", 2014.
// https://arxiv.org/abs/1409.1556  VGG-19. 143,667,240 parameters.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {

Workload vgg19() {
    return imageNetWorkload(
        {.id = "vgg19",
         .title = "VGG-19",
         .paper = "Simonyan, Zisserman: Very Deep Convolutional Networks for Large-Scale Image Recognition, 2014",
         .link = "https://arxiv.org/abs/1409.1556",
         .parameters = 143'667'240,
         .build = [](const std::string& id, std::int64_t) {
             return vggNetwork(id, {2, 2, 4, 4, 4});
         }});
}

}  // namespace steelyard::model
