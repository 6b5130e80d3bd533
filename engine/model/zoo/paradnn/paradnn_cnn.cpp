// SPDX-License-Identifier: Apache-2.0
// Y. Wang, G.-Y. Wei, D. Brooks, "Benchmarking TPU, GPU, and CPU Platforms for Deep Learning" (ParaDnn), 2019.
// https://arxiv.org/abs/1907.10701  The convolutional family: a residual network of four groups of `blocks` blocks with
// f, 2f, 4f, 8f filters and a projection in the first block of each group. 374,244 parameters with the default options.
// RMSprop as published, but without its momentum of .9.
#include "engine/model/zoo/blocks.h"

namespace steelyard::model {
namespace {

constexpr std::array<std::int64_t, 3> kFilters{16, 32, 64};

Result<Graph> buildParadnnCnn(const WorkloadChoice& choice) {
    GraphBuilder g(choice.id);
    g.weightInit(InitKind::HeNormal);
    const ResidualStyle style{.bottleneck = choice["block"] == 1, .projectFirst = true};
    const auto filters = kFilters[static_cast<std::size_t>(choice["filters"])];
    const auto blocks = choice["blocks"];
    const auto stem = residualStem(g, g.input({3, choice["input"], choice["input"]}), filters, style);
    const auto x = residualStages(g, stem, filters, {blocks, blocks, blocks, blocks}, style);
    g.head(g.dense(g.add(GlobalAveragePool{}, {x}), choice["output"]));
    return std::move(g).build();
}

Workload makeParadnnCnn(const WorkloadChoice& choice) {
    return {.id = choice.id,
            .title = "ParaDnn convolutional",
            .family = "paradnn",
            .paper = "Wang, Wei, Brooks: Benchmarking TPU, GPU, and CPU Platforms for Deep Learning, 2019",
            .link = "https://arxiv.org/abs/1907.10701",
            .dataset = "synthetic",
            .dataKind = DataKind::Images,
            .optimizer = {.kind = OptimizerKind::RmsProp, .learningRate = 0.1, .rho = 0.9, .epsilon = 1.0},
            .batch = 64,
            .batchSweep = {64, 128, 256, 512, 1024},
            .epochs = 1,
            .parameters = 374'244,
            .build = [choice] { return buildParadnnCnn(choice); }};
}

}  // namespace

Workload paradnnCnn() {
    return configurable(
        "paradnn_cnn",
        {{.name = "block", .high = 1, .words = {"residual", "bottleneck"}, .about = "kind of block"},
         {.name = "filters", .high = 2, .words = {"16", "32", "64"}, .about = "of the first group"},
         {.name = "blocks", .standard = 1, .low = 1, .high = 8, .about = "in each of four groups"},
         {.name = "input", .standard = 100, .low = 100, .high = 300, .multiple = 100, .about = "side of the image"},
         {.name = "output", .standard = 500, .low = 500, .high = 1500, .multiple = 500, .about = "classes"}},
        makeParadnnCnn);
}

}  // namespace steelyard::model
