// SPDX-License-Identifier: Apache-2.0
// Four micro-benchmarks of the machine; only the convolution has parameters.
//   gemm              S. Shi, Q. Wang, P. Xu, X. Chu, "Benchmarking State-of-the-Art Deep Learning Software Tools",
//                     2016, https://arxiv.org/abs/1608.07249: C = A B, A B^T and A^T B, which differed threefold.
//   convolution       Baidu Research, DeepBench, 2016, https://github.com/baidu-research/DeepBench: one layer alone.
//   memory_bandwidth  J. D. McCalpin, "Memory Bandwidth and Machine Balance in Current High Performance Computers",
//                     1995, https://www.cs.virginia.edu/stream/: "Add", two arrays read and one written.
//   launch_overhead   D. Culler et al., "LogP: Towards a Realistic Model of Parallel Computation", 1993,
//                     https://doi.org/10.1145/155332.155333: the cost of an operation with almost no work.
#include <array>

#include "engine/model/zoo/zoo.h"

namespace steelyard::model {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kTiny = 16;  // values per operation

Workload micro(const WorkloadChoice& choice, std::string title, std::string paper, std::string link) {
    Workload workload;
    workload.id = choice.id;
    workload.title = std::move(title);
    workload.family = "micro";
    workload.paper = std::move(paper);
    workload.link = std::move(link);
    workload.dataset = "synthetic";
    workload.dataKind = DataKind::Vectors;
    workload.batch = 1;
    workload.inferenceOnly = true;
    return workload;
}

Result<Graph> finished(GraphBuilder&& g, NodeId answer) {
    g.head(answer, LossKind::None);
    return std::move(g).build();
}

Workload makeGemm(const WorkloadChoice& choice) {
    const auto m = choice["m"], n = choice["n"], k = choice["k"];
    const Product form{choice["form"] == 2, choice["form"] == 1};
    auto workload = micro(choice, "Matrix product",
                          "Shi, Wang, Xu, Chu: Benchmarking State-of-the-Art Deep Learning Software Tools, 2016",
                          "https://arxiv.org/abs/1608.07249");
    workload.rate = Rate::Flops;
    workload.build = [id = choice.id, m, n, k, form]() -> Result<Graph> {
        GraphBuilder g(id);
        const auto a = g.input(form.transposeA ? Shape{k, m} : Shape{m, k});
        const auto b = g.input(form.transposeB ? Shape{n, k} : Shape{k, n});
        const auto c = g.add(form, {a, b});
        return finished(std::move(g), c);
    };
    return workload;
}

Workload makeConvolution(const WorkloadChoice& choice) {
    const auto size = choice["size"], channels = choice["channels"], filters = choice["filters"];
    const auto kernel = 2 * choice["radius"] + 1;
    auto workload =
        micro(choice, "Convolution", "Baidu Research: DeepBench, 2016", "https://github.com/baidu-research/DeepBench");
    workload.dataKind = DataKind::Images;
    workload.batch = 16;
    workload.rate = Rate::Flops;
    workload.parameters = filters * channels * kernel * kernel;
    workload.build = [id = choice.id, size, channels, filters, kernel]() -> Result<Graph> {
        GraphBuilder g(id);
        auto layer = square(filters, kernel, 1, kernel / 2);
        layer.bias = false;
        const auto y = g.conv(g.input({channels, size, size}), layer);
        return finished(std::move(g), y);
    };
    return workload;
}

Workload makeBandwidth(const WorkloadChoice& choice) {
    const auto values = choice["mebibytes"] * kMebibyte / bytesOf(DataType::Float32);
    auto workload = micro(choice, "Memory bandwidth",
                          "McCalpin: Memory Bandwidth and Machine Balance in Current High Performance Computers, 1995",
                          "https://www.cs.virginia.edu/stream/");
    workload.rate = Rate::Bytes;
    workload.build = [id = choice.id, values]() -> Result<Graph> {
        GraphBuilder g(id);
        const auto a = g.input({values});
        const auto b = g.input({values});
        const auto c = g.add(Add{}, {a, b});
        return finished(std::move(g), c);
    };
    return workload;
}

Workload makeLaunch(const WorkloadChoice& choice) {
    const auto operations = choice["operations"];
    auto workload = micro(choice, "Launch overhead",
                          "Culler and others: LogP, Towards a Realistic Model of Parallel Computation, 1993",
                          "https://doi.org/10.1145/155332.155333");
    workload.rate = Rate::Operations;
    workload.build = [id = choice.id, operations]() -> Result<Graph> {
        GraphBuilder g(id);
        auto x = g.input({kTiny});
        const auto y = g.input({kTiny});
        for (std::int64_t i = 0; i < operations; ++i) x = g.add(Add{}, {x, y});
        return finished(std::move(g), x);
    };
    return workload;
}

}  // namespace

Workload gemm() {
    return configurable("gemm",
                        {{.name = "form",
                          .standard = 0,
                          .low = 0,
                          .high = 2,
                          .words = {"nn", "nt", "tn"},
                          .about = "A B, A B^T or A^T B"},
                         {.name = "m", .standard = 2048, .low = 1, .high = 32'768, .about = "rows of the result"},
                         {.name = "n", .standard = 2048, .low = 1, .high = 32'768, .about = "columns of the result"},
                         {.name = "k", .standard = 2048, .low = 1, .high = 32'768, .about = "length of the sums"}},
                        makeGemm);
}

Workload convolution() {
    return configurable(
        "convolution",
        {{.name = "size", .standard = 56, .low = 1, .high = 512, .about = "height and width of the image"},
         {.name = "channels", .standard = 64, .low = 1, .high = 2048, .about = "of the image"},
         {.name = "filters", .standard = 64, .low = 1, .high = 2048, .about = "channels of the result"},
         {.name = "radius", .standard = 1, .low = 0, .high = 5, .about = "of the square kernel: 1 is 3 x 3"}},
        makeConvolution);
}

Workload memoryBandwidth() {
    return configurable(
        "memory_bandwidth",
        {{.name = "mebibytes", .standard = 128, .low = 1, .high = 4096, .about = "of each of three arrays"}},
        makeBandwidth);
}

Workload launchOverhead() {
    return configurable(
        "launch_overhead",
        {{.name = "operations", .standard = 256, .low = 1, .high = 4096, .about = "one after the other"}}, makeLaunch);
}

}  // namespace steelyard::model
