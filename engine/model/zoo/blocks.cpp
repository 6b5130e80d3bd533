// SPDX-License-Identifier: Apache-2.0
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

Conv2d withBias(Conv2d layer, bool bias) {
    layer.bias = bias;
    return layer;
}

// A projection is needed if channels or image size change.
NodeId shortcutOf(GraphBuilder& g, NodeId x, std::int64_t channels, std::int64_t stride, bool always,
                  const ResidualStyle& style) {
    if (!always && stride == 1 && g.shapeOf(x)[0] == channels) return x;
    return convNorm(g, x, withBias(square(channels, 1, stride), style.bias), std::nullopt, style.norm);
}

NodeId residualBlock(GraphBuilder& g, NodeId x, std::int64_t filters, std::int64_t stride, bool first,
                     const ResidualStyle& style) {
    const auto unit = [&](NodeId from, Conv2d layer, bool last) {
        const auto activation = last ? std::nullopt : std::optional(ActivationKind::Relu);
        return convNorm(g, from, withBias(layer, style.bias), activation, style.norm);
    };
    const auto out = style.bottleneck ? 4 * filters : filters;
    const auto shortcut = shortcutOf(g, x, out, stride, first && style.projectFirst, style);
    NodeId y = x;
    if (style.bottleneck) {
        y = unit(y, square(filters, 1, style.strideInFirst ? stride : 1), false);
        y = unit(y, square(filters, 3, style.strideInFirst ? 1 : stride, 1), false);
        y = unit(y, square(out, 1), true);
    } else {
        y = unit(y, square(filters, 3, stride, 1), false);
        y = unit(y, square(out, 3, 1, 1), true);
    }
    return g.relu(g.add(Add{}, {y, shortcut}));
}

}  // namespace

Conv2d withoutBias(Conv2d layer) {
    return withBias(layer, false);
}

NodeId convNorm(GraphBuilder& g, NodeId x, const Conv2d& layer, std::optional<ActivationKind> activation,
                BatchNorm norm) {
    const auto y = g.add(norm, {g.conv(x, layer)});
    return activation ? g.activation(y, *activation) : y;
}

NodeId residualStages(GraphBuilder& g, NodeId x, std::int64_t filters, const std::array<std::int64_t, 4>& blocks,
                      const ResidualStyle& style) {
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        for (std::int64_t block = 0; block < blocks[stage]; ++block)
            x = residualBlock(g, x, filters << stage, stage > 0 && block == 0 ? 2 : 1, block == 0, style);
    }
    return x;
}

NodeId residualStem(GraphBuilder& g, NodeId x, std::int64_t filters, const ResidualStyle& style) {
    return g.maxPool(convNormRelu(g, x, withBias(square(filters, 7, 2, 3), style.bias), style.norm), 3, 2, 1);
}

Result<Graph> residualNetwork(const std::string& id, std::int64_t size, const std::array<std::int64_t, 4>& blocks,
                              bool bottleneck) {
    GraphBuilder g(id);
    g.weightInit(InitKind::HeNormal);
    const ResidualStyle style{.bottleneck = bottleneck};
    auto x = residualStem(g, g.input({3, size, size}), 64, style);
    x = g.add(GlobalAveragePool{}, {residualStages(g, x, 64, blocks, style)});
    g.head(g.dense(x, 1000));
    return std::move(g).build();
}

NodeId vggFeatures(GraphBuilder& g, NodeId x, const std::array<std::int64_t, 5>& convolutions) {
    for (std::size_t stage = 0; stage < convolutions.size(); ++stage) {
        const std::int64_t filters = stage < 3 ? std::int64_t{64} << stage : 512;
        for (std::int64_t i = 0; i < convolutions[stage]; ++i) x = g.relu(g.conv(x, square(filters, 3, 1, 1)));
        x = g.maxPool(x, 2, 2);
    }
    return x;
}

Result<Graph> vggNetwork(const std::string& id, const std::array<std::int64_t, 5>& convolutions) {
    GraphBuilder g(id);
    g.weightInit(InitKind::HeNormal);
    auto x = g.flatten(vggFeatures(g, g.input({3, 224, 224}), convolutions));
    for (int layer = 0; layer < 2; ++layer) x = g.dropout(g.relu(g.dense(x, 4096)), 0.5);
    g.head(g.dense(x, 1000));
    return std::move(g).build();
}

