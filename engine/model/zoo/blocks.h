// SPDX-License-Identifier: Apache-2.0
// Building blocks shared by networks of the zoo. Each function adds layers to a builder and returns the last one.
// Internal to engine/model/zoo.
#pragma once

#include <array>
#include <optional>

#include "engine/model/graph.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// Keras 2: epsilon 1e-3 and momentum .99, which is .01 in this convention.
inline constexpr BatchNorm kKerasBatchNorm{1e-3, 0.01};

[[nodiscard]] Conv2d withoutBias(Conv2d layer);
// Convolution, batch norm and optionally an activation.
NodeId convNorm(GraphBuilder& g, NodeId x, const Conv2d& layer, std::optional<ActivationKind> activation,
                BatchNorm norm = {});
inline NodeId convNormRelu(GraphBuilder& g, NodeId x, const Conv2d& layer, BatchNorm norm = {}) {
    return convNorm(g, x, layer, ActivationKind::Relu, norm);
}

// K. He, X. Zhang, S. Ren, J. Sun, "Deep Residual Learning for Image Recognition", 2015, and its variants.
struct ResidualStyle {
    bool bottleneck = false;     // 1x1, 3x3, 1x1 with four times the filters, instead of two 3x3
    bool strideInFirst = false;  // bottleneck: stride in the first 1x1 (the paper, Keras) instead of the 3x3
    bool bias = false;           // of the convolutions (Keras)
    bool projectFirst = false;   // projection in the first block of a stage even if the shape does not change
    BatchNorm norm = {};
};
// Four stages with `filters` times 1, 2, 4 and 8; the first block of all but the first halves the image.
NodeId residualStages(GraphBuilder& g, NodeId x, std::int64_t filters, const std::array<std::int64_t, 4>& blocks,
                      const ResidualStyle& style);
// Convolution 7x7/2, batch norm, relu, max pool 3x3/2.
NodeId residualStem(GraphBuilder& g, NodeId x, std::int64_t filters, const ResidualStyle& style);
// A complete network for 1,000 classes.
[[nodiscard]] Result<Graph> residualNetwork(const std::string& id, std::int64_t size,
                                            const std::array<std::int64_t, 4>& blocks, bool bottleneck);

// K. Simonyan, A. Zisserman, 2014: stages of 3x3 convolutions of 64, 128, 256, 512, 512 filters, a max pool after each.
NodeId vggFeatures(GraphBuilder& g, NodeId x, const std::array<std::int64_t, 5>& convolutions);
[[nodiscard]] Result<Graph> vggNetwork(const std::string& id, const std::array<std::int64_t, 5>& convolutions);

// F. Chollet, 2016: Xception up to the global pooling, as in Keras.
NodeId xceptionFeatures(GraphBuilder& g, NodeId x);

// A. Vaswani et al., "Attention Is All You Need", 2017: attention and a two-layer perceptron, each with a residual
// connection and layer norm after (BERT) or before (GPT-2, ViT).
struct TransformerStyle {
    std::int64_t heads = 12;
    std::int64_t hidden = 3072;
    bool normFirst = false;
    ActivationKind activation = ActivationKind::Gelu;
    double dropout = 0;
    double epsilon = 1e-12;
    bool causal = false;
    std::int64_t cachedTokens = 0;
};
NodeId transformerBlock(GraphBuilder& g, NodeId x, const TransformerStyle& style);

// ImageNet: 1.28 million photographs of 1,000 classes (Russakovsky et al., 2015); the data are synthetic.
struct ImageNetTask {
    std::string id, title, paper, link;
    std::int64_t parameters = 0;
    Optimizer optimizer{.kind = OptimizerKind::Momentum, .learningRate = 0.01, .momentum = 0.9};
    std::int64_t batch = 32;
    std::function<Result<Graph>(const std::string& id, std::int64_t size)> build;
};
[[nodiscard]] Workload imageNetWorkload(const ImageNetTask& task, std::int64_t size = 224);
// Likewise with the option `size`, the image size.
[[nodiscard]] Workload sizedImageNetWorkload(const ImageNetTask& task, const WorkloadOption& size);
// P. Mooney's task: five classes of flowers, Adam, global average pooling before the head; with the option `size`.
struct FlowersTask {
    std::string id, title, link;
    std::int64_t parameters = 0;
};
[[nodiscard]] Workload flowersWorkload(const FlowersTask& task, const WorkloadOption& size,
                                       Result<Graph> (*build)(const std::string& id, std::int64_t size));
[[nodiscard]] WorkloadOption imageSize(std::int64_t standard, std::int64_t low, std::int64_t multiple = 1);

}  // namespace steelyard::model
