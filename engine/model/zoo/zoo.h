// SPDX-License-Identifier: Apache-2.0
// The bundled networks: one file each, headed by authors, title, year and link, and one line in networks.def. No
// self-registration. resolve.h maps names ("fcn_s(hidden_layers=4)", "net.json") to these values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/graph.h"
#include "engine/model/optimizer.h"

namespace steelyard::model {

// Unit of a workload's throughput: samples (or tokens of language models), or for micro-benchmarks FLOPs, bytes moved,
// or operations launched.
enum class Rate { Samples, Flops, Bytes, Operations };

enum class DataKind { Images, Vectors, TokenIds, OneHotText };

// An option in a workload's name: fcn_s(hidden_layers=4).
struct WorkloadOption {
    std::string name;
    std::int64_t standard = 0;
    std::int64_t low = 0, high = 0;
    std::int64_t multiple = 1;       // the value must be divisible by this
    std::vector<std::string> words;  // if not empty, the value is an index into them: cell=lstm
    std::string about;               // short English description
};

// Values of all options of a workload, and its canonical name.
struct WorkloadChoice {
    std::string id;
    std::vector<std::pair<std::string, std::int64_t>> values;
    // The option must exist.
    [[nodiscard]] std::int64_t operator[](std::string_view option) const;
};

struct Workload {
    std::string id;      // "mnist_cnn"; resolveWorkload(id) gives the same workload again
    std::string title;   // "MNIST CNN"
    std::string family;  // "woolf2017" | "dlbench" | "kaggle_flowers" | "paradnn" | "staples" | "micro" | "own"
    std::string paper;   // authors, title, year
    std::string link;
    std::string dataset;  // "mnist", "cifar10", "imdb", "text", "ptb", "flowers", "synthetic"
    DataKind dataKind = DataKind::Images;
    Optimizer optimizer;
    std::int64_t batch = 32;               // as in the paper
    std::vector<std::int64_t> batchSweep;  // empty: default sweep around `batch`
    std::int64_t usualBatch = 0;           // usual training batch on GPUs, if different; 0: `batch`
    std::int64_t epochs = 1;
    std::int64_t trainSamples = 0, validationSamples = 0;  // of the real data set; 0: unknown
    std::int64_t parameters = 0;                           // trainable, checked by a test
    std::int64_t tokensPerSample = 1;  // of language models; 1 where samples are counted (throughputUnit)
    Rate rate = Rate::Samples;
    std::function<Result<Graph>()> build;
    bool inferenceOnly = false;           // nothing to train: a decoding step, or an operation without a gradient
    bool usuallyInferred = false;         // exported for inference: trained only on request
    std::string remark;                   // what a person should know, e.g. "not comparable with ..."; one sentence
    std::vector<WorkloadOption> options;  // may be empty
    std::function<Workload(const WorkloadChoice&)> choose;  // set if `options` is not empty
};

// "tokens/s" for language models, "samples/s" for others; "FLOP/s", "B/s" or "operations/s" by the rate.
[[nodiscard]] std::string_view throughputUnit(const Workload& workload);

[[nodiscard]] const std::vector<Workload>& workloads();
// By exact id, or one of the aliases bert_base and bert_large. NotFound suggests the most similar id.
[[nodiscard]] Result<const Workload*> findWorkload(std::string_view id);

// The workload of `make` with default options; for zoo files.
[[nodiscard]] Workload configurable(std::string id, std::vector<WorkloadOption> options,
                                    std::function<Workload(const WorkloadChoice&)> make);

#define NETWORK(function) [[nodiscard]] Workload function();
#include "engine/model/zoo/networks.def"
#undef NETWORK

}  // namespace steelyard::model
