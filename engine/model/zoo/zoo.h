// SPDX-License-Identifier: Apache-2.0
// The networks the program knows: one file each, headed by authors, title, year and link, and one line in
// networks.def. Nothing registers itself. resolve.h turns what a person writes ("fcn_s(hidden_layers=4)", "net.json")
// into one of these values.
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

// What the throughput of a workload counts: samples (or tokens of language models), or for one that measures the
// machine itself, FLOPs, bytes moved, or operations begun.
enum class Rate { Samples, Flops, Bytes, Operations };

enum class DataKind { Images, Vectors, TokenIds, OneHotText };

// A setting that is chosen in the name: fcn_s(hidden_layers=4).
struct WorkloadOption {
    std::string name;
    std::int64_t standard = 0;
    std::int64_t low = 0, high = 0;
    std::int64_t multiple = 1;       // the value is divisible by this
    std::vector<std::string> words;  // when there are some, the value is an index into them: cell=lstm
    std::string about;               // a few English words
};

// A value for every option of a workload, and the name that says so.
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
    std::int64_t batch = 32;               // the paper's
    std::vector<std::int64_t> batchSweep;  // empty: the default sweep around `batch`
    std::int64_t usualBatch = 0;           // where it is trained with another on GPUs; 0: `batch`
    std::int64_t epochs = 1;
    std::int64_t trainSamples = 0, validationSamples = 0;  // of the real data set; 0 unknown
    std::int64_t parameters = 0;                           // trainable, asserted by a test
    std::int64_t tokensPerSample = 1;  // of language models; 1 where samples are counted (throughputUnit)
    Rate rate = Rate::Samples;
    std::function<Result<Graph>()> build;
    bool inferenceOnly = false;           // nothing to train: one step of decoding, or an operation without a gradient
    bool usuallyInferred = false;         // exported for inference: trained only where that is asked for
    std::string remark;                   // what a person should know, e.g. "not comparable with ..."; one sentence
    std::vector<WorkloadOption> options;  // empty: there is nothing to choose
    std::function<Workload(const WorkloadChoice&)> choose;  // set where options is not empty
};

// "tokens/s" for language models, "samples/s" otherwise; "FLOP/s", "B/s" or "operations/s" by the rate.
[[nodiscard]] std::string_view throughputUnit(const Workload& workload);

[[nodiscard]] const std::vector<Workload>& workloads();
// By exact id, or one of the short names bert_base and bert_large. NotFound names the nearest known id.
[[nodiscard]] Result<const Workload*> findWorkload(std::string_view id);

// The workload of `make` at its standard options; for use in zoo files.
[[nodiscard]] Workload configurable(std::string id, std::vector<WorkloadOption> options,
                                    std::function<Workload(const WorkloadChoice&)> make);

#define NETWORK(function) [[nodiscard]] Workload function();
#include "engine/model/zoo/networks.def"
#undef NETWORK

}  // namespace steelyard::model