NodeId xceptionFeatures(GraphBuilder& g, NodeId x) {
    constexpr auto kRelu = ActivationKind::Relu;
    const auto separable = [&](NodeId from, std::int64_t filters, std::optional<ActivationKind> after) {
        auto depthwise = withoutBias(square(g.shapeOf(from)[0], 3, 1, 1));
        depthwise.groups = depthwise.filters;
        return convNorm(g, g.conv(from, depthwise), withoutBias(square(filters, 1)), after, kKerasBatchNorm);
    };
    // Two separable convolutions, then a 3x3/2 max pool ("same"), beside a strided 1x1 convolution.
    const auto downsampling = [&](NodeId from, std::int64_t first, std::int64_t filters, bool reluFirst) {
        const auto shortcut = convNorm(g, from, withoutBias(square(filters, 1, 2)), std::nullopt, kKerasBatchNorm);
        auto y = separable(reluFirst ? g.relu(from) : from, first, kRelu);
        y = separable(y, filters, std::nullopt);
        Pool2d pool{PoolKind::Max, {3, 3}, {2, 2}, samePadding(g.shapeOf(y), 3, 2), false, false};
        return g.add(Add{}, {g.add(pool, {y}), shortcut});
    };

    x = convNormRelu(g, x, withoutBias(square(32, 3, 2)), kKerasBatchNorm);
    x = convNormRelu(g, x, withoutBias(square(64, 3)), kKerasBatchNorm);
    x = downsampling(x, 128, 128, false);
    x = downsampling(x, 256, 256, true);
    x = downsampling(x, 728, 728, true);
    for (int block = 0; block < 8; ++block) {
        auto y = separable(g.relu(x), 728, kRelu);
        y = separable(y, 728, kRelu);
        y = separable(y, 728, std::nullopt);
        x = g.add(Add{}, {y, x});
    }
    x = downsampling(x, 728, 1024, true);
    return separable(separable(x, 1536, kRelu), 2048, kRelu);
}

NodeId transformerBlock(GraphBuilder& g, NodeId x, const TransformerStyle& style) {
    const auto features = g.shapeOf(x).back();
    const auto norm = [&](NodeId from) { return g.add(LayerNorm{style.epsilon}, {from}); };
    const auto regularized = [&](NodeId from) { return style.dropout > 0 ? g.dropout(from, style.dropout) : from; };
    const auto residual = [&](NodeId branch) {
        x = g.add(Add{}, {regularized(branch), x});
        if (!style.normFirst) x = norm(x);
    };
    const auto projected = g.dense(style.normFirst ? norm(x) : x, 3 * features);
    const auto attended = g.add(Attention{style.heads, style.causal, style.cachedTokens}, {projected});
    residual(g.dense(attended, features));
    const auto hidden = g.dense(style.normFirst ? norm(x) : x, style.hidden);
    residual(g.dense(g.activation(hidden, style.activation), features));
    return x;
}

Workload imageNetWorkload(const ImageNetTask& task, std::int64_t size) {
    return {.id = task.id,
            .title = task.title,
            .family = "staples",
            .paper = task.paper,
            .link = task.link,
            .dataset = "synthetic",
            .dataKind = DataKind::Images,
            .optimizer = task.optimizer,
            .batch = task.batch,
            .batchSweep = {},
            .epochs = 90,
            .trainSamples = 1'281'167,
            .validationSamples = 50'000,
            .parameters = task.parameters,
            .build = [build = task.build, id = task.id, size] { return build(id, size); }};
}

Workload sizedImageNetWorkload(const ImageNetTask& task, const WorkloadOption& size) {
    return configurable(task.id, {size}, [task](const WorkloadChoice& choice) {
        auto chosen = task;
        chosen.id = choice.id;
        return imageNetWorkload(chosen, choice["size"]);
    });
}

Workload flowersWorkload(const FlowersTask& task, const WorkloadOption& size,
                         Result<Graph> (*build)(const std::string& id, std::int64_t size)) {
    return configurable(task.id, {size}, [task, build](const WorkloadChoice& choice) {
        return Workload{.id = choice.id,
                        .title = task.title,
                        .family = "kaggle_flowers",
                        .paper = "Mooney: Benchmarking CPU, GPU and TPU on Kaggle, 2019",
                        .link = task.link,
                        .dataset = "flowers",
                        .dataKind = DataKind::Images,
                        .optimizer = {.kind = OptimizerKind::Adam, .learningRate = 0.001},
                        .batch = 16,
                        .batchSweep = {16, 128},
                        .epochs = 12,
                        .trainSamples = 2'990,
                        .validationSamples = 680,
                        .parameters = task.parameters,
                        .build = [id = choice.id, side = choice["size"], build] { return build(id, side); }};
    });
}

WorkloadOption imageSize(std::int64_t standard, std::int64_t low, std::int64_t multiple) {
    return {.name = "size",
            .standard = standard,
            .low = low,
            .high = 1024,
            .multiple = multiple,
            .words = {},
            .about = "side of the square image in pixels"};
}

}  // namespace steelyard::model
